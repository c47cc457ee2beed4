"""cordon mcp with the clients that people use, over stdio and HTTP, in both eras."""

import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import packages

BINARY = os.environ["CORDON_BINARY"]
CLIENTS = pathlib.Path(__file__).parent / "clients"
TOKEN = "0123456789abcdef0123456789abcdef"


class Clients(unittest.TestCase):
    """The libraries: every scenario of clients/scenarios.mjs."""

    @classmethod
    def setUpClass(cls):
        cls.packages = packages.packages()
        text = (CLIENTS / "scenarios.mjs").read_text()
        cls.scenarios = re.findall(r"^  async (\w+)\(", text, re.MULTILINE)

    def run_client(self, kind, transport):
        done = subprocess.run(
            [self.packages / "node/bin/node", CLIENTS / "run.mjs", kind, BINARY, transport],
            capture_output=True, text=True, timeout=150, check=False,
            env={**os.environ, "CORDON_PACKAGES": str(self.packages)})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(done.stdout.splitlines(), [f"ok {name}" for name in self.scenarios])

    def test_every_scenario(self):
        self.assertGreaterEqual(len(self.scenarios), 10)
        for kind in ("sdk", "client-legacy", "client-modern"):
            for transport in ("stdio", "http"):
                with self.subTest(kind=kind, transport=transport):
                    self.run_client(kind, transport)


class Inspector(unittest.TestCase):
    """The Inspector's command line, which also checks that other clients can use the schemas."""

    @classmethod
    def setUpClass(cls):
        cls.packages = packages.packages()

    def setUp(self):
        self.scratch = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cordon-mcp-")))
        self.addCleanup(shutil.rmtree, self.scratch)
        self.work = self.scratch / "work"
        self.work.mkdir()
        (self.work / "hello.txt").write_text("hello\n")
        (self.scratch / "home").mkdir()
        self.environment = {"HOME": str(self.scratch / "home"), "PATH": os.environ["PATH"]}

    @contextlib.contextmanager
    def http(self, *flags):
        """How the Inspector reaches a server that is up meanwhile."""
        file = self.scratch / "token"
        file.write_text(TOKEN)
        with subprocess.Popen([BINARY, "mcp", *flags, "--http", "127.0.0.1:0", "--token-file",
                               file, self.work], stdin=subprocess.DEVNULL, text=True,
                              stdout=subprocess.PIPE, env=self.environment) as server:
            try:
                url = server.stdout.readline().strip()
                yield [url, "--header", f"Authorization: Bearer {TOKEN}"]
            finally:
                server.terminate()
                self.assertEqual(server.wait(20), 0)

    @contextlib.contextmanager
    def stdio(self, *flags):
        yield [BINARY, "mcp", *flags, str(self.work)]

    def inspect(self, target, era, *arguments):
        launcher = self.packages / "@modelcontextprotocol/inspector/clients/launcher/build/index.js"
        done = subprocess.run(
            [self.packages / "node/bin/node", launcher, "--cli", *target, "--protocol-era", era,
             "--format", "json", *arguments],
            capture_output=True, text=True, timeout=60, check=False, stdin=subprocess.DEVNULL,
            env=self.environment)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-4000:])
        return json.loads(done.stdout)["result"], done.stderr

    def ways(self, *flags):
        """Every transport and era, each as (target, era)."""
        for transport in (self.stdio, self.http):
            with transport(*flags) as target:
                for era in ("legacy", "modern"):
                    with self.subTest(transport=transport.__name__, era=era):
                        yield target, era

    def test_finds_nothing_wrong_with_the_tools(self):
        for target, era in self.ways():
            result, said = self.inspect(target, era, "--method", "tools/list", "--strict")
            self.assertGreaterEqual(len(result["tools"]), 18)
            self.assertEqual(said, "")

    def test_finds_nothing_wrong_with_other_agents_tools(self):
        for dialect in ("mcp-filesystem", "gemini", "lighthouse", "lace", "claude", "openhands"):
            with self.subTest(dialect=dialect), self.stdio("--dialect", dialect) as target:
                result, said = self.inspect(target, "legacy", "--method", "tools/list", "--strict")
                self.assertGreater(len(result["tools"]), 0)
                self.assertEqual(said, "")

    def test_calls_a_tool(self):
        for target, era in self.ways("--profile", "strict"):
            read, _ = self.inspect(target, era, "--method", "tools/call", "--tool-name",
                                   "read_file", "--tool-args-json", '{"path": "hello.txt"}')
            self.assertEqual(read["content"], [{"type": "text", "text": "hello\n"}])
            self.assertEqual(read["structuredContent"]["total_lines"], 1)

    def test_reads_a_resource(self):
        for target, era in self.ways("--profile", "strict"):
            uri = (self.work / "hello.txt").as_uri()
            read, _ = self.inspect(target, era, "--method", "resources/read", "--uri", uri)
            self.assertEqual(read["contents"][0]["text"], "hello\n")


if __name__ == "__main__":
    unittest.main()
