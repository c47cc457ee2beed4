"""The server inside the sandbox: plain sockets, so that every byte it sends is meant.

Usage: inside_server.py PORT. Paths: /echo (the request as it came), /size/N, /chunked, /endless,
/events, /slow/SECONDS, /close, /bad/KIND, /ws (echo), /raw-upgrade, /redirect, /cookies."""

import base64
import hashlib
import json
import socket
import struct
import sys
import threading
import time

PORT = int(sys.argv[1])


class Visitor:
    def __init__(self, connection):
        self.socket = connection
        self.buffer = bytearray()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

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

    def line(self):
        while b"\r\n" not in self.buffer:
            self.more()
        return self.take(self.buffer.index(b"\r\n") + 2)[:-2]

    def body(self, fields):
        if "content-length" in fields:
            return self.take(int(fields["content-length"]))
        body = b""
        if fields.get("transfer-encoding") == "chunked":
            while True:
                size = int(self.line(), 16)
                body += self.take(size)
                self.line()
                if size == 0:
                    break
        return body

    def reply(self, body, status="200 OK", fields=()):
        head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in fields)
        self.socket.sendall(head.encode() + b"\r\n" + body)

    def serve(self):
        try:
            while self.request():
                pass
        except (EOFError, OSError):
            pass
        self.socket.close()

    def request(self):
        start = self.line().decode()
        lines = []
        while line := self.line():
            lines.append(line.decode("latin-1"))
        fields = {}
        for line in lines:
            name, value = line.split(":", 1)
            fields[name.lower()] = value.strip()
        method, target, _ = start.split(" ")
        if fields.get("expect") == "100-continue":
            self.socket.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        path, _, argument = target.split("?")[0].lstrip("/").partition("/")
        if path in ("ws", "raw-upgrade"):
            return self.upgrade(path, fields)
        body = self.body(fields)
        return self.answer(method, path, argument, start, lines, body)

    def answer(self, method, path, argument, start, lines, body):
        send = self.socket.sendall
        if path == "echo":
            told = {"start": start, "fields": lines, "size": len(body),
                    "sha256": hashlib.sha256(body).hexdigest(), "peer": threading.get_ident()}
            self.reply(b"" if method == "HEAD" else json.dumps(told).encode(),
                       fields=[("Content-Type", "application/json")])
        elif path == "size":
            size = int(argument)
            send(f"HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n".encode())
            piece = b"x" * (1 << 20)
            while size > 0:
                send(piece[:size])
                size -= len(piece)
        elif path == "chunked":
            send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for word in (b"one", b"two", b"three"):
                send(b"%x;ext=1\r\n%s\r\n" % (len(word), word))
                time.sleep(0.05)
            send(b"0\r\nTrailer: gone\r\n\r\n")
        elif path == "endless":
            send(b"HTTP/1.1 200 OK\r\n\r\nuntil the end")
            return False
        elif path == "events":
            send(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
            for number in range(1000):
                event = b"data: %d\n\n" % number
                send(b"%x\r\n%s\r\n" % (len(event), event))
                time.sleep(0.1)
            return False
        elif path == "slow":
            time.sleep(float(argument))
            self.reply(b"late")
        elif path == "close":
            return False
        elif path == "half":
            send(b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nonly this")
            return False
        elif path == "half-chunk":
            send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\n5\r\nab")
            return False
        elif path == "early":
            send(b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n")
            self.reply(b"after")
        elif path == "bad":
            send({"lengths": b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
                  "both": b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\na",
                  "fold": b"HTTP/1.1 200 OK\r\nX: a\r\n b\r\nContent-Length: 0\r\n\r\n",
                  "text": b"hello\r\n\r\n",
                  "switch": b"HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
                  }[argument])
            return False
        elif path == "cookies":
            self.reply(b"ok", fields=[("Set-Cookie", "a=1; Domain=example.com; Path=/"),
                                      ("Set-Cookie", "__Host-cordon-preview=forged"),
                                      ("X-Frame-Options", "DENY")])
        elif path == "redirect":
            self.reply(b"", "302 Found", [("Location", f"http://localhost:{PORT}/echo")])
        else:
            self.reply(b"not here", "404 Not Found")
        return True

    def upgrade(self, path, fields):
        if path == "raw-upgrade":
            self.socket.sendall(b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
                                b"Upgrade: raw\r\n\r\nhello")
            try:
                while True:  # echoes until its visitor has said all, then says goodbye
                    self.socket.sendall(self.take(1))
            except EOFError:
                self.socket.sendall(b"bye")
            return False
        key = fields["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
        self.socket.sendall(("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n"
                             f"Connection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n"
                             f"X-Host: {fields['host']}\r\n\r\n").encode())
        while self.frame():
            pass
        return False

    def frame(self):
        """Echoes one frame, unmasked, with all its flags."""
        first, second = self.take(2)
        size = second & 127
        if size == 126:
            size, = struct.unpack("!H", self.take(2))
        elif size == 127:
            size, = struct.unpack("!Q", self.take(8))
        mask = self.take(4)
        data = self.take(size)
        if mask != b"\0\0\0\0":
            data = bytes(byte ^ mask[i % 4] for i, byte in enumerate(data))
        if first & 15 == 9:
            first = first & 0xf0 | 10
        head = (struct.pack("!BB", first, size) if size < 126 else
                struct.pack("!BBH", first, 126, size) if size < 65536 else
                struct.pack("!BBQ", first, 127, size))
        self.socket.sendall(head + data)
        return first & 15 != 8


listener = socket.socket()
listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
listener.bind(("127.0.0.1", PORT))
listener.listen(1024)
print("listening", flush=True)
while True:
    accepted, _ = listener.accept()
    threading.Thread(target=Visitor(accepted).serve, daemon=True).start()
