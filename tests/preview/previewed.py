"""A running server with previews, a sandbox with a server inside, and visitors who say what they
like, byte by byte."""

import os
import pathlib
import re
import secrets
import socket
import ssl
import struct
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "serve"))
import served  # noqa: E402

SECONDS = served.SECONDS
DOMAIN = "preview.test"


class Reply:
    def __init__(self, status, fields, body, rest=b""):
        self.status, self.fields, self.body, self.rest = status, fields, body, rest

    def all(self, name):
        return [value for key, value in self.fields if key.lower() == name.lower()]

    def get(self, name):
        found = self.all(name)
        return found[0] if found else None


class Visitor:
    """One connection."""

    def __init__(self, address, context=None, name=None):
        self.socket = socket.create_connection(address, timeout=SECONDS)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if context:
            self.socket = context.wrap_socket(self.socket, server_hostname=name)
        self.buffer = bytearray()

    def say(self, data):
        self.socket.sendall(data.encode("latin-1") if isinstance(data, str) else data)

    def more(self):
        got = self.socket.recv(1 << 16)
        if not got:
            raise EOFError
        self.buffer += got

    def take(self, count):
        while len(self.buffer) < count:
            self.more()
        taken = bytes(self.buffer[:count])
        del self.buffer[:count]
        return taken

    def until(self, mark):
        while mark not in self.buffer:
            self.more()
        return self.take(self.buffer.index(mark) + len(mark))[:-len(mark)]

    def head(self):
        lines = self.until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        fields = [tuple(part.strip() for part in line.split(":", 1)) for line in lines[1:]]
        return Reply(int(lines[0].split(" ")[1]), fields, b"")

    def reply(self, method="GET"):
        reply = self.head()
        if method == "HEAD" or reply.status in (101, 204, 304) or reply.status < 200:
            return reply
        if reply.get("Content-Length") is not None:
            reply.body = self.take(int(reply.get("Content-Length")))
        elif reply.get("Transfer-Encoding") == "chunked":
            while size := int(self.until(b"\r\n"), 16):
                reply.body += self.take(size)
                assert self.take(2) == b"\r\n"
            assert self.until(b"\r\n") == b""
        else:
            reply.body = self.rest()
        return reply

    def rest(self):
        """Everything to the end."""
        try:
            while True:
                self.more()
        except (EOFError, ConnectionResetError):
            pass
        return self.take(len(self.buffer))

    def ended(self):
        """Whether the other side closes now, and says nothing before."""
        return self.rest() == b""

    def close(self):
        self.socket.close()


class WebSocketVisitor(Visitor):
    def open(self, host, cookie, path="/ws", extra=""):
        self.say(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: keep-alive, Upgrade\r\n"
                 "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                 f"Sec-WebSocket-Key: {secrets.token_hex(8)}\r\nCookie: {cookie}\r\n{extra}\r\n")
        return self.reply()

    def frame(self, data, opcode=2, final=True, mask=b"\0\0\0\0"):
        size = len(data)
        first = (128 if final else 0) | opcode
        head = (struct.pack("!BB", first, 128 | size) if size < 126 else
                struct.pack("!BBH", first, 128 | 126, size) if size < 65536 else
                struct.pack("!BBQ", first, 128 | 127, size))
        if mask != b"\0\0\0\0":
            data = bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))
        self.say(head + mask + data)

    def receive(self):
        first, second = self.take(2)
        size = second & 127
        if size == 126:
            size, = struct.unpack("!H", self.take(2))
        elif size == 127:
            size, = struct.unpack("!Q", self.take(8))
        return first & 15, bool(first & 128), self.take(size)


def preview_address(server):
    """From what the server says on stderr."""
    while True:
        line = server.process.stderr.readline()
        assert line, "the server said nothing of previews"
        found = re.search(r"previews are shown at ([\d.]+):(\d+)", line)
        if found:
            return found.group(1), int(found.group(2))


class PreviewTest(served.ServeTest):
    flags = ("--preview-domain", DOMAIN, "--dashboard", "https://dash.test")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.address = preview_address(cls.server)

    def with_server(self, port=5173):
        """A sandbox with inside_server.py: its path, its id."""
        path = self.sandbox()
        self.start_inside(path, port)
        return path, path.rsplit("/", 1)[1]

    def start_inside(self, path, port=5173):
        code = (HERE / "inside_server.py").read_bytes()
        self.assertIn(self.ask("PUT", path + "/files/inside_server.py", code).status, (200, 201))
        begun = self.ask("POST", path + "/exec", {
            "arguments": ["python3", "inside_server.py", str(port)], "detached": True})
        self.assertEqual(begun.status, 202, begun.body)
        self.wait_for_port(path, port)

    def kill_inside(self, path, port=5173):
        for one in self.ask("GET", path + "/processes").json["processes"]:
            if f"inside_server.py {port}" in one["arguments"]:
                self.assertEqual(self.ask("POST", path + "/kill", {"process": one["id"], "signal": 9}).status, 204)
                return
        self.fail("there is no server inside")

    def wait_for_port(self, path, port):
        deadline = time.monotonic() + SECONDS
        while port not in [one["port"] for one in self.ask("GET", path + "/ports").json["ports"]]:
            self.assertLess(time.monotonic(), deadline, "nothing listens inside")
            time.sleep(0.05)

    def host(self, id, port=None):
        return f"preview-{id}{'' if port is None else f'-{port}'}.{DOMAIN}"

    def visitor(self):
        visitor = Visitor(self.address)
        self.addCleanup(visitor.close)
        return visitor

    def cookie(self, path, **terms):
        """As a browser gets it from a signed link."""
        link = self.ask("POST", path + "/preview/links", terms)
        self.assertEqual(link.status, 201, link.body)
        host, target = re.fullmatch(r"https?://([^/]+)(/.*)", link.json["url"]).groups()
        address = self.address if not host.startswith("localhost") else ("127.0.0.1", int(host.split(":")[1]))
        visitor = Visitor(address)
        visitor.say(f"GET {target} HTTP/1.1\r\nHost: {host}\r\n\r\n")
        reply = visitor.reply()
        visitor.close()
        self.assertEqual(reply.status, 303, reply.body)
        return reply.get("Set-Cookie").split(";")[0]

    def visit(self, target, host, method="GET", cookie=None, body=b"", extra=""):
        visitor = self.visitor()
        cookies = f"Cookie: {cookie}\r\n" if cookie else ""
        length = f"Content-Length: {len(body)}\r\n" if body else ""
        visitor.say(f"{method} {target} HTTP/1.1\r\nHost: {host}\r\n{cookies}{length}{extra}\r\n"
                    .encode("latin-1") + body)
        reply = visitor.reply(method)
        visitor.close()
        return reply


def certificate(directory, name, domain=DOMAIN):
    """A self-signed wildcard certificate and its key, as paths."""
    import subprocess
    chain, key = directory / f"{name}.pem", directory / f"{name}.key"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt",
                    "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj", f"/CN={name}",
                    "-addext", f"subjectAltName=DNS:*.{domain}", "-keyout", key, "-out", chain],
                   check=True, capture_output=True)
    return chain, key


def client_context():
    context = ssl.create_default_context()
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))
