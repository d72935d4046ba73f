"""A server that answers what a test tells it to: each line of reply bytes to one command.

It greets as a client wants (HELLO, AUTH, SELECT, COMMAND) and gives every other command the reply
whose number is its last word, so that two clients can be shown the same bytes.
"""

import socketserver
import threading

HELLO = (b"%7\r\n$6\r\nserver\r\n$5\r\nredis\r\n"
         b"$7\r\nversion\r\n$6\r\n7.0.15\r\n$5\r\nproto\r\n:3\r\n"
         b"$2\r\nid\r\n:3\r\n$4\r\nmode\r\n$10\r\nstandalone\r\n$4\r\nrole\r\n$6\r\nmaster\r\n"
         b"$7\r\nmodules\r\n*0\r\n")
GREETINGS = {b"hello": HELLO, b"auth": b"+OK\r\n", b"select": b"+OK\r\n", b"command": b"*0\r\n"}


class _Conversation(socketserver.StreamRequestHandler):
    def words(self):
        header = self.rfile.readline()
        if not header.startswith(b"*"):
            return None
        found = []
        for _ in range(int(header[1:])):
            size = int(self.rfile.readline()[1:])
            found.append(self.rfile.read(size + 2)[:-2])
        return found

    def handle(self):
        while (words := self.words()) is not None:
            greeting = GREETINGS.get(words[0].lower())
            answer = greeting if greeting else self.server.replies[int(words[-1])]
            self.wfile.write(answer)


class ScriptedServer(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, replies):
        super().__init__(("127.0.0.1", 0), _Conversation)
        self.replies = replies
        self.port = self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.shutdown()
        self.server_close()
