"""cordon mcp as a client sees it that has started it: on stdin and stdout."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import unittest
import urllib.error
import urllib.request

BINARY = os.environ["CORDON_BINARY"]
META = "io.modelcontextprotocol/"


class Server:
    """One running server, and a thread that reads what it says."""

    def __init__(self, arguments, environment):
        self.process = subprocess.Popen([BINARY, "mcp", *arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        env=environment)
        self.last = 0
        self.errors = b""
        self.reader = threading.Thread(target=self.read_errors)
        self.reader.start()

    def read_errors(self):
        self.errors = self.process.stderr.read()

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def receive(self):
        line = self.process.stdout.readline()
        assert line, "the server has ended"
        return json.loads(line)

    def request(self, method, params, answers=None):
        """The result; what the server asks meanwhile is answered from `answers`, by method."""
        self.last += 1
        self.send({"jsonrpc": "2.0", "id": self.last, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self.last and "method" not in message:
                return message
            if "method" in message and "id" in message:
                self.send({"jsonrpc": "2.0", "id": message["id"],
                           "result": (answers or {})[message["method"]]})

    def initialize(self, capabilities):
        reply = self.request("initialize", {
            "protocolVersion": "2025-11-25", "capabilities": capabilities,
            "clientInfo": {"name": "test", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return reply["result"]

    def call(self, tool, arguments, answers=None):
        return self.request("tools/call", {"name": tool, "arguments": arguments}, answers)["result"]

    def stateless(self, method, params):
        meta = {META + "protocolVersion": "2026-07-28",
                META + "clientCapabilities": {"elicitation": {"form": {}}}}
        return self.request(method, {"_meta": meta, **params})

    def end(self):
        self.process.stdin.close()
        rest = self.process.stdout.read()
        status = self.process.wait(timeout=20)
        self.reader.join()
        self.process.stdout.close()
        self.process.stderr.close()
        return status, rest


class StdioTest(unittest.TestCase):
    def setUp(self):
        self.scratch = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cordon-mcp-")))
        self.addCleanup(shutil.rmtree, self.scratch)
        self.w = self.scratch / "w"
        (self.w / "sub").mkdir(parents=True)
        (self.w / "a").write_text("inside")
        (self.w / "sub" / "b").write_text("below")
        (self.scratch / "secret").write_text("outside")
        home = self.scratch / "home"
        home.mkdir()
        run = self.scratch / "run"
        run.mkdir(mode=0o700)
        self.environment = {"HOME": str(home), "PATH": os.environ["PATH"],
                            "XDG_RUNTIME_DIR": str(run)}

    def start(self, *arguments):
        server = Server(arguments, self.environment)

        def clean():
            if server.process.poll() is None:
                server.process.kill()
                server.process.wait()
            server.reader.join()
            for stream in (server.process.stdin, server.process.stdout, server.process.stderr):
                try:
                    stream.close()
                except BrokenPipeError:
                    pass
        self.addCleanup(clean)
        return server

    def text(self, result):
        return result["content"][0]["text"]

    def test_serves_and_ends_with_its_input(self):
        server = self.start(str(self.w))
        self.assertEqual(server.initialize({})["serverInfo"]["name"], "cordon")
        tools = server.request("tools/list", {})["result"]["tools"]
        self.assertIn("write_file", [tool["name"] for tool in tools])
        self.assertEqual(self.text(server.call("read_file", {"path": "a"})), "inside")
        refused = server.call("read_file", {"path": str(self.scratch / "secret")})
        self.assertTrue(refused["isError"])
        listed = server.request("resources/list", {})["result"]["resources"]
        self.assertEqual([one["uri"] for one in listed],
                         [(self.w / "a").as_uri(), (self.w / "sub/b").as_uri()])
        status, rest = server.end()
        self.assertEqual((status, rest), (0, b""), server.errors)

    def test_asks_through_the_client(self):
        server = self.start("--root", str(self.w))
        server.initialize({"elicitation": {}})
        accept = {"elicitation/create": {"action": "accept", "content": {"decision": "once"}}}
        secret = str(self.scratch / "secret")
        self.assertEqual(self.text(server.call("read_file", {"path": secret}, accept)), "outside")
        decline = {"elicitation/create": {"action": "decline"}}
        self.assertTrue(server.call("read_file", {"path": secret}, decline)["isError"])
        self.assertEqual(server.end()[0], 0)

    def test_asks_to_be_called_again(self):
        server = self.start(str(self.w))
        call = {"name": "read_file", "arguments": {"path": str(self.scratch / "secret")}}
        asked = server.stateless("tools/call", call)["result"]
        self.assertEqual(asked["resultType"], "input_required")
        (key, question), = asked["inputRequests"].items()
        self.assertIn(str(self.scratch / "secret"), question["params"]["message"])
        again = {**call, "requestState": asked["requestState"],
                 "inputResponses": {key: {"action": "accept", "content": {"decision": "once"}}}}
        done = server.stateless("tools/call", again)["result"]
        self.assertEqual(done["resultType"], "complete")
        self.assertEqual(self.text(done), "outside")
        replayed = server.stateless("tools/call", again)
        self.assertIn("error", replayed)
        self.assertEqual(server.end()[0], 0)

    def test_works_in_the_roots_of_the_client(self):
        server = self.start("--profile", "strict", str(self.w))
        server.initialize({"roots": {"listChanged": True}})
        roots = {"roots/list": {"roots": [{"uri": (self.w / "sub").as_uri()}]}}
        self.assertEqual(self.text(server.call("read_file", {"path": "b"}, roots)), "below")
        self.assertTrue(server.call("read_file", {"path": str(self.w / "a")}, roots)["isError"])
        server.send({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"})
        roots = {"roots/list": {"roots": [{"uri": self.w.as_uri()}]}}
        self.assertEqual(self.text(server.call("read_file", {"path": "a"}, roots)), "inside")
        self.assertEqual(server.end()[0], 0)

    def test_read_only(self):
        server = self.start("--read-only", "--dialect", "mcp-filesystem", str(self.w))
        server.initialize({})
        names = [tool["name"] for tool in server.request("tools/list", {})["result"]["tools"]]
        self.assertIn("read_text_file", names)
        self.assertNotIn("write_file", names)
        reply = server.request("tools/call", {"name": "write_file", "arguments":
                                              {"path": str(self.w / "a"), "content": "x"}})
        self.assertEqual(reply["error"]["code"], -32602)
        self.assertEqual((self.w / "a").read_text(), "inside")
        self.assertEqual(server.end()[0], 0)

    def test_tells_of_changes(self):
        server = self.start(str(self.w))
        server.initialize({})
        uri = (self.w / "a").as_uri()
        self.assertEqual(server.request("resources/subscribe", {"uri": uri})["result"], {})
        (self.w / "a").write_text("changed")
        told = server.receive()
        self.assertEqual(told["method"], "notifications/resources/updated")
        self.assertEqual(told["params"]["uri"], uri)
        self.assertEqual(server.end()[0], 0)

    def test_says_what_is_wrong(self):
        for arguments in (["--dialect", "klingon", str(self.w)], [str(self.w / "none")]):
            done = subprocess.run([BINARY, "mcp", *arguments], env=self.environment,
                                  stdin=subprocess.DEVNULL, capture_output=True, check=False)
            self.assertEqual(done.returncode, 2, done)
            self.assertEqual(done.stdout, b"")
            self.assertNotEqual(done.stderr, b"")

    def test_ends_when_nobody_reads(self):
        server = self.start(str(self.w))
        server.initialize({})
        server.process.stdout.close()
        try:
            for _ in range(100):
                server.send({"jsonrpc": "2.0", "id": "x", "method": "ping"})
        except BrokenPipeError:
            pass
        self.assertEqual(server.process.wait(timeout=20), 0)


class HttpTest(unittest.TestCase):
    """The same over HTTP, as far as the command line is concerned."""

    setUp = StdioTest.setUp

    def post(self, url, token):
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {
            "_meta": {META + "protocolVersion": "2026-07-28",
                      META + "clientCapabilities": {}}}}).encode()
        headers = {"Content-Type": "application/json", "MCP-Protocol-Version": "2026-07-28",
                   "Accept": "application/json, text/event-stream",
                   "Mcp-Method": "server/discover"}
        if token:
            headers["Authorization"] = "Bearer " + token
        try:
            with urllib.request.urlopen(urllib.request.Request(url, body, headers),
                                        timeout=20) as reply:
                return reply.status, json.load(reply)
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, None

    def serve(self, *arguments):
        process = subprocess.Popen([BINARY, "mcp", "--http", "127.0.0.1:0", *arguments],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=self.environment)

        def clean():
            if process.poll() is None:
                process.kill()
            process.wait()
            process.stdout.close()
            process.stderr.close()
        self.addCleanup(clean)
        return process, process.stdout.readline().decode().strip()

    def test_serves_who_has_the_token_and_ends_when_asked(self):
        token = "0123456789abcdef0123456789abcdef"
        file = self.scratch / "token"
        file.write_text(token + "\n")
        process, url = self.serve("--token-file", str(file), str(self.w))
        self.assertEqual(self.post(url, None)[0], 401)
        self.assertEqual(self.post(url, token[:-1])[0], 401)
        status, reply = self.post(url, token)
        self.assertEqual(status, 200)
        self.assertIn("2026-07-28", reply["result"]["supportedVersions"])
        process.terminate()
        self.assertEqual(process.wait(timeout=20), 0)

    def test_makes_a_token(self):
        process, url = self.serve(str(self.w))
        token = process.stderr.readline().decode().split()[-1]
        self.assertEqual(self.post(url, token)[0], 200)

    def test_refuses_what_is_no_token(self):
        file = self.scratch / "token"
        file.write_text("short\n")
        process, url = self.serve("--token-file", str(file), str(self.w))
        self.assertEqual((process.wait(timeout=20), url), (2, ""))


if __name__ == "__main__":
    unittest.main()
