"""Running servers, and clients that say whatever they are told to."""

import http.client
import json
import os
import pathlib
import queue
import resource
import shutil
import socket
import subprocess
import tempfile
import threading
import time
import unittest

BINARY = os.environ["CORDON_BINARY"]
SEED = int(os.environ.get("CORDON_HOSTILE_SEED", "20260728"))
META = "io.modelcontextprotocol/"
TOKEN = "0123456789abcdef0123456789abcdef"
PATIENCE = 30  # seconds; nothing here takes as long
LONGEST_WAIT = 3.0  # that a well-behaved client waits meanwhile; two cores, all busy


def stateless_meta(capabilities=None):
    return {META + "protocolVersion": "2026-07-28",
            META + "clientCapabilities": capabilities or {}}


def initialize(revision="2025-11-25", capabilities=None, name="test"):
    return {"jsonrpc": "2.0", "id": "init", "method": "initialize", "params": {
        "protocolVersion": revision, "capabilities": capabilities or {},
        "clientInfo": {"name": name, "version": "1"}}}


def ping(name):
    return {"jsonrpc": "2.0", "id": name, "method": "ping"}


def memory(process, what="VmHWM"):
    """In MiB: the most that was resident (VmHWM), or what is now (VmRSS)."""
    for line in pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith(what + ":"):
            return int(line.split()[1]) // 1024
    raise AssertionError("the server has ended")


class HostileTest(unittest.TestCase):
    """A directory to serve, and what is started is ended."""

    def setUp(self):
        self.scratch = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cordon-hostile-")))
        self.addCleanup(shutil.rmtree, self.scratch)
        self.w = self.scratch / "w"
        self.w.mkdir()
        (self.w / "a").write_text("inside")
        self.secret = self.scratch / "secret"
        self.secret.write_text("outside")
        for name in ("home", "run"):
            (self.scratch / name).mkdir(mode=0o700)
        self.environment = {"HOME": str(self.scratch / "home"), "PATH": os.environ["PATH"],
                            "XDG_RUNTIME_DIR": str(self.scratch / "run")}

    def start(self, *arguments, **streams):
        process = subprocess.Popen([BINARY, "mcp", *arguments, str(self.w)], env=self.environment,
                                   stdout=subprocess.PIPE, **streams)

        def clean():
            if process.poll() is None:
                process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                try:
                    if stream:
                        stream.close()
                except BrokenPipeError:
                    pass
        self.addCleanup(clean)
        return process

    def stdio(self):
        return Lines(self.start(stdin=subprocess.PIPE))

    def http(self, address="127.0.0.1:0"):
        token = self.scratch / "token"
        token.write_text(TOKEN + "\n")
        process = self.start("--http", address, "--token-file", str(token),
                             stdin=subprocess.DEVNULL)
        return Http(process, process.stdout.readline().decode().strip())

    def assert_refused(self, reply, code, name=None):
        self.assertEqual(reply.get("error", {}).get("code"), code, str(reply)[:300])
        self.assertNotEqual(reply["error"]["message"], "")
        self.assertEqual(reply.get("id"), name)


class HttpHostileTest(HostileTest):
    """Over HTTP, with as many connections as there may be."""

    def setUp(self):
        super().setUp()
        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))

    def session(self, server, revision="2025-11-25"):
        status, reply, session = server.post(initialize(revision))
        self.assertEqual((status, reply["id"]), (200, "init"))
        self.assertTrue(session)
        return session

    def assert_served(self, bystander, at_least=5):
        self.assertGreaterEqual(bystander.served, at_least)
        self.assertLess(bystander.worst, LONGEST_WAIT)


class Lines:
    """The client at the other end of a server's standard streams."""

    def __init__(self, process):
        self.process = process
        self.said = queue.Queue()
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self):
        for line in self.process.stdout:
            self.said.put(json.loads(line))
        self.said.put(None)

    def write(self, *pieces):
        for piece in pieces:
            self.process.stdin.write(piece)
        self.process.stdin.flush()

    def send(self, message):
        self.write(json.dumps(message).encode(), b"\n")

    def receive(self, patience=PATIENCE):
        message = self.said.get(timeout=patience)
        assert message is not None, "the server has ended"
        return message

    def ask(self, message):
        if isinstance(message, bytes):
            self.write(message, b"\n")
        else:
            self.send(message)
        return self.receive()

    def end(self):
        """The exit status, and what was said at the end."""
        self.process.stdin.close()
        status = self.process.wait(timeout=PATIENCE)
        rest = []
        while (message := self.said.get(timeout=PATIENCE)) is not None:
            rest.append(message)
        return status, rest


class Http:
    """A server on HTTP."""

    def __init__(self, process, url):
        self.process = process
        self.path = url[len("unix:"):] if url.startswith("unix:") else None
        self.port = None if self.path else int(url.split(":")[2].split("/")[0])

    def socket(self, patience=PATIENCE):
        if self.path is None:
            return socket.create_connection(("127.0.0.1", self.port), timeout=patience)
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(patience)
        connection.connect(self.path)
        return connection

    def connection(self, patience=PATIENCE):
        connection = http.client.HTTPConnection("localhost", timeout=patience)
        connection.sock = self.socket(patience)
        connection.auto_open = 0
        return connection

    def head(self, length, **fields):
        """The bytes of a request's head; a field of None is left out."""
        all_fields = {"Host": "localhost", "Authorization": "Bearer " + TOKEN,
                      "Content-Type": "application/json",
                      "Accept": "application/json, text/event-stream", "Content-Length": length}
        all_fields.update({name.replace("_", "-"): value for name, value in fields.items()})
        lines = [f"{name}: {value}" for name, value in all_fields.items() if value is not None]
        return "\r\n".join(["POST /mcp HTTP/1.1", *lines, "", ""]).encode()

    def post(self, body, connection=None, **fields):
        """Status and body, parsed where it is JSON."""
        own = connection is None
        connection = connection or self.connection()
        try:
            if not isinstance(body, bytes):
                fields = {**headers_of(body), **fields}
                body = json.dumps(body).encode()
            head = self.head(len(body), **fields)
            try:
                connection.sock.sendall(head + body)
            except (BrokenPipeError, ConnectionResetError):
                pass  # it was answered before all of it was sent
            return answer(connection)
        finally:
            if own:
                connection.close()

    def end(self):
        self.process.terminate()
        return self.process.wait(timeout=PATIENCE)


def answer(connection):
    reply = http.client.HTTPResponse(connection.sock, method="POST")
    reply.begin()
    text = reply.read()
    kind = reply.getheader("Content-Type", "")
    session = reply.getheader("Mcp-Session-Id")
    status = reply.status
    reply.close()
    if kind == "application/json":
        return status, json.loads(text), session
    return status, text, session


def headers_of(message):
    """What a well-behaved client of the stateless era says in headers."""
    params = message.get("params", {}) if isinstance(message, dict) else {}
    if not isinstance(params, dict) or META + "protocolVersion" not in params.get("_meta", {}):
        return {}
    fields = {"MCP_Protocol_Version": "2026-07-28", "Mcp_Method": message["method"]}
    name = params.get("uri" if message["method"] == "resources/read" else "name")
    if name:
        fields["Mcp_Name"] = name
    return fields


class Bystander:
    """A well-behaved client that goes on calling meanwhile, and how long it waits at most."""

    def __init__(self, server):
        self.server = server
        self.worst = 0.0
        self.served = 0
        self.failure = None
        self.over = threading.Event()
        self.thread = threading.Thread(target=self.call)

    def call(self):
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
            "name": "read_file", "arguments": {"path": "a"}, "_meta": stateless_meta()}}
        try:
            connection = self.server.connection()
            while not self.over.is_set():
                begun = time.monotonic()
                status, reply, _ = self.server.post(message, connection)
                assert status == 200, (status, reply)
                assert reply["result"]["content"][0]["text"] == "inside", reply
                self.worst = max(self.worst, time.monotonic() - begun)
                self.served += 1
                self.over.wait(0.02)
            connection.close()
        except Exception as failure:  # told in the test's own thread
            self.failure = failure

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, kind, value, trace):
        self.over.set()
        self.thread.join()
        if kind is None and self.failure:
            raise self.failure
