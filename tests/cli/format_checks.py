"""The output format: hotkv-cli and redis-cli are shown the same replies and must print the same."""

import re
import subprocess

from scripted_server import ScriptedServer


def bulk(data):
    return b"$%d\r\n%b\r\n" % (len(data), data)


def verbatim(data):
    return b"=" + bulk(data)[1:]


def array(*elements, mark=b"*"):
    count = len(elements) // 2 if mark == b"%" else len(elements)
    return b"%b%d\r\n" % (mark, count) + b"".join(elements)


ONE, NIL, NIL3 = b":1\r\n", b"$-1\r\n", b"_\r\n"
EVERY_BYTE = bytes(range(256))

# Name -> the bytes of a reply. RESP3 types are shown to clients that asked for RESP3; redis-cli 7.0
# knows no big numbers.
RESP2 = {
    "OK": b"+OK\r\n",
    "a simple string with a quote": b'+say "x"\r\n',
    "an empty simple string": b"+\r\n",
    "an error": b"-ERR it went wrong\r\n",
    "zero": b":0\r\n",
    "the least integer": b":-9223372036854775808\r\n",
    "the greatest integer": b":9223372036854775807\r\n",
    "an empty bulk": bulk(b""),
    "a bulk": bulk(b"hello"),
    "a bulk of every byte": bulk(EVERY_BYTE),
    "a bulk of UTF-8": bulk("Grüße, 你好 \U0001f511".encode()),
    "a bulk of broken UTF-8": bulk(b"a\xffb\xc3"),
    "a bulk of lines": bulk(b"one\ntwo\r\nthree\n"),
    "a null bulk": NIL,
    "a null array": b"*-1\r\n",
    "an empty array": array(),
    "one element": array(ONE),
    "mixed elements": array(ONE, NIL, bulk(b"x"), b"+OK\r\n", b"-ERR inside\r\n", b"*-1\r\n"),
    "nine elements": array(*[ONE] * 9),
    "ten elements": array(*[ONE] * 10),
    "1000 elements": array(*[b":%d\r\n" % n for n in range(1000)]),
    "nested arrays": array(array(ONE, array(ONE, bulk(b"deep"))), array(), ONE),
    "nested arrays of ten": array(*[array(*[bulk(b"%d" % n)] * 11) for n in range(11)]),
    "only an empty array inside": array(array(array())),
}
RESP3 = {
    "null": NIL3,
    "true": b"#t\r\n",
    "false": b"#f\r\n",
    "a double": b",1.5\r\n",
    "a double like an integer": b",10\r\n",
    "a long double": b",3.1415926535897931\r\n",
    "infinity": b",inf\r\n",
    "minus infinity": b",-inf\r\n",
    "a verbatim string": verbatim(b"txt:Some string"),
    "a verbatim string of lines": verbatim(b"mkd:# A\nb \"c\"\r\nd"),
    "an empty map": array(mark=b"%"),
    "a map": array(bulk(b"k"), bulk(b"v"), bulk(b"second"), ONE, mark=b"%"),
    "a map of ten": array(*[bulk(b"k%d" % n) for n in range(20)], mark=b"%"),
    "a map of maps": array(
        bulk(b"a"), array(bulk(b"b"), ONE, bulk(b"c"), array(ONE, ONE), mark=b"%"),
        bulk(b"d"), array(), mark=b"%"),
    "a map with keys that are no strings": array(ONE, ONE, b",1.5\r\n", NIL3, b"#t\r\n", ONE,
                                                 b"+simple\r\n", b"#f\r\n", mark=b"%"),
    "a map with an array as value": array(bulk(b"k"), array(*[ONE] * 11), mark=b"%"),
    "a map with empty values": array(bulk(b"a"), array(), bulk(b"b"), array(mark=b"%"), bulk(b"c"),
                                     array(mark=b"~"), mark=b"%"),
    "a map with sets and maps of ten": array(
        *[part for n in range(10) for part in (bulk(b"k%d" % n), array(ONE, NIL3, mark=b"~"))],
        mark=b"%"),
    "a map in an array": array(ONE, array(bulk(b"k"), array(array(ONE), ONE), mark=b"%")),
    "a map with values of one element": array(bulk(b"a"), array(ONE), bulk(b"b"),
                                              array(ONE, ONE, mark=b"%"), bulk(b"c"),
                                              array(array(ONE)), mark=b"%"),
    "a map with an array as key": array(array(ONE, ONE), array(ONE), mark=b"%"),
    "a map with escapes": array(bulk(b"k\"\n"), bulk(b"v\\\x01\xff"), mark=b"%"),
    "an empty set": array(mark=b"~"),
    "a set": array(bulk(b"a"), bulk(b"b"), ONE, mark=b"~"),
    "a set of sets": array(array(ONE, mark=b"~"), array(mark=b"~"), mark=b"~"),
    "doubles and booleans in an array": array(b",0.1\r\n", b"#t\r\n", b"#f\r\n", NIL3,
                                              verbatim(b"txt:abc")),
    "an error in an array": array(b"-ERR inside\r\n", ONE),
    "an error in a map": array(bulk(b"k"), b"-ERR inside\r\n", mark=b"%"),
}
STYLES = ("--no-raw", "--raw", "--json")


CUT = b"------ 8< ------"


def shown(program, port, options, count):
    """What one session prints for each reply; a line that no reply contains parts them."""
    lines = "".join(f"ECHO {number}\nECHO {count}\n" for number in range(count))
    done = subprocess.run([program, "-p", str(port), *options], input=lines.encode(), timeout=60,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    pieces = re.split(b'"?' + re.escape(CUT) + b'"?\n', done.stdout)
    return pieces + [b"nothing"] * (count + 1 - len(pieces))


def checks(settings):
    for version, replies in (((), RESP2), (("-3",), {**RESP2, **RESP3})):
        with ScriptedServer([*replies.values(), bulk(CUT)]) as server:
            for style in STYLES:
                if style == "--json" and not version:
                    continue  # JSON asks for RESP3 by itself.
                options = [*version, style]
                got, wanted = (shown(program, server.port, options, len(replies))
                               for program in (settings.cli, settings.reference))
                for number, name in enumerate(replies):
                    yield f"format {' '.join(options)}: {name}", got[number], wanted[number]
                yield f"format {' '.join(options)}: the end", got[-1], b""
