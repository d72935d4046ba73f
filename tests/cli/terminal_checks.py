"""hotkv-cli at a terminal: prompt, editing, history, completion, hints, Ctrl-C and Ctrl-D."""

import os
import pathlib
import re
import shutil
import socket
import stat
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "interop"))
from server_process import Server  # noqa: E402
from terminal import Silence, Terminal  # noqa: E402

PASSWORD = "opensesame"
CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


class Desk:
    """A server, a folder for the history, and terminals at both."""

    def __init__(self, settings, server, folder):
        self.cli, self.reference = (shutil.which(program) for program in (settings.cli,
                                                                          settings.reference))
        self.server = server
        self.history = os.path.join(folder, "history")
        self.prompt = f"hotkv 127.0.0.1:{server.port}>"

    def terminal(self, *words, columns=100, **environment):
        command = [self.cli, "-p", str(self.server.port), *words]
        return Terminal(command, {"HOTKV_HISTORY": self.history, **environment}, columns=columns)

    def redis(self, *words):
        """What redis-cli prints for people, as rows."""
        done = subprocess.run([self.reference, "-p", str(self.server.port), "--no-raw", *words],
                              stdout=subprocess.PIPE, check=True, timeout=60)
        return done.stdout.decode().splitlines()


def equal(got, wanted):
    assert got == wanted, f"got {got!r}, wanted {wanted!r}"


@check
def one_command_at_a_terminal_is_formatted_as_redis_cli_does(desk):
    desk.redis("SET", "k", 'a "b"')
    for words in (["GET", "k"], ["MGET", "k", "none"], ["FOO"], ["-3", "CONFIG", "GET", "hz"]):
        seen = []
        for program in (desk.cli, desk.reference):
            with Terminal([program, "-p", str(desk.server.port), *words]) as terminal:
                equal(terminal.wait_end(), 0)
                seen.append(terminal.rows())
        equal(seen[0], seen[1])


@check
def the_prompt_tells_server_database_and_transaction(desk):
    with desk.terminal() as terminal:
        terminal.wait_row(desk.prompt)
        equal(terminal.ask("SELECT 3"), ["OK"])
        equal(terminal.row(), desk.prompt[:-1] + "[3]>")
        equal(terminal.ask("multi"), ["OK"])
        equal(terminal.row(), desk.prompt[:-1] + "[3](TX)>")
        equal(terminal.ask("SET k 1"), ["QUEUED"])
        equal(terminal.ask("EXEC"), ["1) OK"])
        equal(terminal.row(), desk.prompt[:-1] + "[3]>")
        terminal.ask("MULTI")
        terminal.ask("FOO")
        equal(terminal.ask("EXEC"), ["(error) EXECABORT Transaction discarded because of previous "
                                     "errors."])
        equal(terminal.row(), desk.prompt[:-1] + "[3]>")
        terminal.ask("MULTI")
        equal(terminal.ask("DISCARD"), ["OK"])
        equal(terminal.ask("RESET"), ["RESET"])
        equal(terminal.row(), desk.prompt)
        terminal.enter("exit")
        equal(terminal.wait_end(), 0)
    with desk.terminal("-n", "4") as terminal:
        terminal.wait_row(desk.prompt[:-1] + "[4]>")
        terminal.press("ctrl-d")
        equal(terminal.wait_end(), 0)


@check
def replies_look_like_redis_cli_s(desk):
    keys = [f"k{n}" for n in range(12)]
    desk.redis("MSET", *[word for key in keys for word in (key, f"value of {key}")])
    with desk.terminal() as terminal:
        terminal.wait_row(desk.prompt)
        equal(terminal.ask("GET k1"), desk.redis("GET", "k1"))
        equal(terminal.ask("mget " + " ".join(keys)), desk.redis("MGET", *keys))
        equal(terminal.ask("INFO keyspace"), desk.redis("INFO", "keyspace"))
        equal(terminal.ask("2 INCR n"), ["(integer) 1", "(integer) 2"])


@check
def a_long_reply_runs_through(desk):
    count = 5000
    desk.redis("SET", "long", "x" * 100000)
    with desk.terminal() as terminal:
        terminal.wait_row(desk.prompt)
        terminal.enter("MGET " + " ".join(["none"] * 300))
        terminal.wait("the last element", lambda: "300) (nil)" in terminal.rows())
        terminal.wait_row(desk.prompt)
        terminal.enter(f"{count} GET none")
        terminal.wait("all replies", lambda: terminal.bytes.count(b"\n(nil)") == count)
        terminal.wait_row(desk.prompt)
        terminal.enter("GET long")
        terminal.wait("the long value", lambda: b'"' + b"x" * 100000 + b'"' in terminal.bytes)
        terminal.wait_row(desk.prompt)


@check
def a_line_is_edited(desk):
    with desk.terminal() as terminal:
        terminal.wait_row(desk.prompt)
        terminal.type("T key value")
        terminal.press("home")
        terminal.type("SE")
        terminal.press("end", "backspace", "backspace")
        terminal.type("ü你")
        equal(terminal.ask(""), ["OK"])
        equal(desk.redis("--raw", "GET", "key"), ["valü你"])
        equal(terminal.ask("ECHO \"é 🔑\""), desk.redis("ECHO", "é 🔑"))
        terminal.type("never sent at all")
        terminal.press("ctrl-u")
        terminal.wait_row(desk.prompt)
        terminal.type("PING one wrong")
        terminal.press("ctrl-w", "backspace")
        equal(terminal.ask(""), ['"one"'])


@check
def a_line_longer_than_the_row_is_edited(desk):
    with desk.terminal(columns=50) as terminal:
        terminal.wait_row(desk.prompt)
        terminal.type("ECHO " + "0123456789" * 12)
        terminal.press("backspace", "home", "end")
        terminal.enter("!")
        terminal.wait("the reply", lambda: f'"{"0123456789" * 11}012345678!"'
                      in "".join(row for row in terminal.screen.display))


@check
def history_lasts_from_session_to_session(desk):
    with desk.terminal() as terminal:
        terminal.wait_row(desk.prompt)
        for line in ("PING one", "PING two", "PING two", "PING ü"):
            terminal.ask(line)
        terminal.press("ctrl-d")
        equal(terminal.wait_end(), 0)
    equal(stat.S_IMODE(os.stat(desk.history).st_mode), 0o600)
    with desk.terminal() as terminal:
        terminal.wait_row(desk.prompt)
        for wanted in ("PING ü", "PING two", "PING one"):
            terminal.press("up")
            terminal.wait(wanted, lambda wanted=wanted: terminal.row().startswith(
                f"{desk.prompt} {wanted}"))
        terminal.press("down")
        terminal.wait("two", lambda: terminal.row().startswith(f"{desk.prompt} PING two"))
        equal(terminal.ask(""), ['"two"'])
        terminal.press("ctrl-r")
        terminal.type("one")
        terminal.wait("the found line", lambda: "PING one" in terminal.row())
        terminal.press("enter")
        terminal.wait("its reply", lambda: terminal.rows()[-2:-1] == ['"one"'])


@check
def a_history_that_cannot_be_written_does_no_harm(desk):
    with desk.terminal(HOTKV_HISTORY="/nonexistent/history") as terminal:
        terminal.wait_row(desk.prompt)
        equal(terminal.ask("PING"), ["PONG"])
        terminal.press("up")
        terminal.wait("the line", lambda: terminal.row().startswith(f"{desk.prompt} PING"))


@check
def passwords_come_into_no_history(desk):
    secrets = (f"AUTH {PASSWORD}", f"auth default {PASSWORD}", f"HELLO 2 AUTH default {PASSWORD}",
               f"CONFIG SET requirepass '{PASSWORD}'", f"CONFIG SET requirepass '{PASSWORD}",
               "CONFIG SET requirepass ''", f"2 AUTH {PASSWORD}", f"ACL SETUSER u >{PASSWORD}")
    with desk.terminal() as terminal:
        terminal.wait_row(desk.prompt)
        terminal.ask("PING before")
        for line in secrets:
            terminal.ask(line)
        terminal.press("up")
        terminal.wait("the line before", lambda: "PING before" in terminal.row())
        terminal.press("ctrl-u", "ctrl-d")
        equal(terminal.wait_end(), 0)
    text = pathlib.Path(desk.history).read_text()
    assert "PING" in text and PASSWORD not in text, text


@check
def tab_completes_commands_options_and_keys(desk):
    desk.redis("MSET", "user:1", "a", "user:2", "b", "two words", "c", "user:[x]", "d")
    cases = (("getr", "getrange"), ("GETR", "GETRANGE"), ("client no-t", "client no-touch"),
             ("set k v kee", "set k v keepttl"), ("get user:1", "get user:1"),
             ("get us", "get user:"), ("get two", 'get "two words"'),
             ('get "two', 'get "two words"'), ("get user:[", "get user:[x]"),
             ("config get h", "config get h"))
    with desk.terminal() as terminal:
        terminal.wait_row(desk.prompt)
        for typed, wanted in cases:
            terminal.type(typed)
            terminal.press("tab")
            terminal.type("|")  # Shows where the cursor has come to, and keeps hints away.
            whole = (f"{desk.prompt} {wanted} |", f"{desk.prompt} {wanted}|")
            terminal.wait(f"{typed} -> {wanted}",
                          lambda whole=whole: terminal.row().startswith(whole))
            terminal.press("ctrl-u")
            terminal.wait_row(desk.prompt)
        terminal.type("get user:")
        terminal.press("tab")
        terminal.wait("the choice", lambda: any(row.split() == ["user:1", "user:2", "user:[x]"]
                                                for row in terminal.rows()))
        terminal.type("2")
        equal(terminal.ask(""), ['"b"'])
        terminal.ask("MULTI")
        terminal.type("get us")
        terminal.press("tab", "ctrl-u")
        equal(terminal.ask("EXEC"), ["(empty array)"])  # Completion has queued nothing.


@check
def the_rest_of_the_syntax_is_shown_in_grey(desk):
    with desk.terminal() as terminal:
        terminal.wait_row(desk.prompt)
        for typed, grey in (("append", "key value"), (" ", "key value"), ("k ", "value"),
                            ("v", "")):
            terminal.type(typed)
            terminal.wait(f"hint {grey!r}",
                          lambda grey=grey: terminal.grey().strip() == grey)
        row = terminal.screen.cursor.y
        equal(terminal.ask(""), ["(integer) 1"])
        equal(terminal.rows()[row], f"{desk.prompt} append k v")
        terminal.type("set ")
        terminal.wait("a long hint", lambda: terminal.grey().startswith("key value [NX"))
        equal(len(terminal.rows()[-1]) < 100, True)
        row = terminal.screen.cursor.y
        equal(terminal.ask(""), ["(error) ERR wrong number of arguments for 'set' command"])
        equal(terminal.rows()[row], f"{desk.prompt} set")
        terminal.type("nonsense ")
        terminal.press("ctrl-u")
        terminal.wait_row(desk.prompt)
    with desk.terminal(TERM="dumb") as terminal:
        terminal.wait_row(desk.prompt)
        terminal.type("append ")
        equal(terminal.ask("k v"), ["(integer) 2"])
        assert b"key value" not in terminal.bytes, terminal.bytes


@check
def ctrl_c_gives_up_the_line_and_ctrl_d_leaves(desk):
    with desk.terminal() as terminal:
        terminal.wait_row(desk.prompt)
        terminal.type("SET never written")
        terminal.wait("the line", lambda: "written" in terminal.row())
        for row in range(3):
            terminal.press("ctrl-c")
            terminal.wait("a new prompt", lambda row=row: terminal.row() == desk.prompt
                          and terminal.screen.cursor.y == row + 1)
        equal(terminal.ask("EXISTS never"), ["(integer) 0"])
        terminal.type("x")
        terminal.press("ctrl-d")  # On a line that is not empty it leaves nothing.
        terminal.press("ctrl-u")
        terminal.wait_row(desk.prompt)
        terminal.press("ctrl-d")
        equal(terminal.wait_end(), 0)
    for word in ("quit", "EXIT"):
        with desk.terminal() as terminal:
            terminal.wait_row(desk.prompt)
            terminal.enter(word)
            equal(terminal.wait_end(), 0)


@check
def ctrl_c_leaves_the_whole_line_to_be_read(desk):
    with desk.terminal() as terminal:
        terminal.wait_row(desk.prompt)
        terminal.type("ECHO one two")
        terminal.wait_row(f"{desk.prompt} ECHO one two")
        terminal.press("home")
        terminal.wait("the cursor", lambda: terminal.screen.cursor.x == len(desk.prompt) + 1)
        terminal.press("ctrl-c")
        terminal.wait_row(desk.prompt)
        equal(terminal.rows()[-2], f"{desk.prompt} ECHO one two^C")


@check
def the_line_is_drawn_anew_when_the_screen_has_changed(desk):
    with desk.terminal() as terminal:
        terminal.wait_row(desk.prompt)
        terminal.type("append kk ")
        terminal.wait("the hint", lambda: terminal.grey() == "value")
        terminal.stop_and_go_on()
        terminal.wait("the line", lambda: terminal.row() == f"{desk.prompt} append kk value")
        terminal.resize(len(f"{desk.prompt} append kk ") + 4)
        terminal.wait("a shorter hint", lambda: terminal.grey() == "val")
        equal(terminal.ask("v"), ["(integer) 1"])


@check
def ctrl_c_ends_the_wait_for_a_reply(desk):
    with socket.create_server(("127.0.0.1", 0)) as listener:
        links = []
        asked = threading.Event()

        def listen():
            for _ in range(2):
                link, _ = listener.accept()
                links.append(link)
                link.recv(100)
                asked.set()
        thread = threading.Thread(target=listen, daemon=True)
        thread.start()
        port = listener.getsockname()[1]
        with desk.terminal("-p", str(port)) as terminal:
            terminal.wait_row(f"hotkv 127.0.0.1:{port}>")
            for _ in range(2):
                terminal.enter("GET k")
                assert asked.wait(20), "nothing was sent"
                asked.clear()
                terminal.press("ctrl-c")
                terminal.wait_row("not connected>")
                assert "Error: Interrupted" in "\n".join(terminal.rows()), terminal.rows()
        for link in links:
            link.close()


@check
def mistakes_and_help(desk):
    with desk.terminal() as terminal:
        terminal.wait_row(desk.prompt)
        for line in ('SET k "open', "SET k 'open", 'SET k "a"b'):
            equal(terminal.ask(line), ["Invalid argument(s)"])
        equal(terminal.ask("   "), [])
        shown = terminal.ask("help")
        assert any("help COMMAND" in row for row in shown), shown
        shown = terminal.ask("help client no-touch")
        equal(shown[0], "CLIENT NO-TOUCH <ON | OFF>")
        assert shown[1].startswith("  summary: "), shown
        equal(terminal.ask("help nonsense"), ["There is no command 'nonsense' here."])
        terminal.ask("CLIENT REPLY OFF")
        equal(terminal.ask("PING"), ["PONG"])
        terminal.enter("clear")
        terminal.wait("an empty screen", lambda: terminal.rows() == [desk.prompt])


@check
def a_slow_command_tells_its_time(desk):
    with desk.terminal() as terminal:
        terminal.wait_row(desk.prompt)
        shown = terminal.ask("DEBUG SLEEP 0.6")
        assert len(shown) == 2 and re.fullmatch(r"\(\d+\.\d\ds\)", shown[1]), shown


@check
def the_password_is_asked_for_without_an_echo(desk):
    with Server(desk.server.binary, "--requirepass", PASSWORD) as guarded:
        with desk.terminal("-p", str(guarded.port), "--askpass", "GET", "none") as terminal:
            terminal.wait_row("Password:")
            terminal.enter(PASSWORD)
            equal(terminal.wait_end(), 0)
            assert PASSWORD.encode() not in terminal.bytes, terminal.bytes
            assert "(nil)" in terminal.rows(), terminal.rows()


@check
def a_server_that_stops_and_starts_again_is_found_again(desk):
    server = Server(desk.server.binary)
    prompt = f"hotkv 127.0.0.1:{server.port}>"
    with desk.terminal("-p", str(server.port)) as terminal:
        terminal.wait_row(prompt)
        server.stop()
        terminal.enter("PING")
        terminal.wait_row("not connected>")
        assert "Connection refused" in "\n".join(terminal.rows()), terminal.rows()
        with Server(desk.server.binary, port=server.port):
            equal(terminal.ask("PING"), ["PONG"])
            terminal.wait_row(prompt)
    with desk.terminal("-p", str(server.port)) as terminal:
        terminal.wait_row("not connected>")
        terminal.press("ctrl-d")
        equal(terminal.wait_end(), 0)


@check
def latency_is_measured_until_ctrl_c(desk):
    with desk.terminal("--latency") as terminal:
        line = r"min: [\d.]+ ms, max: [\d.]+ ms, avg: [\d.]+ ms \(\d{2,} samples\)"
        terminal.wait("ten samples", lambda: re.fullmatch(line, terminal.row()))
        terminal.press("ctrl-c")
        equal(terminal.wait_end(), 0)
        equal(len([row for row in terminal.rows() if re.search(line, row)]), 1)


def checks(settings):
    with Server(settings.server, "--enable-debug-command", "yes") as server:
        for function in CHECKS:
            with tempfile.TemporaryDirectory() as folder:
                desk = Desk(settings, server, folder)
                desk.redis("FLUSHALL")
                try:
                    function(desk)
                    got = "as it should be"
                except (AssertionError, Silence, subprocess.SubprocessError) as error:
                    got = str(error)
                yield f"terminal: {function.__name__}", got, "as it should be"
