#!/usr/bin/env python3
"""Checks of hotkv-server as a process: start, stop, sockets, HTTP, log, recording.

  server_checks.py SERVER SIM     the two programs' paths

Prints a line per check and ends with a tally. Every server has a free port and a folder of its own.
"""

import contextlib
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

from check_list import SERVER, SIM, Client, ask, check, equal, holds, run_all
from server_process import Server, free_port, poll_until, run_until_exit
import http_checks  # noqa: F401  pylint: disable=unused-import  # Adds its checks to the list.


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


@contextlib.contextmanager
def an_abort_is_no_finding():
    """Servers started inside may abort on purpose: sanitizers then leave SIGABRT as it is."""
    known = ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS", "LSAN_OPTIONS")
    names = [name for name in known if name in os.environ]
    before = {name: os.environ[name] for name in names}
    for name in names:
        os.environ[name] += ":handle_abort=0"
    try:
        yield
    finally:
        os.environ.update(before)


@check
def a_fault_of_its_own_logs_the_last_events():
    with an_abort_is_no_finding():
        server = Server(SERVER, "--enable-debug-command", "yes")
    ask(server.address, "DEBUG PANIC")
    equal(server.process.wait(60), -signal.SIGABRT)
    holds(server.wait_for_log("warning HotKV stops by a fault of its own: .*DEBUG PANIC"),
          server.log())
    holds('"client-connected"' in server.log(), server.log())
    server.stop()


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
    lines = ["hz 50", "timeout 77", "requirepass 'a b'"]
    with Server(SERVER, "--hz", "33", config_lines=lines) as server:
        with Client(server.address) as client:
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
        words = ["--port", str(port), "--dir", folder, "--daemonize", "yes", "--pidfile",
                 "server.pid", "--logfile", "server.log"]
        subprocess.run([SERVER, *words], check=True, timeout=30)
        log = pathlib.Path(folder, "server.log")
        pid_file = pathlib.Path(folder, "server.pid")
        holds(poll_until(lambda: log.exists() and "Ready to" in log.read_text(), 30), "no log")
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
        port = busy.getsockname()[1]
        with Client(server.address) as client:
            # What follows in the pipeline waits for the answer.
            client.socket.sendall(f"CONFIG SET hz 50 port {port}\r\nPING\r\n".encode())
            equal(client.reply(), "-ERR CONFIG SET failed (possibly related to argument 'port') - "
                  f"Failed listening on port {port} (127.0.0.1): Address already in use")
            equal(client.reply(), "+PONG")
            equal(client.options("port", "hz"), [str(server.port), "10"])
        holds(server.wait_for_log("warning Failed listening.*Address already in use"), server.log())
        equal(ask(server.address, "PING"), "+PONG")


@check
def config_set_to_addresses_that_are_not_here_keeps_the_old_ones():
    with Server(SERVER, "--bind", "127.0.0.1") as server, Client(server.address) as client:
        for bind, reason in (("192.0.2.1", "(192.0.2.1): Cannot assign requested address"),
                             ("'127.0.0.1 192.0.2.1'", "Cannot assign requested address"),
                             ("no.such.name.invalid", "bind address 'no.such.name.invalid'"),
                             ("-192.0.2.1", "no address of bind")):
            answer = client.ask(f"CONFIG SET bind {bind}")
            holds(answer.startswith("-ERR CONFIG SET failed (possibly related to argument 'bind')")
                  and reason in answer, answer)
            equal(client.options("bind", "port"), ["127.0.0.1", str(server.port)])
            equal(ask(server.address, "PING"), "+PONG")
        equal(client.ask("CONFIG SET bind 127.0.0.1"), "+OK")  # Nothing changes.
        for line, wanted in (("MULTI", "+OK"), ("CONFIG SET port 7000", "+QUEUED"), ("EXEC", "*1")):
            equal(client.ask(line), wanted)
        holds("not available inside MULTI" in client.reply(), "port inside MULTI")
        client.socket.sendall(b"CONFIG SET bind 192.0.2.1\r\n")  # Gone before the answer.
    with Server(SERVER, "--bind", "127.0.0.1") as server:
        equal(ask(server.address, "CONFIG SET port 0"), "+OK")
        holds(socket.socket().connect_ex(server.address) != 0, "port 0 still listens")


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
        holds(server.wait_for_log("warning Can't accept a client: Too many open"), server.log())
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


if __name__ == "__main__":
    sys.exit(run_all())
