#!/usr/bin/env python3
"""Checks of hotkv-server as a process: start, stop, sockets, HTTP, log, recording.

  server_checks.py SERVER SIM     the two programs' paths

Prints a line per check and ends with a tally. Every server has a free port and a folder of its own.
"""

import http.client
import os
import pathlib
import re
import resource
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import traceback

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "interop"))
from server_process import Server, free_port, poll_until, run_until_exit  # noqa: E402

SERVER, SIM = (os.path.abspath(path) for path in sys.argv[1:3])
CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def equal(got, wanted):
    if got != wanted:
        raise AssertionError(f"got {got!r}, wanted {wanted!r}")


def holds(condition, what):
    if not condition:
        raise AssertionError(what)


class Client:
    """A plain socket that speaks inline commands."""

    def __init__(self, address):
        family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
        self.socket = socket.socket(family)
        self.socket.settimeout(30)
        self.socket.connect(address)
        self.file = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.file.close()
        self.socket.close()

    def ask(self, line):
        """The first line of the reply, and the body of a bulk reply."""
        self.socket.sendall(line.encode() + b"\r\n")
        return self.reply()

    def reply(self):
        first = self.file.readline().rstrip(b"\r\n")
        if first[:1] == b"$" and first != b"$-1":
            size = int(first[1:])
            return self.file.read(size + 2)[:size].decode()
        return first.decode()


def ask(address, line):
    with Client(address) as client:
        return client.ask(line)


# ---- start and stop ----


@check
def says_what_the_harness_waits_for():
    with Server(SERVER) as server:
        log = server.log()
        holds(f"PID: {server.pid}" in log, log)
        holds("Server initialized" in log and "Ready to accept connections tcp" in log, log)
        for line in log.splitlines():
            holds(re.match(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z (notice|warning) ", line), line)


@check
def sigterm_and_sigint_stop_in_order():
    for number in (signal.SIGTERM, signal.SIGINT):
        server = Server(SERVER)
        equal(ask(server.address, "PING"), "+PONG")
        os.kill(server.pid, number)
        equal(server.process.wait(30), 0)
        server.stop()


@check
def a_second_sigint_ends_at_once():
    with Server(SERVER, "--enable-debug-command", "yes") as server:
        with Client(server.address) as client:
            client.socket.sendall(b"DEBUG SLEEP 600\r\n")
            stalled = pathlib.Path(f"/proc/{server.pid}/syscall")
            # 35 nanosleep, 230 clock_nanosleep on x86-64; elsewhere the state must do.
            status = pathlib.Path(f"/proc/{server.pid}/wchan")
            holds(poll_until(lambda: "nanosleep" in status.read_text()
                             or stalled.read_text().split()[0] in ("35", "230"), 20), "no stall")
            os.kill(server.pid, signal.SIGINT)
            caught = pathlib.Path(f"/proc/{server.pid}/status")
            holds(poll_until(lambda: re.search(r"^ShdPnd:\t0+$", caught.read_text(), re.M), 20),
                  "the first signal was not taken")
            os.kill(server.pid, signal.SIGINT)
            equal(server.process.wait(20), 1)


@check
def shutdown_command_exits_0_and_answers_nothing():
    server = Server(SERVER)
    equal(ask(server.address, "SHUTDOWN NOSAVE"), "")
    equal(server.process.wait(30), 0)
    server.stop()


@check
def a_busy_port_is_one_clear_line():
    with Server(SERVER) as server:
        code, text = run_until_exit(SERVER, "--port", server.port)
        equal(code, 1)
        holds(f"Failed listening on port {server.port} (127.0.0.1): Address already in use" in text,
              text)


@check
def refusals_to_start_name_the_option():
    for words, wanted in ((["--no-such-option", "1"], "no-such-option"),
                          (["--port", "99999"], "port"),
                          (["--dir", "/no/such/folder"], "/no/such/folder"),
                          (["--logfile", "/no/such/folder/log"], "/no/such/folder/log"),
                          (["/no/such.conf"], "/no/such.conf"),
                          (["--record", "/no/such/rec"], "/no/such/rec"),
                          (["--bind", "192.0.2.1"], "192.0.2.1"),
                          (["--http-port", "1", "--http-bind", "nowhere"], "http-bind")):
        code, text = run_until_exit(SERVER, *words)
        equal((words, code), (words, 1))
        holds(wanted in text, f"{words}: {text}")


@check
def help_and_version():
    code, text = run_until_exit(SERVER, "--help")
    holds(code == 0 and "--http-port" in text, text)
    code, text = run_until_exit(SERVER, "--version")
    holds(code == 0 and text.startswith("hotkv-server "), text)


@check
def options_hold_over_the_config_file():
    with Server(SERVER, "--hz", "33", config_lines=["hz 50", "timeout 77", "requirepass 'a b'"]) as s:
        with Client(s.address) as client:
            equal(client.ask("AUTH 'a b'"), "+OK")
            client.ask("CONFIG GET hz")
            client.reply()
            equal(client.reply(), "33")
            client.ask("CONFIG GET timeout")
            client.reply()
            equal(client.reply(), "77")


@check
def config_from_standard_input():
    port = free_port()
    with tempfile.TemporaryDirectory() as folder:
        process = subprocess.Popen([SERVER, "-", "--dir", folder], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE)
        process.stdin.write(f"port {port}\n".encode())
        process.stdin.close()
        for line in process.stdout:
            if b"Ready to accept" in line:
                break
        equal(ask(("127.0.0.1", port), "PING"), "+PONG")
        process.terminate()
        equal(process.wait(30), 0)
        process.stdout.close()


@check
def background_with_pidfile_and_logfile():
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        subprocess.run([SERVER, "--port", str(port), "--dir", folder, "--daemonize", "yes",
                        "--pidfile", "server.pid", "--logfile", "server.log"], check=True, timeout=30)
        log = pathlib.Path(folder, "server.log")
        pid_file = pathlib.Path(folder, "server.pid")
        holds(poll_until(lambda: log.exists() and "Ready to accept" in log.read_text(), 30), "no log")
        pid = int(pid_file.read_text())
        equal(ask(("127.0.0.1", port), "PING"), "+PONG")
        with Client(("127.0.0.1", port)) as client:
            holds(f"process_id:{pid}\r" in client.ask("INFO server"), "another process id")
        log.rename(log.with_suffix(".old"))
        os.kill(pid, signal.SIGHUP)
        holds(poll_until(log.exists, 30), "SIGHUP does not reopen the log")
        os.kill(pid, signal.SIGTERM)
        holds(poll_until(lambda: not pid_file.exists(), 30), "the pidfile stays")


@check
def an_unusable_folder_refuses_locks_only():
    folder = tempfile.mkdtemp()
    os.mkdir(os.path.join(folder, "hotkv.epoch"))
    with Server(SERVER, "--dir", folder) as server:
        holds(server.wait_for_log(r"warning .*hotkv\.epoch.*Is a directory"), server.log())
        equal(ask(server.address, "PING"), "+PONG")
        equal(ask(server.address, "SET k v"), "+OK")
        holds(ask(server.address, "LOCK l t PX 1000").startswith("-"), "LOCK without an epoch")
    os.rmdir(os.path.join(folder, "hotkv.epoch"))
    os.rmdir(folder)


@check
def the_epoch_grows_with_every_start():
    with tempfile.TemporaryDirectory() as folder:
        numbers = []
        for _ in range(3):
            with Server(SERVER, "--dir", folder) as server:
                numbers.append(int(ask(server.address, "LOCK l t PX 100000")[1:]))
        equal([number >> 36 for number in numbers], [1, 2, 3])


# ---- sockets ----


@check
def unix_socket():
    with Server(SERVER, "--unixsocket", "{dir}/s.sock", "--unixsocketperm", "700") as server:
        path = str(server.directory / "s.sock")
        equal(stat.S_IMODE(os.stat(path).st_mode), 0o700)
        with Client(path) as client:
            equal(client.ask("PING"), "+PONG")
            holds(f"addr={path}:0 laddr={path}:0" in client.ask("CLIENT LIST"), "CLIENT LIST")
        code, text = run_until_exit(SERVER, "--port", "0", "--unixsocket", path)
        holds(code == 1 and f"Failed listening on unix socket {path}: another server" in text, text)
        server.process.kill()
        server.process.wait()
        holds(os.path.exists(path), "SIGKILL leaves the socket's file")
        with Server(SERVER, "--unixsocket", path):
            equal(ask(path, "PING"), "+PONG")
        holds(not os.path.exists(path), "an orderly stop removes it")
        pathlib.Path(path).write_text("precious")
        code, text = run_until_exit(SERVER, "--port", "0", "--unixsocket", path)
        holds(code == 1 and "another kind of file" in text, text)
        equal(pathlib.Path(path).read_text(), "precious")


@check
def without_tcp():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "s")
        process = subprocess.Popen([SERVER, "--port", "0", "--unixsocket", path, "--dir", folder],
                                   stdout=subprocess.PIPE)
        for line in process.stdout:
            holds(b"connections tcp" not in line, "TCP with port 0")
            if b"Ready to accept connections unix" in line:
                break
        equal(ask(path, "PING"), "+PONG")
        process.terminate()
        equal(process.wait(30), 0)
        process.stdout.close()


@check
def optional_addresses_may_be_absent():
    with Server(SERVER, "--bind", "127.0.0.1", "-192.0.2.1", "-2001:db8::1") as server:
        equal(ask(server.address, "PING"), "+PONG")


@check
def config_set_moves_the_port():
    with Server(SERVER) as server, Client(server.address) as client:
        other = free_port()
        equal(client.ask(f"CONFIG SET port {other}"), "+OK")
        equal(ask(("127.0.0.1", other), "PING"), "+PONG")
        try:
            socket.create_connection(server.address).close()
            raise AssertionError("the old port still answers")
        except ConnectionRefusedError:
            pass
        equal(client.ask("PING"), "+PONG")
        equal(client.ask("CONFIG SET bind '127.0.0.1 -::1'"), "+OK")
        equal(client.ask("CONFIG SET bind *"), "+OK")
        equal(ask(("127.0.0.1", other), "PING"), "+PONG")


@check
def config_set_to_a_busy_port_keeps_the_old_one():
    with Server(SERVER) as server, socket.socket() as busy:
        busy.bind(("127.0.0.1", 0))
        busy.listen()
        ask(server.address, f"CONFIG SET port {busy.getsockname()[1]}")
        holds(server.wait_for_log("warning Failed listening.*Address already in use"), server.log())
        equal(ask(server.address, "PING"), "+PONG")


@check
def loglevel_can_be_changed():
    with Server(SERVER, "--loglevel", "warning", wait_ready=False) as server:
        holds(poll_until(lambda: socket.socket().connect_ex(server.address) == 0, 30), "not up")
        equal(server.log(), "")
        equal(ask(server.address, "CONFIG SET loglevel notice"), "+OK")
        os.kill(server.pid, signal.SIGTERM)
        holds(server.wait_for_log("notice .*exit"), server.log())


@check
def a_pipeline_is_answered_after_its_sender_has_ended():
    with Server(SERVER) as server, Client(server.address) as client:
        client.socket.sendall(b"PING\r\n" * 10000)
        client.socket.shutdown(socket.SHUT_WR)
        equal(client.file.read(), b"+PONG\r\n" * 10000)


@check
def large_values_go_both_ways():
    size = 64 * 1024 * 1024
    with Server(SERVER) as server, Client(server.address) as client:
        value = os.urandom(1024) * (size // 1024)
        client.socket.sendall(b"*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$%d\r\n" % size + value + b"\r\n")
        equal(client.reply(), "+OK")
        client.socket.sendall(b"GET k\r\n")
        equal(client.file.readline(), b"$%d\r\n" % size)
        holds(client.file.read(size) == value, "the value came back changed")


@check
def too_many_clients_are_told():
    with Server(SERVER, "--maxclients", "3") as server:
        clients = [Client(server.address) for _ in range(3)]
        for client in clients:
            equal(client.ask("PING"), "+PONG")
        with Client(server.address) as refused:
            equal(refused.reply(), "-ERR max number of clients reached")
            equal(refused.file.read(), b"")
        clients.pop().socket.close()
        for client in clients:
            client.__exit__()
        holds(poll_until(lambda: ask(server.address, "PING") == "+PONG", 30), "no room again")


@check
def out_of_descriptors_is_survived_without_spinning():
    with Server(SERVER) as server:
        resource.prlimit(server.pid, resource.RLIMIT_NOFILE, (20, 20))
        waiting = [Client(server.address) for _ in range(20)]
        equal(waiting[0].ask("PING"), "+PONG")
        holds(server.wait_for_log("warning Can't accept a client: Too many open files"), server.log())
        for client in waiting[:8]:
            client.__exit__()
        equal(waiting[-1].ask("PING"), "+PONG")
        holds(server.log().count("Can't accept") < 100, "it spins")
        for client in waiting[8:]:
            client.__exit__()


# ---- recording ----


@check
def a_recording_replays_to_the_same_data():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.rec")
        with Server(SERVER, "--record", path, "--enable-debug-command", "yes") as server:
            equal(stat.S_IMODE(os.stat(path).st_mode), 0o600)
            with Client(server.address) as client:
                lines = [f"SET key:{i} {i * i} EX {1000 + i}\r\nINCR n\r\n" for i in range(3000)]
                client.socket.sendall("".join(lines).encode())
                for _ in range(6000):
                    client.reply()
                client.ask("LOCK l t PX 1000000")
                digest = int(client.ask("DEBUG DIGEST")[1:])
        done = subprocess.run([SIM, "--replay", path], capture_output=True, timeout=60, check=False)
        equal(done.returncode, 0)
        holds(f"data digest {digest:016x}" in done.stdout.decode(), done.stdout.decode())


# ---- HTTP ----


class Site:
    """A server with a page; get() asks it."""

    def __init__(self, *arguments):
        self.folder = tempfile.TemporaryDirectory()
        root = pathlib.Path(self.folder.name, "site")
        (root / "docs").mkdir(parents=True)
        (root / "index.html").write_text("<h1>home</h1>")
        (root / "embed.html").write_text("embed")
        (root / "404.html").write_text("lost")
        (root / "docs/index.html").write_text("docs")
        (root / "core.wasm").write_bytes(b"\0asm" * 50000)
        (root / "core.wasm.br").write_bytes(b"compressed")
        (root / "app.3f9a1c2e.js").write_text("1")
        self.port = free_port()
        self.server = Server(SERVER, "--http-port", self.port, "--http-root", root, *arguments)

    def __enter__(self):
        return self

    def __exit__(self, *unused):
        self.server.stop()
        self.folder.cleanup()

    def get(self, path, method="GET", body=None, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection.request(method, path, body=body, headers=named)
        response = connection.getresponse()
        response.text = response.read()
        connection.close()
        return response

    def raw(self, request):
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as plain:
            plain.sendall(request)
            answer = b""
            while part := plain.recv(65536):
                answer += part
        return answer


@check
def http_serves_the_site():
    with Site() as site:
        home = site.get("/")
        equal((home.status, home.text), (200, b"<h1>home</h1>"))
        equal(home.headers["Content-Type"], "text/html; charset=utf-8")
        equal(home.headers["Cache-Control"], "no-cache")
        equal(site.get("/docs").headers["Location"], "/docs/")
        equal(site.get("/docs/").text, b"docs")
        wasm = site.get("/core.wasm")
        equal((wasm.headers["Content-Type"], len(wasm.text)), ("application/wasm", 200000))
        small = site.get("/core.wasm", Accept_Encoding="gzip, br")
        equal((small.headers["Content-Encoding"], small.text), ("br", b"compressed"))
        equal(small.headers["Vary"], "Accept-Encoding")
        holds("immutable" in site.get("/app.3f9a1c2e.js").headers["Cache-Control"], "not immutable")
        lost = site.get("/nowhere")
        equal((lost.status, lost.text), (404, b"lost"))


@check
def http_head_and_conditions():
    with Site() as site:
        head = site.get("/core.wasm", method="HEAD")
        equal((head.status, head.headers["Content-Length"], head.text), (200, "200000", b""))
        tag = head.headers["ETag"]
        for headers in ({"If_None_Match": tag}, {"If_None_Match": f'"x", W/{tag}'},
                        {"If_Modified_Since": head.headers["Last-Modified"]}):
            again = site.get("/core.wasm", **headers)
            equal((headers, again.status, again.text), (headers, 304, b""))
        equal(site.get("/core.wasm", If_None_Match='"other"').status, 200)
        equal(site.get("/core.wasm", If_None_Match=tag, Accept_Encoding="br").status, 200)


@check
def http_security_headers():
    with Site() as site:
        for path in ("/", "/embed.html", "/embed", "/nowhere", "/healthz", "/metrics"):
            headers = site.get(path).headers
            policy = headers["Content-Security-Policy"]
            holds("default-src 'self'" in policy and "'wasm-unsafe-eval'" in policy, policy)
            holds("unsafe-inline" not in policy, policy)
            framed = "frame-ancestors *" if path.startswith("/embed") else "frame-ancestors 'none'"
            holds(framed in policy, f"{path}: {policy}")
            equal(headers["X-Content-Type-Options"], "nosniff")
            equal(headers["Referrer-Policy"], "no-referrer")
            holds("camera=()" in headers["Permissions-Policy"], "Permissions-Policy")


@check
def http_refuses_what_it_must():
    with Site() as site:
        post = site.get("/", method="POST", body=b"x" * 100)
        equal((post.status, post.headers["Allow"]), (405, "GET, HEAD"))
        equal(post.headers["Connection"], "close")
        for path in ("/../hotkv.epoch", "/%2e%2e/hotkv.epoch", "/..%2fhotkv.epoch", "//etc/passwd"):
            equal((path, site.get(path).status), (path, 404))
        equal(site.get("/", Host="evil.example").status, 421)
        equal(site.get("/", Host=f"localhost:{site.port}").status, 200)
        equal(site.get("/", Host="[::1]:80").status, 200)
        holds(site.raw(b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n").startswith(b"HTTP/1.1 400 "), "no Host")
        holds(site.raw(b"nonsense\r\n\r\n").startswith(b"HTTP/1.1 400 "), "nonsense")
        long = b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"a" * 20000 + b"\r\n\r\n"
        holds(site.raw(long).startswith(b"HTTP/1.1 431 "), "long header")
    with Site("--http-allowed-hosts", "page.example") as site:
        equal(site.get("/", Host="PAGE.example:8080").status, 200)
        equal(site.get("/", Host="evil.example").status, 421)


@check
def http_keeps_connections():
    with Site() as site:
        connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=30)
        for _ in range(50):
            connection.request("GET", "/core.wasm")
            equal(len(connection.getresponse().read()), 200000)
        connection.close()
        answers = site.raw(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20 +
                           b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        equal(answers.count(b"HTTP/1.1 200 OK"), 21)


@check
def http_health_and_metrics():
    with Site() as site:
        holds(poll_until(lambda: site.get("/healthz").status == 200, 30), "never healthy")
        equal(site.get("/healthz").text, b"ok\n")
        metrics = site.get("/metrics")
        equal(metrics.headers["Content-Type"], "text/plain; version=0.0.4; charset=utf-8")
        names = set()
        for line in metrics.text.decode().splitlines():
            if not line.startswith("#"):
                holds(re.match(r'[a-z_]+(\{[^}]*\})? -?[0-9.e+]+$', line), line)
                names.add(re.match(r"[a-z_]+", line).group())
        holds("hotkv_uptime_seconds" in names, sorted(names))


@check
def http_without_a_page_still_has_health():
    with Server(SERVER, "--http-port", free_port(), "--http-root", "/no/such/site") as server:
        holds("http-root /no/such/site is no folder" in server.log(), server.log())
    with Site() as site:
        code, text = run_until_exit(SERVER, "--port", free_port(), "--http-port", site.port)
        holds(code == 1 and f"Failed listening on http-port {site.port} (127.0.0.1): Address" in text,
              text)


def main():
    failed = 0
    for function in CHECKS:
        try:
            function()
            print(f"ok      {function.__name__}", flush=True)
        except Exception:  # pylint: disable=broad-except
            failed += 1
            print(f"FAILED  {function.__name__}\n{traceback.format_exc()}", flush=True)
    print(f"tally: {len(CHECKS) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
