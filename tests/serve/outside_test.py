"""Tools of a sandbox and this machine's files outside it: refused, or under --profile interactive asked of
the server's owner, and of nobody else."""

import pathlib
import shutil
import tempfile
import threading
import time
import unittest

from served import ServeTest


class Outside(ServeTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.place = pathlib.Path(tempfile.mkdtemp(prefix="cordon-outside-", dir="/var/tmp"))
        cls.addClassCleanup(shutil.rmtree, cls.place, ignore_errors=True)
        (cls.place / "notes").mkdir()
        (cls.place / "notes" / "a").write_text("a note\n")
        (cls.place / "notes" / "b").write_text("another\n")
        (cls.place / "notes" / ".env").write_text("KEY=secret\n")

    def read(self, sandbox, path, token=None):
        return self.ask("POST", sandbox + "/tools/read_file", {"path": str(path)}, token=token).json

    def refused(self, answer):
        self.assertIs(answer["success"], False, answer)
        self.assertEqual(answer["error"]["code"], "PATH_OUTSIDE_PROJECT", answer)

    def nobody_is_asked(self):
        self.assertEqual(self.ask("GET", "/v1/approvals").json["approvals"], [])


class RefusedTest(Outside):
    def test_by_default_it_is_refused(self):
        path = self.sandbox()
        self.refused(self.read(path, self.place / "notes" / "a"))
        self.nobody_is_asked()


class AskedTest(Outside):
    flags = ("--profile", "interactive")

    def answered(self, sandbox, path, choice, before=lambda question: None):
        done = []
        caller = threading.Thread(target=lambda: done.append(self.read(sandbox, path)))
        caller.start()
        deadline = time.monotonic() + 30
        while not (waiting := self.ask("GET", "/v1/approvals").json["approvals"]):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.02)
        before(waiting[0])
        self.assertEqual(self.ask("POST", "/v1/approvals/" + waiting[0]["id"], {"choice": choice}).status, 204)
        caller.join(30)
        return done[0]

    def test_the_owner_is_asked_and_may_allow_the_directory(self):
        path = self.sandbox()
        notes = self.place / "notes"

        def looks_right(question):
            self.assertEqual((question["reason"], question["path"]), ("outside", str(notes / "a")))
            self.assertEqual(question["directory"], str(notes))
            self.assertEqual(question["choices"], ["deny", "once", "directory"])

        self.assertIn("a note", self.answered(path, notes / "a", "directory", looks_right)["text"])
        self.assertIn("another", self.read(path, notes / "b")["text"])
        # For this sandbox alone.
        other = self.sandbox()
        self.assertEqual(self.answered(other, notes / "b", "deny")["error"]["code"], "CONSENT_DENIED")
        self.nobody_is_asked()

    def test_nothing_that_is_denied_or_cordons_own_is_asked_about(self):
        path, other = self.sandbox(), self.sandbox()
        self.assertEqual(self.ask("PUT", other + "/archive/.", b"\0" * 1024).status, 200)
        state = self.server.state
        for secret in (self.place / "notes" / ".env", state / "token", state / "audit.key", state / "preview.key",
                       state / "sandboxes", state / "sandboxes" / other.split("/")[-1] / "workspace"):
            self.refused(self.read(path, secret))
        self.nobody_is_asked()

    def test_only_what_is_named_outright_is_asked_about(self):
        path = self.sandbox()
        self.ask("POST", path + "/exec", {"command": f"ln -s {self.place}/notes/a link"})
        for way in ("link", "/workspace/link", "../../../../" + str(self.place / "notes" / "a")):
            self.refused(self.read(path, way))
        self.nobody_is_asked()

    def test_nobody_else_is_asked(self):
        stranger = self.server.token("stranger", *[word for scope in (
            "sandboxes:read", "sandboxes:write", "approvals", "admin") for word in ("--scope", scope)])
        path = self.sandbox(token=stranger)
        self.refused(self.read(path, self.place / "notes" / "a", token=stranger))
        self.assertEqual(self.ask("GET", "/v1/approvals", token=stranger).json["approvals"], [])

    def test_commands_get_nothing_of_it(self):
        path = self.sandbox()
        self.answered(path, self.place / "notes" / "a", "directory")
        done = self.ask("POST", path + "/exec", {"command": f"cat {self.place}/notes/a"}).json
        self.assertNotEqual(done["exitStatus"], 0, done)


if __name__ == "__main__":
    unittest.main()
