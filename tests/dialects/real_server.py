"""The npm package itself: installed into a scratch directory, spoken to over stdio."""

import json
import os
import shutil
import subprocess

PACKAGE = "@modelcontextprotocol/server-filesystem"
VERSION = "2026.8.31"
PROTOCOL = "2025-11-25"


class Unavailable(Exception):
    """The package cannot be run here; says why."""


def install(directory):
    """The program to give to node."""
    for program in ("npm", "node"):
        if shutil.which(program) is None:
            raise Unavailable(f"{program} is not installed")
    done = subprocess.run(
        ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts",
         "--prefix", str(directory), f"{PACKAGE}@{VERSION}"],
        capture_output=True, text=True, timeout=300, check=False)
    if done.returncode != 0:
        raise Unavailable(f"npm cannot install {PACKAGE}: {done.stderr.strip()[-300:]}")
    return directory / "node_modules" / PACKAGE / "dist" / "index.js"


class RealServer:
    """One running server, used as a context manager."""

    def __init__(self, program, root):
        environment = {**os.environ, "TZ": "UTC", "HOME": "/nonexistent", "LC_ALL": "C.UTF-8"}
        self.process = subprocess.Popen(
            ["node", str(program), str(root)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=environment)
        self.last_id = 0

    def __enter__(self):
        self.request("initialize", {"protocolVersion": PROTOCOL, "capabilities": {},
                                    "clientInfo": {"name": "recorder", "version": "1"}})
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()

    def send(self, message):
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method, parameters):
        self.last_id += 1
        self.send({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": parameters})
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.last_id:
                return answer["result"]
        raise Unavailable("the server has ended")

    def tools(self):
        return self.request("tools/list", {})["tools"]

    def call(self, name, arguments):
        return self.request("tools/call", {"name": name, "arguments": arguments})
