"""Checks of the HTTP side of hotkv-server; server_checks.py runs them."""

import http.client
import pathlib
import re
import socket
import tempfile

from check_list import SERVER, check, equal, holds
from server_process import Server, free_port, poll_until, run_until_exit


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
        nameless = b"GET / HTTP/1.1\r\nConnection: close\r\n\r\n"
        holds(site.raw(nameless).startswith(b"HTTP/1.1 400 "), "no Host")
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
        wanted = f"Failed listening on http-port {site.port} (127.0.0.1): Address already in use"
        holds(code == 1 and wanted in text, text)
