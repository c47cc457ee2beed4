"""What the tests of dialects share: a session of `cordon tool --batch`."""

import json
import os
import subprocess

BINARY = os.environ.get("CORDON_BINARY", "")


class Session:
    """One batch of calls in one dialect, used as a context manager."""

    def __init__(self, base, root, dialect, *flags):
        home = base / "home"
        home.mkdir(exist_ok=True)
        environment = {"HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config"),
                       "XDG_STATE_HOME": str(home / ".state"), "PATH": "/usr/bin:/bin"}
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
            if name in os.environ:
                environment[name] = os.environ[name]
        self.process = subprocess.Popen(
            [BINARY, "tool", "--batch", "--dialect", dialect, "--root", str(root),
             "--profile", "strict", *flags],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        status = self.process.wait(60)
        self.process.stdout.close()
        assert status == 0, f"cordon tool ended with {status}"

    def call(self, tool, arguments):
        line = json.dumps({"tool": tool, "arguments": arguments})
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())


def declarations(dialect):
    """The tools of a dialect as a client sees them."""
    done = subprocess.run([BINARY, "tool", "--list", "--dialect", dialect],
                          capture_output=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def as_content(answer):
    """What an MCP client would be sent: content blocks, and whether it is an error."""
    if not answer["success"]:
        return {"content": [{"type": "text", "text": answer["text"]}], "isError": True}
    if "attachments" in answer:
        return {"content": answer["data"]["content"], "isError": False}
    return {"content": [{"type": "text", "text": answer["text"]}], "isError": False}
