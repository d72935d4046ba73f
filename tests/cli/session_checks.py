"""Sessions: hotkv-cli and redis-cli are run in the same way against one hotkv-server, and must
print the same and end with the same status. Then what is hotkv-cli's own."""

import os
import pathlib
import re
import socket
import subprocess
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "interop"))
from server_process import Server, free_port  # noqa: E402

PASSWORD = "s3cret pass"
PREPARE = ("FLUSHALL", "SET text hello", "SET number 10", "SET empty ''")

# What differs between two clients by nature: their numbers, ports and descriptors.
VARYING = re.compile(rb'"id" => \(integer\) \d+|^id=\d+ addr=\S+ laddr=\S+ fd=\d+', re.M)
# Name, options and words, standard input.
SESSIONS = (
    ("a status", ["PING"], ""),
    ("a value", ["GET", "text"], ""),
    ("a value for people", ["--no-raw", "GET", "text"], ""),
    ("an empty value", ["GET", "empty"], ""),
    ("nothing", ["GET", "none"], ""),
    ("nothing for people", ["--no-raw", "GET", "none"], ""),
    ("an integer", ["INCR", "number"], ""),
    ("a list", ["MGET", "text", "none", "number"], ""),
    ("a map", ["-3", "--no-raw", "CONFIG", "GET", "hz"], ""),
    ("a map as JSON", ["--json", "CONFIG", "GET", "hz"], ""),
    ("a list as JSON", ["--json", "MGET", "text", "none"], ""),
    ("an error", ["INCR", "text"], ""),
    ("an error for people", ["--no-raw", "INCR", "text"], ""),
    ("an error as JSON", ["--json", "INCR", "text"], ""),
    ("an error with -e", ["-e", "INCR", "text"], ""),
    ("success with -e", ["-e", "GET", "text"], ""),
    ("an unknown command", ["FOO", "bar"], ""),
    ("a missing argument", ["GET"], ""),
    ("words with blanks and quotes", ["SET", "a b", 'c "d" \\n'], ""),
    ("an empty word", ["SET", "", ""], ""),
    ("a word like an option behind the command", ["SET", "-n", "-3"], ""),
    ("a database", ["-n", "3", "SET", "text", "three"], ""),
    ("INFO for people is text", ["--no-raw", "INFO", "keyspace"], ""),
    ("INFO", ["INFO", "keyspace"], ""),
    ("INFO of nothing", ["--no-raw", "INFO", "nothing"], ""),
    ("CLIENT INFO is text", ["--no-raw", "client", "INFO"], ""),
    ("a command in mixed case", ["--no-raw", "client", "No-Evict", "on"], ""),
    ("repeated", ["-r", "3", "INCR", "number"], ""),
    ("repeated with pauses", ["-r", "2", "-i", "0.01", "INCR", "number"], ""),
    ("repeated with an error and -e", ["-e", "-r", "3", "INCR", "text"], ""),
    ("the last word from input", ["-x", "SET", "fed"], "from\ninput\n"),
    ("lines", [], "PING\nGET text\nGET none\nMGET text none\nINCR number\n"),
    ("lines for people", ["--no-raw"], "PING\nGET text\nGET none\nMGET text none\nINCR number\n"),
    ("lines as JSON", ["--json"], "PING\nGET text\nGET none\nMGET text none\n"),
    ("lines with errors", [], "FOO\nINCR text\nGET text\n"),
    ("the last line without an end", [], "PING\nGET text"),
    ("blank lines", [], "\n   \nPING\n\n"),
    ("quotes", [], "SET q \"a b\\x41\\n\"\nGET q\nSET q 'a \\' b'\nGET q\n"),
    ("lines with CR LF", [], "SET q x\r\nGET q\r\n"),
    ("a count before a command", [], "3 INCR number\nGET number\n"),
    ("quit", [], "PING\nquit\nPING\n"),
    ("exit in upper case", [], "PING\nEXIT\nPING\n"),
    ("a transaction", [], "MULTI\nSET tx 1\nINCR tx\nEXEC\nGET tx\n"),
    ("a transaction that is dropped", [], "MULTI\nSET tx 1\nDISCARD\nGET tx\n"),
    ("a transaction with an error", [], "MULTI\nFOO\nEXEC\n"),
    ("SELECT", [], "SELECT 2\nSET two 2\nDBSIZE\nSELECT 0\nGET two\n"),
    ("RESET", [], "SELECT 2\nMULTI\nRESET\nGET text\n"),
    ("HELLO 3", ["--no-raw"], "HELLO 3\nCONFIG GET hz\n"),
)
GUARDED = (
    ("no password", ["GET", "text"], {}),
    ("-a", ["-a", PASSWORD, "--no-auth-warning", "GET", "text"], {}),
    ("--pass", ["--pass", PASSWORD, "--no-auth-warning", "GET", "text"], {}),
    ("--user", ["--user", "default", "--pass", PASSWORD, "--no-auth-warning", "PING"], {}),
    ("the environment", ["GET", "text"], {"REDISCLI_AUTH": PASSWORD}),
    ("a wrong password", ["-a", "wrong", "--no-auth-warning", "GET", "text"], {}),
    ("-a before the environment", ["-a", PASSWORD, "--no-auth-warning", "PING"],
     {"REDISCLI_AUTH": "wrong"}),
    ("with RESP3", ["-3", "-a", PASSWORD, "--no-auth-warning", "GET", "text"], {}),
)
# Where hotkv-cli means to differ: name, words, input, output, what the error line says, status.
OWN = (
    # redis-cli carries the command out in database 0.
    ("a database that is not there", ["-n", "99", "SET", "x", "1"], "", b"",
     "SELECT failed: ERR DB index is out of range", 1),
    ("a count of zero", [], "0 INCR number\nGET number\n",
     b"A count before a command must be positive, not '0'\n10\n", "", 1),
    ("a negative count", [], "-2 INCR number\nGET number\n",
     b"A count before a command must be positive, not '-2'\n10\n", "", 1),
    # Lines that were not sent, and with -e errors, are told by the status.
    ("quotes that do not close", [], "SET q \"a b\nPING\nSET q 'a'b\nPING\n",
     b"Invalid argument(s)\nPONG\nInvalid argument(s)\nPONG\n", "", 1),
    ("lines with an error and -e", ["-e"], "GET text\nINCR text\nGET text\n",
     b"hello\nERR value is not an integer or out of range\n\nhello\n", "", 1),
    # redis-cli leaves JSON here.
    ("INFO as JSON", ["--json", "INFO", "keyspace"], "",
     rb'"# Keyspace\\r\\ndb0:keys=3,expires=0,avg_ttl=0\\r\\n"\n', "", 0),
    ("CLIENT REPLY OFF", [], "CLIENT REPLY OFF\nPING\n", b"PONG\n", "not sent", 1),
    ("help of a command", [], "help ping\n",
     rb"PING \[message\]\n  summary: .+\n  since: 1.0.0\n  group: connection\n", "", 0),
    ("help of nothing known", [], "help nonsense\n",
     b"There is no command 'nonsense' here.\n", "", 0),
)
WRONG_OPTIONS = (
    (["--nonsense"], "unknown option '--nonsense'"),
    (["-z", "PING"], "unknown option '-z'"),
    (["-p"], "option -p needs a value"),
    (["-p", "70000"], "-p takes a number from 1 to 65535, not '70000'"),
    (["-p", "http"], "-p takes a number from 1 to 65535, not 'http'"),
    (["-n", "-1"], "-n takes a number from 0 to 2147483647, not '-1'"),
    (["-r", "0"], "-r takes a count, or -1 for ever, not '0'"),
    (["-i", "soon"], "-i takes seconds from 0 to 1000000, not 'soon'"),
    (["-h", ""], "-h takes a host, not ''"),
    (["-x"], "-x needs a command"),
)


def command_of(program, port, words, environment=None, address=None):
    known = {k: v for k, v in os.environ.items() if k not in ("REDISCLI_AUTH", "HOTKV_AUTH")}
    return ([program, *(address or ["-p", str(port)]), *words], {**known, **(environment or {})})


def finish(program, port, words, feed="", **more):
    command, environment = command_of(program, port, words, **more)
    return subprocess.run(command, input=feed.encode(), stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, timeout=60, env=environment)


def run(*arguments, **more):
    """What was printed to standard output, and the exit status."""
    done = finish(*arguments, **more)
    return done.stdout, done.returncode


def prepare(settings, server):
    run(settings.reference, server.port, [], f'AUTH "{PASSWORD}"\n' + "\n".join(PREPARE) + "\n")


def both(settings, server, words, feed="", **more):
    """(hotkv-cli's outcome, redis-cli's), each on a fresh set of keys."""
    outcomes = []
    for program in (settings.cli, settings.reference):
        prepare(settings, server)
        output, status = run(program, server.port, words, feed, **more)
        outcomes.append((VARYING.sub(b"", output), status))
    return outcomes


def same_as_redis_cli(settings, server):
    for name, words, feed in SESSIONS:
        yield (f"session: {name}", *both(settings, server, words, feed))
    path = str(server.directory / "socket")
    yield ("session: a unix socket", *both(settings, server, ["GET", "text"], address=["-s", path]))
    yield ("session: a host name", *both(settings, server, ["GET", "text"],
                                         address=["-h", "localhost", "-p", str(server.port)]))


def own_ways(settings, server):
    for name, words, feed, output, error, status in OWN:
        prepare(settings, server)
        done = finish(settings.cli, server.port, words, feed)
        fits = done.stdout == output or re.fullmatch(output, done.stdout)
        said = error in done.stderr.decode() and bool(error) == bool(done.stderr)
        got = output if fits else done.stdout, error if said else done.stderr, done.returncode
        yield f"own: {name}", got, (output, error, status)
    for words, wanted in WRONG_OPTIONS:
        done = finish(settings.cli, server.port, words)
        lines = done.stderr.decode().splitlines()
        fits = len(lines) == 1 and lines[0].startswith("hotkv-cli: ") and wanted in lines[0]
        yield (f"option: {' '.join(words)}", (done.stdout, wanted if fits else lines,
                                              done.returncode), (b"", wanted, 1))
    output, status = run(settings.cli, server.port, ["--help"])
    missing = [option for option in ("-h", "-p", "-s", "-a", "-n", "-3", "-r", "-i", "-x", "-e",
                                     "--raw", "--json", "--latency", "--askpass")
               if f" {option}" not in output.decode()]
    yield "option: --help names every option", (missing, status), ([], 0)
    output, status = run(settings.cli, server.port, ["--version"])
    yield "option: --version", (bool(re.fullmatch(rb"hotkv-cli \d+\.\d+\.\d+\n", output)),
                                status), (True, 0)


def latency(settings, server):
    for style, pattern in (("--raw", rb"([\d.]+) ([\d.]+) ([\d.]+) (\d+)\n"),
                           ("--no-raw", rb"min: ([\d.]+) ms, max: ([\d.]+) ms, avg: ([\d.]+) ms "
                                        rb"\((\d+) samples\)\n"),
                           ("--json", rb'\{"min_ms": ([\d.]+), "max_ms": ([\d.]+), '
                                      rb'"avg_ms": ([\d.]+), "count": (\d+)\}\n')):
        output, status = run(settings.cli, server.port, ["--latency", "-i", "0.2", style])
        match = re.fullmatch(pattern, output)
        least, most, mean, count = map(float, match.groups()) if match else (1, 0, 0, 0)
        yield (f"latency: {style}", (least <= mean <= most and count > 1 and output, status),
               (output, 0))


class Piped:
    """A program that is given lines one by one, as its answers come."""

    def __init__(self, program, port):
        command, environment = command_of(program, port, [])
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, env=environment)
        self._deadline = threading.Timer(60, self.process.kill)  # A hang ends as a failure.
        self._deadline.start()

    def ask(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().decode().rstrip("\n")

    def end(self):
        self.process.stdin.close()
        status = self.process.wait()
        self._deadline.cancel()
        self.process.stdout.close()
        return status


def server_goes_and_comes(settings):
    with Server(settings.server) as server:
        piped = Piped(settings.cli, server.port)
        yield "loss: before", [piped.ask(w) for w in ("SELECT 5", "SET k v")], ["OK", "OK"]
    refused = f"Could not connect to HotKV at 127.0.0.1:{server.port}: Connection refused"
    yield "loss: while the server is away", [piped.ask("GET k"), piped.ask("PING")], [refused] * 2
    with Server(settings.server, port=server.port):
        yield ("loss: when it is back, in the same database",
               [piped.ask(w) for w in ("SET k w", "MOVE k 0")], ["OK", "1"])
        piped.ask("MULTI")
    with Server(settings.server, port=server.port):
        gone = "Error: Server closed the connection; the transaction is gone, nothing was sent"
        answers = [piped.ask("SET k v"), piped.ask("EXISTS k")]
        yield "loss: inside MULTI nothing runs alone", answers, [gone, "0"]
        yield "loss: the status tells of it", piped.end(), 1
    for words, feed in ((["GET", "text"], ""), ([], "PING\nPING\n")):
        done = finish(settings.cli, server.port, words, feed)
        yield (f"loss: no server for {words or 'lines'}",
               (done.stdout, done.stderr.decode(), done.returncode), (b"", refused + "\n", 1))


def reply_breaks_off(settings):
    """A server that ends in the middle of a reply, and one that speaks something else."""
    for name, answer, wanted in (("in a reply", b"$100\r\nabc", "Server closed the connection"),
                                 ("before a reply", b"", "Server closed the connection"),
                                 ("of another kind", b"HTTP/1.1 400 Bad\r\n\r\n",
                                  "The server does not speak RESP")):
        with socket.create_server(("127.0.0.1", 0)) as listener:
            def serve(listener=listener, answer=answer):
                link, _ = listener.accept()
                with link:
                    link.recv(4096)
                    link.sendall(answer)
            thread = threading.Thread(target=serve)
            thread.start()
            done = finish(settings.cli, listener.getsockname()[1], ["GET", "text"])
            thread.join()
        said = wanted in done.stderr.decode()
        yield (f"loss: a server that ends {name}", (done.stdout, said, done.returncode),
               (b"", True, 1))


def passwords(settings):
    with Server(settings.server, "--requirepass", PASSWORD) as server:
        for name, words, environment in GUARDED:
            yield (f"password: {name}", *both(settings, server, words, environment=environment))
        feed = f'GET text\nAUTH "{PASSWORD}"\nGET text\n'
        yield ("password: AUTH as a command", run(settings.cli, server.port, [], feed),
               run(settings.reference, server.port, [], feed))
        got = run(settings.cli, server.port, ["GET", "text"], environment={"HOTKV_AUTH": PASSWORD})
        yield "password: HOTKV_AUTH", got, (b"hello\n", 0)
        done = finish(settings.cli, server.port, ["-a", PASSWORD, "PING"])
        error = done.stderr.decode()
        warned = error.startswith("Warning: ") and PASSWORD not in error
        yield ("password: the warning, without the password", (done.stdout, warned),
               (b"PONG\n", True))
        done = finish(settings.cli, server.port, ["-a", PASSWORD + "x", "PING"])
        error = done.stderr.decode()
        yield ("password: a wrong one is not repeated",
               ("AUTH failed: WRONGPASS" in error, PASSWORD in error), (True, False))


def checks(settings):
    with Server(settings.server, "--unixsocket", "{dir}/socket") as server:
        yield from same_as_redis_cli(settings, server)
        yield from own_ways(settings, server)
        yield from latency(settings, server)
    yield from server_goes_and_comes(settings)
    yield from reply_breaks_off(settings)
    yield from passwords(settings)
    done = finish(settings.cli, free_port(), [], address=["-s", "/nonexistent/socket", "PING"])
    yield ("loss: no unix socket", (done.stderr.decode(), done.returncode),
           ("Could not connect to HotKV at /nonexistent/socket: No such file or directory\n", 1))
