"""Errors say what to do next."""

import unittest

from support import World


class NextStep(World):

    def test_every_common_mistake_has_one(self):
        state = self.scratch / "serve"
        for words, says in (
                (("run",), "after --"),
                (("learn",), "after --"),
                (("run", "--root", "nowhere", "--", "true"), "make it first, or name another"),
                (("check", "--root", "/nowhere", "a"), "make it first, or name another"),
                (("mcp", "/nowhere"), "make it first, or name another"),
                (("sandbox", "list"), "start one with 'cordon serve'"),
                (("sandbox", "create", "--server", "127.0.0.1:1"), "cordon serve token create"),
                (("audit", "verify"), "--audit-log names another"),
                (("audit", "query", "--event", "nothing"), "file.read"),
                (("serve", "--driver", "none", "--state", state), "local, docker+runc and docker+runsc"),
                (("serve", "--listen", "192.0.2.1:1", "--state", state), "take 127.0.0.1"),
                (("serve", "--profile", "strict"), "neither sandboxed nor interactive"),
                (("serve", "token", "revoke", "tok_x", "--state", state), "cordon serve token list"),
                (("hook", "install"), "use claude, codex, gemini or cursor"),
                (("approve", "--directory", "here"), "must be an absolute path"),
                (("doctor", "--without", "luck"), "there are landlock"),
                (("manual", "none"), "cordon manual --list"),
                (("undo", "--root", self.w), "history shows"),
                (("chekc",), "Try 'cordon --help'"),
                (("check",), "Try 'cordon check --help'"),
                (("check", "--profile", "lax", "a"), "strict, interactive, sandboxed or compat")):
            with self.subTest(words=words):
                answer = self.run_cordon(*words)
                self.assertNotEqual(answer.status, 0, answer)
                self.assertIn(says, answer.errors + answer.text)


if __name__ == "__main__":
    unittest.main()
