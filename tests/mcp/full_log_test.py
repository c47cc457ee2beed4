#!/usr/bin/env python3
"""Reads that are piped while the disk of the audit log fills: what was told was recorded, and
what could not be recorded was not told."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import unittest

BINARY = os.environ["CORDON_BINARY"]
READS = 3000
CONTENT = "the content of a file"
PATIENCE = 120  # seconds


class FullLogTest(unittest.TestCase):
    def setUp(self):
        self.scratch = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cordon-full-")))
        self.addCleanup(shutil.rmtree, self.scratch)
        self.state = self.scratch / "state"
        self.work = self.scratch / "work"
        self.state.mkdir(mode=0o700)
        self.work.mkdir()
        (self.work / "a").write_text(CONTENT)
        mount = ["mount", "-t", "tmpfs", "-o", "size=1m,mode=0700", "cordon", self.state]
        if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
            self.skipTest("mounting a small file system needs the right to mount")
        self.addCleanup(subprocess.run, ["umount", "-l", self.state], check=False)
        self.environment = dict(os.environ, XDG_STATE_HOME=str(self.state), HOME=str(self.scratch))

    def serve(self, requests: list[dict]) -> dict:
        """The replies by id."""
        server = subprocess.Popen([BINARY, "mcp", self.work], stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, env=self.environment)
        lines = "".join(json.dumps(request) + "\n" for request in requests).encode()
        sender = threading.Thread(target=lambda: (server.stdin.write(lines), server.stdin.flush()))
        sender.start()
        replies = {}
        watchdog = threading.Timer(PATIENCE, server.kill)
        watchdog.start()
        while len(replies) < len(requests):
            line = server.stdout.readline()
            self.assertTrue(line, f"the server ended after {len(replies)} replies")
            reply = json.loads(line)
            replies[reply["id"]] = reply["result"]
        watchdog.cancel()
        sender.join()
        server.stdin.close()
        self.assertEqual(server.wait(PATIENCE), 0)
        server.stdout.close()
        return replies

    def reads_recorded(self) -> int:
        verify = subprocess.run([BINARY, "audit", "verify"], env=self.environment,
                                capture_output=True, text=True, check=False)
        self.assertEqual(verify.returncode, 0, verify.stdout + verify.stderr)
        log = next(self.state.rglob("audit.jsonl"))
        return sum(json.loads(line)["event"] == "file.read" for line in log.read_text().splitlines())

    def test_what_is_told_was_recorded(self):
        (self.state / "ballast").write_bytes(b"b" * 400_000)
        initialize = {"jsonrpc": "2.0", "id": "i", "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}}}
        reads = [{"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {
            "name": "read_file", "arguments": {"path": "a"}}} for number in range(READS)]
        replies = self.serve([initialize, *reads])
        told = [number for number in range(READS) if not replies[number].get("isError")]
        refused = [number for number in range(READS) if replies[number].get("isError")]
        self.assertGreater(len(told), 100, "the disk had room at first")
        self.assertGreater(len(refused), 100, "and then it was full")
        for number in refused:
            text = json.dumps(replies[number])
            self.assertIn("the audit log cannot be written", text)
            self.assertNotIn(CONTENT, text)
        for number in told:
            self.assertIn(CONTENT, json.dumps(replies[number]))
        (self.state / "ballast").unlink()
        subprocess.run([BINARY, "audit", "verify"], env=self.environment, check=True,
                       capture_output=True)
        # Whoever opens the log next brings into the file what is staged.
        self.serve([initialize])
        self.assertEqual(self.reads_recorded(), len(told))


if __name__ == "__main__":
    unittest.main(verbosity=2)
