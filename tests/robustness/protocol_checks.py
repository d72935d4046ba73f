"""What the parser must serve, ignore or refuse: headers, lines, limits, slices, HELLO, HTTP."""

import re

from checks import compared, converse, expect, read_to_sentinel, required, synchronise, SENTINEL
from resp_wire import Closed, Failure, encode

LINE_MAX = 64 * 1024
BULK_MAX = 512 * 1024 * 1024

# Each is sent alone on a new connection; the answer and the end must be Redis's.
INPUTS = {
    "*-1": b"*-1\r\n", "*0": b"*0\r\n", "*-2147483648": b"*-2147483648\r\n",
    "*2147483648": b"*2147483648\r\n", "a huge array": b"*99999999999999999999\r\n",
    "*1x": b"*1x\r\n", "* alone": b"*\r\n", "a space in the count": b"* 1\r\n",
    "a plus in the count": b"*+1\r\n", "a leading zero": b"*01\r\n$4\r\nPING\r\n",
    "$-5": b"*1\r\n$-5\r\n", "$-1": b"*1\r\n$-1\r\n", "$ without a number": b"*1\r\n$\r\n",
    "$x": b"*1\r\n$x\r\n", "$4x": b"*1\r\n$4x\r\nPING\r\n",
    "a 600 MB bulk header": b"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$629145600\r\n",
    "one byte more than 512 MB": b"*1\r\n$%d\r\n" % (BULK_MAX + 1),
    "a huge bulk": b"*1\r\n$99999999999999999999\r\n",
    "a status in place of a bulk": b"*1\r\n+PING\r\n", "text in place of a bulk": b"*1\r\nPING\r\n",
    "a number in place of a bulk": b"*1\r\n:1\r\n",
    "an array in place of a bulk": b"*1\r\n*1\r\n$4\r\nPING\r\n",
    "other bytes in place of the last CRLF": b"*1\r\n$4\r\nPINGxx",
    "an empty command name": b"*1\r\n$0\r\n\r\n",
    "an empty name with arguments": b"*2\r\n$0\r\n\r\n$1\r\na\r\n",
    "a binary command name": b"*2\r\n$3\r\n\x00\xff\n\r\n$2\r\n\r\n\r\n",
    "a very long command name": b"*1\r\n$200\r\n" + b"N" * 200 + b"\r\n",
    "many arguments of an unknown command": encode("NOSUCH", *["x" * 50] * 20),
    "an empty line": b"\r\n", "bare line feeds": b"\n\n\n", "an inline with LF only": b"PING\n",
    "spaces around an inline": b"   PING \t \r\n",
    "an inline of quoted words": b"ECHO 'a \\'b'\r\n",
    "escapes in an inline": b'ECHO "\\x41\\n\\t\\"\\\\"\r\n',
    "an empty quoted word": b'ECHO ""\r\n',
    "unbalanced quotes": b'ECHO "abc\r\n', "no space after a quote": b"ECHO 'a'b\r\n",
    "a dollar line alone": b"$-5\r\n", "a reply in place of a command": b"-ERR hello\r\n",
    "an inline after an array": encode("PING") + b"PING\r\n", "QUIT": b"QUIT\r\n",
    "a wrong number of arguments": b"GET\r\nGET a b\r\nSET a\r\nPING a b\r\n",
    "names in any case": b"pInG\r\nsEt a b px 10000000\r\nGeT a\r\n",
    "commands after *0 and *-1": b"*0\r\n*-1\r\n" + encode("PING"),
}

# The same on a server with requirepass, before AUTH.
UNAUTHENTICATED_INPUTS = {
    "10 arguments": encode("GET", *["x"] * 9), "11 arguments": b"*11\r\n",
    "a huge array": b"*1000000000\r\n",
    "a bulk of 16384": b"*1\r\n$16384\r\n" + b"x" * 16384 + b"\r\n",
    "a bulk of 16385": b"*1\r\n$16385\r\n", "a bulk header as a line": b"$536870912\r\n",
    "GET": encode("GET", "k"), "an unknown command": encode("NOSUCH", "k"),
    "a wrong number of arguments": encode("GET"), "PING": encode("PING"),
    "wrong passwords": (encode("AUTH", "x") + encode("AUTH", "default", "x") +
                        encode("AUTH", "u", "p")),
    "AUTH without words": encode("AUTH"), "AUTH with too many words": encode("AUTH", "a", "b", "c"),
    "AUTH and on": encode("AUTH", "secret") + encode("SET", "k", "v") + encode("GET", *["x"] * 12),
    "HELLO": encode("HELLO"), "HELLO 3": encode("HELLO", 3),
    "HELLO 3 with a wrong password": encode("HELLO", 3, "AUTH", "default", "no"),
    "HELLO 3 with the password": (encode("HELLO", 3, "AUTH", "default", "secret") +
                                  encode("GET", "no")),
    "QUIT": encode("QUIT"), "RESET": encode("RESET"),
}

HELLO_INPUTS = {
    "HELLO": [["HELLO"]], "HELLO 2": [["HELLO", 2]], "HELLO 3": [["HELLO", 3]],
    "HELLO 4": [["HELLO", 4]], "HELLO 1": [["HELLO", 1]], "HELLO x": [["HELLO", "x"]],
    "a wrong password keeps the protocol": [["HELLO", 3, "AUTH", "default", "wrong"],
                                            ["GET", "no"]],
    "an unknown user": [["HELLO", 3, "AUTH", "nobody", "wrong"]],
    "no words after AUTH": [["HELLO", 3, "AUTH"]],
    "an invalid name": [["HELLO", 3, "SETNAME", "a b"], ["GET", "no"]],
    "a name": [["HELLO", 3, "SETNAME", "me"], ["CLIENT", "GETNAME"]],
    "an unknown option": [["HELLO", 3, "FOO"]],
    "there and back": [["HELLO", 3], ["GET", "no"], ["HELLO", 2], ["GET", "no"]],
    "RESP3 shapes": [["HELLO", 3], ["MSET", "a", 1, "b", 2], ["MGET", "a", "no"],
                     ["CONFIG", "GET", "maxclients"], ["SET", "a", 2, "NX"], ["EXISTS", "a"],
                     ["WATCH", "a"], ["SET", "a", 3], ["MULTI"], ["GET", "a"], ["EXEC"],
                     ["MULTI"], ["GET", "no"], ["INCRBYFLOAT", "f", "1.5"], ["EXEC"],
                     ["COMMAND", "INFO", "nosuch"], ["RESET"], ["GET", "no"]],
}


def without_identity(answer):
    """Hides what must differ between two servers: their version and the client's number."""
    # Redis 7.0 left out where the protocol's number stands.
    answer = answer.replace(b"HELLO <proto> AUTH", b"HELLO AUTH")
    answer = re.sub(rb"(\$7\r\nversion\r\n)\$\d+\r\n[\d.]+", rb"\1VERSION", answer)
    return re.sub(rb"(\$2\r\nid\r\n):\d+", rb"\1ID", answer)


def differences(server, inputs):
    return {what: converse(server, data) for what, data in inputs.items()}


@compared("malformed and unusual requests are answered as Redis answers them")
def requests(side):
    return differences(side.emptied(), INPUTS)


@compared("before AUTH: at most 10 arguments and 16384 bytes, and NOAUTH (PROTO-01)")
def unauthenticated(side):
    seen = {}
    with side.start("--requirepass", "secret") as server:
        for what, data in UNAUTHENTICATED_INPUTS.items():
            with server.connect() as connection:
                # QUIT is served without a password: its OK is there unless the end came before.
                connection.send(data + encode("QUIT"))
                seen[what] = without_identity(connection.rest())
    return seen


@compared("HELLO: every form and every error (PROTO-09)")
def hello(side):
    server = side.emptied()
    seen = {}
    for what, commands in HELLO_INPUTS.items():
        answer, end = converse(server, b"".join(encode(*words) for words in commands))
        seen[what] = (without_identity(answer), end)
    return seen


@compared("optional commands of a handshake keep the connection in order (PROTO-10)")
def handshake_extras(side):
    return converse(side.shared(), b"".join(encode(*words) for words in (
        ["CLIENT", "MAINT_NOTIFICATIONS", "ON", "moving-endpoint-type", "none"],
        ["CLIENT", "CAPA", "redirect"], ["CLIENT", "SETNAME", "x"], ["CLIENT", "GETNAME"],
        ["CLIENT", "SETNAME", "a b"], ["CLIENT", "NOSUCH"], ["CLIENT"],
        ["CLIENT", "NO-EVICT", "on"], ["PING"])))


@required("CLIENT SETINFO takes the library's name and version (PROTO-10)")
def client_setinfo(side):
    if not side.is_hotkv:  # Redis 7.0 does not have it; then it must say so and go on.
        with side.shared().connect() as connection:
            got = connection.command("CLIENT", "SETINFO", "LIB-NAME", "x")
            assert got.startswith("ERR unknown subcommand 'SETINFO'"), got
        return
    with side.shared().connect() as connection:
        expect(connection.command("CLIENT", "SETINFO", "LIB-NAME", "lib"), "OK", "LIB-NAME")
        expect(connection.command("CLIENT", "SETINFO", "lib-ver", "1.2"), "OK", "LIB-VER")
        for words in (["FOO", "x"], ["LIB-NAME", "a b"]):
            got = connection.command("CLIENT", "SETINFO", *words)
            assert isinstance(got, Failure) and got.startswith("ERR "), got
        info = connection.command("CLIENT", "INFO").decode()
        assert "lib-name=lib lib-ver=1.2" in info, info


@compared("a line may have 64 KB before its end, and not one byte more")
def line_limit(side):
    server = side.shared()
    seen = {}
    for what, start in (("inline", b""), ("array count", b"*"), ("bulk length", b"*1\r\n$")):
        for size in (LINE_MAX, LINE_MAX + 1):
            with server.connect() as connection:
                # An unknown command of one word, or digits that never end.
                line = start + b"1" * (size - len(start.split(b"\n")[-1]))
                connection.send(line)
                synchronise(server)
                synchronise(server)
                try:
                    connection.send(b"\r\n" + SENTINEL)
                    answer, end = read_to_sentinel(connection)
                except Closed:
                    answer, end = connection.unread(), "closed"
            # Where Redis still reads when it refuses, the reset may overtake its error text.
            seen[what, size] = end, answer[:50] if end == "open" else None
    return seen


@required("the refusal of a line over 64 KB says why, and 1 MB of it does no harm")
def long_lines(side):
    server = side.shared()
    for start, text in ((b"", "too big inline request"), (b"*", "too big mbulk count string"),
                        (b"*1\r\n$", "too big bulk count string")):
        with server.connect() as connection:
            connection.send(start + b"1" * (LINE_MAX + 1))
            expect(connection.rest(), b"-ERR Protocol error: %b\r\n" % text.encode(), text)
    before = server.rss_bytes()
    for _ in range(20):
        with server.connect() as connection:
            try:
                connection.send(b"x" * (1 << 20) + b"\r\n")
            except Closed:
                pass
            answer = connection.rest()
            assert answer in (b"", b"-ERR Protocol error: too big inline request\r\n"), answer
    synchronise(server)
    grown = server.rss_bytes() - before
    assert grown < 16 << 20, f"20 lines of 1 MB left {grown >> 20} MiB behind"


@required("a header allocates nothing: 512 MB announced, memory unchanged (PROTO-01)")
def no_preallocation(side):
    server = side.emptied()
    before = server.rss_bytes()
    waiting = [server.connect() for _ in range(20)]
    for connection in waiting:
        connection.send(b"*1000000000\r\n$3\r\nSET\r\n$%d\r\n" % BULK_MAX)
    synchronise(server)
    synchronise(server)
    grown = server.rss_bytes() - before
    for connection in waiting:
        connection.close()
    assert grown < 32 << 20, f"20 announced bulks of 512 MB cost {grown >> 20} MiB"


@compared("a million arguments are served (PROTO-02)")
def many_arguments(side):
    server = side.emptied()
    with server.connect(timeout_s=60) as connection:
        seen = []
        for pairs in (500_000, 1_000_000) if side.full else (500_000,):
            names = tuple(b"%07d" % i for i in range(pairs))
            connection.send(b"*%d\r\n$4\r\nMSET\r\n" % (2 * pairs + 1) +
                            b"$7\r\n%b\r\n$1\r\nv\r\n" * pairs % names)
            seen.append(connection.reply())
            connection.send(b"*%d\r\n$3\r\nDEL\r\n" % (pairs + 1) + b"$7\r\n%b\r\n" * pairs % names)
            seen.append(connection.reply())
    expect(seen[:2], ["OK", 500_000], "MSET and DEL")
    return seen


def _mixed_pipeline(size_min):
    """Commands of all forms, and their answers, at least `size_min` bytes of them."""
    commands, answers, number, size = [], [], 0, 0
    while size < size_min:
        number += 1
        value = b"v%d" % number + b"\r\n$3\r\n" * (number % 5)
        commands += [encode("SET", b"k\r\n%d" % (number % 9), value),
                     encode("GET", b"k\r\n%d" % (number % 9)), b"PING\r\n",
                     b"*0\r\n", b"ECHO 'in line %d'\r\n" % number]
        inline = b"in line %d" % number
        answers += [b"+OK\r\n", b"$%d\r\n%b\r\n" % (len(value), value), b"+PONG\r\n",
                    b"$%d\r\n%b\r\n" % (len(inline), inline)]
        size += sum(map(len, commands[-5:]))
    return b"".join(commands), b"".join(answers)


@required("a pipeline cut anywhere: byte by byte, at every CRLF, around 64 KB (PROTO-03)")
def sliced(side):
    server = side.emptied()
    data, answers = _mixed_pipeline(3000)
    with server.connect() as connection:
        for at in range(len(data)):
            connection.send(data[at:at + 1])
        expect(connection.exactly(len(answers)), answers, "byte by byte")
    data, answers = _mixed_pipeline(200_000)
    cut = data.index(b"\r\n", 100_000 + data[100_000:].index(b"$"))
    slices = {"one write": [0, len(data)], "inside a bulk header": [0, cut, cut + 1, len(data)]}
    for size in (LINE_MAX - 1, LINE_MAX, LINE_MAX + 1, 16 * 1024, 1000):
        slices[f"pieces of {size}"] = [*range(0, len(data), size), len(data)]
    for what, ends in slices.items():
        with server.connect() as connection:
            for begin, end in zip(ends, ends[1:]):
                connection.send(data[begin:end])
                if len(ends) < 20:
                    synchronise(server)
            expect(connection.exactly(len(answers)), answers, what)


@compared("HTTP on the data port: closed before the body is read as commands (PROTO-06)")
def http(side):
    with side.start() as server:
        seen = {}
        for what, data in (("POST", b"POST / HTTP/1.1\r\nHost: x\r\n\r\nSET pwned 1\r\n"),
                           ("GET", b"GET / HTTP/1.1\r\nHost: x\r\n\r\nSET pwned 1\r\n"),
                           ("host: in lower case", b"host: x\r\nSET pwned 1\r\n")):
            # What stood before the line that gives it away may be answered or not.
            seen[what] = converse(server, data)[1]
        with server.connect() as connection:
            seen["pwned"] = connection.command("EXISTS", "pwned")
        expect(seen["pwned"], 0, "EXISTS pwned")
        # Redis 7.0 does not say who it was.
        sign = "127.0.0.1:" if side.is_hotkv else "SECURITY ATTACK"
        assert server.wait_for_log(sign), f"no log line with '{sign}':\n{server.log()[-500:]}"
    return seen


@compared("a half-closed connection still gets its answers")
def half_close(side):
    with side.shared().connect() as connection:
        connection.send(b"".join(encode("ECHO", f"number {i}") for i in range(1000)))
        connection.finish_writing()
        answer = connection.rest()
    expect(answer.count(b"\r\nnumber "), 1000, "answers")
    return answer
