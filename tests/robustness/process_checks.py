"""The program around the server: arguments, config file, addresses, log, and how it stops."""

import os
import pathlib
import re
import signal
import stat

from checks import compared, expect, required
from resp_wire import Closed, Connection, encode
from server_process import free_port, run_until_exit


def _options(connection, *names):
    """CONFIG GET of several options as a map of text."""
    flat = connection.command("CONFIG", "GET", *names)
    return {flat[i].decode(): flat[i + 1].decode() for i in range(0, len(flat), 2)}


@compared("SIGTERM and SIGINT: an orderly stop with status 0, clients see the end")
def signals(side):
    seen = []
    for number in (signal.SIGTERM, signal.SIGINT):
        with side.start() as server:
            idle, half = server.connect(), server.connect()
            idle.command("SET", "a", "b")
            half.send(b"*2\r\n$4\r\nECHO\r\n$1000\r\nhalf")
            server.process.send_signal(number)
            seen.append((idle.rest(), half.rest(), server.process.wait(20)))
    expect(seen, [(b"", b"", 0)] * 2, "replies and exit status")
    return seen


@compared("SHUTDOWN stops it with status 0; the connection ends without an error")
def shutdown(side):
    seen = []
    for words in (["SHUTDOWN"], ["SHUTDOWN", "NOSAVE"], ["SHUTDOWN", "NOSAVE", "NOW", "FORCE"]):
        with side.start() as server, server.connect() as connection:
            # Redis drops what it had not sent yet; answering it is better and allowed.
            answer = converse_to_end(connection, encode("PING") + encode(*words))
            seen.append((answer in (b"", b"+PONG\r\n"), server.process.wait(20)))
    with side.start() as server, server.connect() as connection:
        seen += [connection.command("SHUTDOWN", "NOSUCH"), connection.command("SHUTDOWN", "ABORT"),
                 connection.command("PING")]
    return seen


def converse_to_end(connection, data):
    connection.send(data)
    return connection.rest()


@required("the log says PID, Server initialized, Ready to accept connections, with times")
def start_log(side):
    with side.start() as server:
        log = server.log()
    for text in ("Server initialized", "Ready to accept connections"):
        assert text in log, f"no '{text}' in:\n{log}"
    if side.is_hotkv:
        assert f"PID: {server.pid}" in log, f"no 'PID: {server.pid}' in:\n{log}"
        assert re.search(r"\d\d:\d\d:\d\d\.\d\d\d", log), f"no time in:\n{log}"


@required("a busy port: one clear line, and a status that is not 0")
def busy_port(side):
    with side.start() as server:
        status, printed = run_until_exit(side.binary, "--port", server.port, "--save", "",
                                         "--appendonly", "no", "--dir", server.directory)
        with server.connect() as connection:
            expect(connection.command("PING"), "PONG", "PING of the first server")
    assert "Failed listening on port" in printed and str(server.port) in printed, printed[-500:]
    expect(status, 1, "exit status")


BAD_STARTS = {
    "an unknown option": (["--nosuch-option", "1"], "nosuch-option"),
    "a value that is no number": (["--maxclients", "many"], "maxclients"),
    "a value out of range": (["--port", "99999"], "port"),
    "a yes or no that is neither": (["--protected-mode", "maybe"], "protected-mode"),
    "an option without a value": (["--maxclients"], "maxclients"),
    "a folder that is not there": (["--dir", "/no/such/folder"], "/no/such/folder"),
    "a config file that is not there": (["/no/such/file.conf"], "/no/such/file.conf"),
}


@required("a wrong argument stops the start, with status 1 and the name of what is wrong")
def wrong_arguments(side):
    for what, (arguments, named) in BAD_STARTS.items():
        port = [] if "--port" in arguments else ["--port", free_port()]
        status, printed = run_until_exit(side.binary, *arguments, *port)
        expect(status, 1, f"exit status for {what}")
        # Redis 7.0 names the option that follows when the last one has no value.
        if side.is_hotkv or what != "an option without a value":
            assert named in printed, f"{what}: '{named}' is not named in:\n{printed[-500:]}"


ARGUMENTS = ["--maxclients", "77", "--client-output-buffer-limit", "normal", "2mb", "1mb", "5",
             "--client-output-buffer-limit", "pubsub 4mb 3mb 6", "--proto-max-bulk-len", "2mb",
             "--timeout", "30", "--maxclients", "78"]
NAMES = ["maxclients", "client-output-buffer-limit", "proto-max-bulk-len", "timeout", "databases",
         "requirepass", "client-query-buffer-limit"]


@compared("--name takes words up to the next --, the last one wins")
def arguments(side):
    with side.start(*ARGUMENTS) as server, server.connect() as connection:
        return _options(connection, *NAMES)


CONFIG_LINES = [
    "# Our cache. Do not raise maxclients without asking Ana.", "", "maxclients 500",
    "   # An indented comment", "timeout 0", 'requirepass "a b\\"c"',
    "client-output-buffer-limit normal 1mb 0 0", "PROTO-MAX-BULK-LEN 3mb", "databases 4",
    "# The end.",
]


@compared("a config file: comments, quotes, units, names in any case; arguments win over it")
def config_file(side):
    with side.start("--timeout", "9", config_lines=CONFIG_LINES) as server:
        with server.connect() as connection:
            seen = [connection.command("AUTH", 'a b"c')]
            options = _options(connection, *NAMES)
            limits = options.pop("client-output-buffer-limit")
            options["normal limit"] = re.match(r"normal \d+ \d+ \d+", limits).group()
            seen += [options, connection.command("SELECT", 3), connection.command("SELECT", 4)]
    return seen


@required("a wrong line in a config file is named by its number")
def wrong_config_line(side):
    with side.start() as scratch:
        path = pathlib.Path(scratch.directory) / "wrong.conf"
        path.write_text("# fine\nmaxclients 10\nmaxclients several\n")
        status, printed = run_until_exit(side.binary, path, "--port", free_port())
    expect(status, 1, "exit status")
    assert "3" in printed and "maxclients" in printed, printed[-500:]


@required("CONFIG REWRITE keeps comments and order, and the file starts the same server again")
def config_rewrite(side):
    with side.start(config_lines=CONFIG_LINES) as server:
        with server.connect() as connection:
            expect(connection.command("AUTH", 'a b"c'), "OK", "AUTH")
            for name, value in (("maxclients", 600), ("timeout", 20)):
                expect(connection.command("CONFIG", "SET", name, value), "OK", f"CONFIG SET {name}")
            for _ in range(2):
                expect(connection.command("CONFIG", "REWRITE"), "OK", "CONFIG REWRITE")
        text = server.config_file.read_text()
        lines = text.splitlines()
        wanted = [line.strip() for line in CONFIG_LINES if line.strip().startswith("#")]
        expect([line.strip() for line in lines if line.strip() in wanted], wanted, "comments")
        kept = [line.lower().split(" ")[0] for line in lines]
        for name in ("maxclients", "timeout", "requirepass", "databases"):
            expect(kept.count(name), 1, f"lines of {name} in\n{text}")
        assert lines.index("maxclients 600") < lines.index("timeout 20"), text
        assert lines.index("maxclients 600") == CONFIG_LINES.index("maxclients 500"), text
        with side.start(config_lines=lines) as again, again.connect() as connection:
            expect(connection.command("AUTH", 'a b"c'), "OK", "AUTH after the rewrite")
            options = _options(connection, "maxclients", "timeout", "proto-max-bulk-len",
                               "databases")
    expect(options, {"maxclients": "600", "timeout": "20", "proto-max-bulk-len": str(3 << 20),
                     "databases": "4"}, "options after the rewrite")


@compared("CONFIG REWRITE without a file, CONFIG SET of what cannot be set")
def config_errors(side):
    with side.shared().connect() as connection:
        return [connection.command("CONFIG", *words) for words in (
            ["REWRITE"], ["SET", "nosuch", "1"], ["SET", "maxclients", "x"],
            ["SET", "databases", "3"], ["SET", "timeout"], ["SET", "timeout", "1", "timeout", "2"],
            ["GET"], ["GET", "nosuch"],
            ["SET", "timeout", "-1"], ["NOSUCH"], ["RESETSTAT"], ["SET", "timeout", "0"])]


@compared("a unix socket: its mode, commands, CLIENT INFO, and gone after the stop")
def unix_socket(side):
    with side.start("--unixsocket", "{dir}/s.sock", "--unixsocketperm", "700") as server:
        path = str(server.directory / "s.sock")
        mode = oct(stat.S_IMODE(os.stat(path).st_mode))
        with Connection(path) as connection:
            connection.send(encode("SET", "a", "b") + encode("GET", "a") + encode("GET", "none"))
            seen = [mode, connection.reply(), connection.reply(), connection.reply()]
            info = connection.command("CLIENT", "INFO").decode()
            seen.append(re.search(r" addr=(\S+)", info).group(1).replace(path, "PATH"))
        with server.connect() as connection:
            seen.append(connection.command("GET", "a"))
        server.process.send_signal(signal.SIGTERM)
        seen += [server.process.wait(20), os.path.exists(path)]
    return seen


def outside_address():
    """An IPv4 address of this machine that is not loopback, from the kernel's routing table."""
    last = None
    for line in pathlib.Path("/proc/net/fib_trie").read_text().splitlines():
        found = re.search(r"\|-- (\d+\.\d+\.\d+\.\d+)", line)
        if found:
            last = found.group(1)
        elif "/32 host LOCAL" in line and last and not last.startswith("127."):
            return last
    raise AssertionError("no address but loopback here: protected mode cannot be tested")


def _from_outside(server):
    """The first word that a client gets which does not come over loopback."""
    try:
        with Connection((outside_address(), server.port)) as connection:
            connection.send(b"PING\r\nQUIT\r\n")
            return connection.rest().split(b" ")[0].strip()
    except ConnectionRefusedError:
        return "refused"
    except Closed:
        return "closed"


@compared("protected mode: loopback is served, others are denied until a password is set")
def protected_mode(side):
    seen = []
    for options in ([], ["--protected-mode", "no"], ["--requirepass", "x"]):
        with side.start("--bind", "0.0.0.0", *options) as server, server.connect() as connection:
            inside = connection.command("PING")
            seen.append((inside, _from_outside(server)))
            if not options:
                seen += [connection.command("CONFIG", "SET", "protected-mode", "no"),
                         _from_outside(server)]
    return seen


@required("without --bind only loopback is listened on; --bind names several addresses")
def default_bind(side):
    with side.start() as server:
        # Redis listens on all addresses by default and relies on protected mode.
        expect(_from_outside(server), "refused" if side.is_hotkv else b"-DENIED", "from outside")
    with side.start("--bind", "127.0.0.1", outside_address(), "--protected-mode", "no") as server:
        expect(_from_outside(server).split(b"\r\n")[0], b"+PONG", "from outside with --bind")
        with server.connect() as connection:
            expect(connection.command("PING"), "PONG", "from inside with --bind")


@compared("many commands at once through many connections at start: nobody is turned away")
def burst(side):
    with side.start() as server:
        connections = [server.connect() for _ in range(300)]
        for number, connection in enumerate(connections):
            connection.send(encode("APPEND", "k", "x") * 10 + encode("ECHO", number))
        last = [[connection.reply() for _ in range(11)][-1] for connection in connections]
        expect(last, [b"%d" % number for number in range(300)], "ECHO")
        return connections[0].command("STRLEN", "k")
