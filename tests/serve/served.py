"""A running `cordon serve`, and clients for it: HTTP with every answer held against the server's
own OpenAPI document, and WebSocket byte by byte."""

import base64
import http.client
import json
import os
import pathlib
import re
import secrets
import select
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import time
import unittest
import urllib.parse

CORDON = os.environ["CORDON_BINARY"]
LAUNCHER = os.environ.get("CORDON_LAUNCHER", "")
SECONDS = 60
# What every server is told beside, e.g. by docker_test.py.
FLAGS = os.environ.get("CORDON_SERVE_FLAGS", "").split()


def check(schema, value, document, where="answer"):
    """Complaints about `value`, by the part of JSON Schema that the document uses."""
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return check(document["components"]["schemas"][name], value, document, where)
    complaints = []
    types = schema.get("type")
    if types is not None:
        known = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None),
                 "integer": int, "number": (int, float)}
        wanted = types if isinstance(types, list) else [types]
        good = any(isinstance(value, known[one]) and
                   not (isinstance(value, bool) and one in ("integer", "number")) for one in wanted)
        if not good:
            return [f"{where}: {value!r} is no {types}"]
    if "enum" in schema and value not in schema["enum"]:
        complaints.append(f"{where}: {value!r} is none of {schema['enum']}")
    if "const" in schema and value != schema["const"]:
        complaints.append(f"{where}: {value!r} is not {schema['const']!r}")
    if "pattern" in schema and not re.search(schema["pattern"], value):
        complaints.append(f"{where}: {value!r} does not match {schema['pattern']}")
    if isinstance(value, dict):
        for name in schema.get("required", []):
            if name not in value:
                complaints.append(f"{where}: {name} is missing")
        properties = schema.get("properties", {})
        for name, one in value.items():
            if name in properties:
                complaints += check(properties[name], one, document, f"{where}.{name}")
            elif schema.get("additionalProperties") is False:
                complaints.append(f"{where}: {name} is not in the document")
    if isinstance(value, list) and "items" in schema:
        for i, one in enumerate(value):
            complaints += check(schema["items"], one, document, f"{where}[{i}]")
    return complaints


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self):
        return json.loads(self.body)


class Server:
    """One process; `state` outlives it, so that another can be started on it."""

    def __init__(self, state, *flags, environment=None):
        self.state = pathlib.Path(state)
        self.process = subprocess.Popen(
            [CORDON, "serve", "--listen", "127.0.0.1:0", "--state", str(state), *FLAGS, *flags],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **(environment or {})})
        self.url = self.process.stdout.readline().strip()
        if not self.url.startswith("http://"):
            said = self.process.communicate(timeout=SECONDS)[1]
            raise RuntimeError("no server: " + said)
        self.host, port = self.url.removeprefix("http://").split(":")
        self.port = int(port)
        self.document = json.loads(self.raw("GET", "/v1/openapi.json").body)
        self.operations = [(method.upper(), self.pattern(path), operation)
                           for path, methods in self.document["paths"].items()
                           for method, operation in methods.items()]
        self.seen = set()

    @staticmethod
    def pattern(path):
        text = re.escape(path).replace(r"\{path\}", ".*")
        return re.compile(re.sub(r"\\\{\w+\\\}", "[^/]+", text) + "$")

    def token(self, name="owner", *flags):
        if name == "owner" and not flags:
            return (self.state / "token").read_text().strip()
        made = subprocess.run([CORDON, "serve", "token", "create", "--state", str(self.state),
                               "--user", name, *flags], capture_output=True, text=True, check=True)
        return made.stdout.strip()

    def raw(self, method, path, body=None, headers=(), token=None):
        connection = http.client.HTTPConnection(self.host, self.port, timeout=SECONDS)
        headers = dict(headers)
        if token:
            headers["Authorization"] = "Bearer " + token
        connection.putrequest(method, path, skip_accept_encoding=True)
        if body is not None:
            headers.setdefault("Content-Length", str(len(body)))
        elif method in ("POST", "PUT", "PATCH"):
            headers.setdefault("Content-Length", "0")
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders(body)
        response = connection.getresponse()
        answer = Answer(response.status, response.headers, response.read())
        response.close()
        connection.close()
        return answer

    def operation_of(self, method, path):
        plain = path.split("?")[0]
        # A path without parameters goes before one with.
        found = [one for one in self.operations
                 if one[0] == method and (one[1].match(plain) or one[1].match(plain + "/"))]
        return min(found, key=lambda one: one[1].pattern.count("[^/]"))[2] if found else None

    def validate(self, method, path, answer):
        operation = self.operation_of(method, path)
        if operation is None:
            assert answer.status in (401, 404, 405), (method, path, answer.status)
            return
        self.seen.add(operation["operationId"])
        described = operation["responses"].get(str(answer.status),
                                               operation["responses"]["default"])
        content = described.get("content")
        if not content or method == "HEAD":
            return
        kind = answer.headers.get("Content-Type", "").split(";")[0]
        assert kind in content, (method, path, answer.status, kind, answer.body[:300])
        if kind == "application/json":
            complaints = check(content[kind]["schema"], answer.json, self.document)
            assert not complaints, (method, path, answer.status, complaints)

    def ask(self, method, path, body=None, token=None, headers=()):
        headers = dict(headers)
        if isinstance(body, (dict, list)):
            body = json.dumps(body).encode()
            headers.setdefault("Content-Type", "application/json")
        elif isinstance(body, str):
            body = body.encode()
        answer = self.raw(method, path, body, headers, token or self.token())
        self.validate(method, path, answer)
        return answer

    def stop(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
        status = self.process.wait(SECONDS)
        self.process.stdout.close()
        self.process.stderr.close()
        return status


class WebSocket:
    """A client that keeps to RFC 6455 unless told otherwise."""

    def __init__(self, server, path, token):
        self.socket = socket.create_connection((server.host, server.port), timeout=SECONDS)
        key = base64.b64encode(secrets.token_bytes(16)).decode()
        self.socket.sendall((f"GET {path} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\n"
                             f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\n"
                             f"Sec-WebSocket-Version: 13\r\nAuthorization: Bearer {token}\r\n"
                             "\r\n").encode())
        self.buffer = b""
        while b"\r\n\r\n" not in self.buffer:
            self.more()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        self.status = int(head.split()[1])

    def more(self):
        got = self.socket.recv(65536)
        if not got:
            raise EOFError("the server has closed")
        self.buffer += got

    def take(self, count):
        while len(self.buffer) < count:
            self.more()
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def send(self, data, opcode=None):
        opcode = opcode or (1 if isinstance(data, str) else 2)
        data = data.encode() if isinstance(data, str) else data
        length = (struct.pack("!B", 128 | len(data)) if len(data) < 126 else
                  struct.pack("!BH", 128 | 126, len(data)) if len(data) < 65536 else
                  struct.pack("!BQ", 128 | 127, len(data)))
        self.socket.sendall(bytes([128 | opcode]) + length + b"\0\0\0\0" + data)

    def receive(self):
        """(kind, data): "text", "binary" or "close"."""
        while True:
            first, second = self.take(2)
            size = second & 127
            if size == 126:
                size, = struct.unpack("!H", self.take(2))
            elif size == 127:
                size, = struct.unpack("!Q", self.take(8))
            data = self.take(size)
            opcode = first & 15
            if opcode == 9:
                self.send(data, 10)
            elif opcode in (1, 2, 8):
                return {1: "text", 2: "binary", 8: "close"}[opcode], data

    def close(self):
        self.socket.close()


class ServeTest(unittest.TestCase):
    """One server for all tests of a class."""

    flags = ()

    @classmethod
    def setUpClass(cls):
        cls.scratch = pathlib.Path(tempfile.mkdtemp(prefix="cordon-serve-", dir="/var/tmp"))
        cls.addClassCleanup(shutil.rmtree, cls.scratch, ignore_errors=True)
        cls.server = Server(cls.scratch / "state", *cls.flags)
        cls.tokens = {cls.server.token()}  # of whoever may have sandboxes left

    @classmethod
    def tearDownClass(cls):
        # They would outlive the server.
        for token in cls.tokens:
            left = cls.server.ask("GET", "/v1/sandboxes?state=ready,paused,pending", token=token)
            for one in left.json["sandboxes"]:
                cls.server.ask("DELETE", "/v1/sandboxes/" + one["id"], token=token)
        cls.server.stop()

    def ask(self, *arguments, **named):
        return self.server.ask(*arguments, **named)

    def sandbox(self, token=None, **wish):
        """The path of one that is ready."""
        self.tokens.add(token or self.server.token())
        answer = self.ask("POST", "/v1/sandboxes", wish, token=token)
        self.assertEqual(answer.status, 202, answer.body)
        path = answer.headers["Location"]
        deadline = time.monotonic() + SECONDS
        while True:
            one = self.ask("GET", path, token=token).json
            if one["status"]["state"] == "ready":
                return path
            self.assertEqual(one["status"]["state"], "pending", one)
            self.assertLess(time.monotonic(), deadline, one)
            time.sleep(0.02)
