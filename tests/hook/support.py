"""A home with a project, and the hook run in it."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

BINARY = os.environ["CORDON_BINARY"]
RECORDED = pathlib.Path(__file__).resolve().parent / "recorded"
AGENTS = ("claude", "codex", "gemini", "cursor")


class Answer:
    def __init__(self, done):
        self.status = done.returncode
        self.out = done.stdout.decode("utf-8")
        self.err = done.stderr.decode("utf-8")

    def __repr__(self):
        return f"status {self.status}\nout {self.out!r}\nerr {self.err!r}"


class World(unittest.TestCase):
    """Recorded inputs speak of /home/dev/project; here that is a directory of the test's own."""

    maxDiff = None

    def setUp(self):
        self.scratch = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cordon-hook-")))
        self.addCleanup(shutil.rmtree, self.scratch)
        self.home = self.scratch / "dev"
        self.project = self.home / "project"
        for directory in ("src", "vendor/deep", ".git/hooks"):
            (self.project / directory).mkdir(parents=True)
        (self.project / "src/main.cc").write_text("int main() {}\n")
        (self.project / ".env").write_text("KEY=secret\n")
        (self.project / "vendor/deep/.env").write_text("KEY=secret\n")
        (self.home / "other").mkdir()
        (self.home / "secret").write_text("secret\n")
        (self.home / "other/secret").write_text("secret\n")
        (self.project / "link").symlink_to(self.home / "other")
        (self.project / "innocent").symlink_to(".env")
        self.environment = {"HOME": str(self.home), "PATH": "/usr/bin:/bin",
                            "XDG_STATE_HOME": str(self.scratch / "state"),
                            "XDG_CONFIG_HOME": str(self.scratch / "config")}
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
            if name in os.environ:
                self.environment[name] = os.environ[name]

    def here(self, recorded):
        """The bytes, about this world."""
        return recorded.replace(b"/home/dev", os.fsencode(self.home))

    def recorded(self, agent, name):
        return self.here((RECORDED / agent / f"{name}.json").read_bytes())

    def cordon(self, *arguments, given=b"", cwd=None, **environment):
        done = subprocess.run([BINARY, *map(os.fsencode, arguments)], input=given,
                              cwd=cwd or self.project, env=self.environment | environment,
                              capture_output=True, timeout=60, check=False)
        return Answer(done)

    def hook(self, agent, given, *more, **keywords):
        return self.cordon("hook", "--agent", agent, *more, given=given, **keywords)

    def records(self):
        log = self.scratch / "state/cordon/audit.jsonl"
        if not log.exists():
            return []
        return [json.loads(line) for line in log.read_text().splitlines()]

    def assert_none(self, answer, about=""):
        # Gemini reads standard error where standard output is empty.
        self.assertEqual((answer.status, answer.out, answer.err), (0, "", ""), (about, answer))

    def assert_denied(self, agent, answer, about=""):
        """In every way the agent reads; returns the reason."""
        self.assertEqual(answer.status, 2, (about, answer))
        reason = answer.err.rstrip("\n")
        self.assertTrue(reason, (about, answer))
        self.assertEqual(answer.err, reason + "\n", "one line")
        self.assertNotIn("\n", reason)
        if agent == "gemini":
            self.assertEqual(json.loads(answer.out), {"decision": "deny", "reason": reason})
        elif agent == "cursor":
            self.assertEqual(json.loads(answer.out), {
                "permission": "deny", "user_message": reason, "agent_message": reason})
        else:
            self.assertEqual(answer.out, "", (about, answer))
        return reason

    def assert_asks(self, agent, answer, about=""):
        self.assertEqual((answer.status, answer.err), (0, ""), (about, answer))
        said = json.loads(answer.out)
        if agent == "claude":
            decision = said["hookSpecificOutput"]
            self.assertEqual(list(said), ["hookSpecificOutput"])
            self.assertEqual(decision["hookEventName"], "PreToolUse")
            self.assertEqual(decision["permissionDecision"], "ask")
            return decision["permissionDecisionReason"]
        self.assertEqual(agent, "cursor", "no other agent can ask")
        self.assertEqual(said["permission"], "ask")
        self.assertEqual(said["user_message"], said["agent_message"])
        return said["user_message"]
