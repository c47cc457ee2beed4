"""cordon undo and cordon history, by the real binary."""

import json
import os
import subprocess
import unittest

import support

STRICT = ("--profile", "strict")


class Undo(support.World):

    def cordon(self, *arguments, stdin=b"", **environment):
        done = subprocess.run([support.BINARY, *map(os.fsencode, arguments)], input=stdin,
                              env={**self.environment, **environment}, cwd=self.w,
                              capture_output=True, timeout=30, check=False)
        return support.Answer(done)

    def write(self, path, content, *flags):
        answer = self.cordon("file", "write", "--root", self.w, *STRICT, *flags, path, stdin=content)
        self.assertEqual(answer.status, 0, answer)

    def undo(self, *flags):
        return self.cordon("undo", "--root", self.w, *STRICT, *flags)

    def history(self, *flags):
        answer = self.cordon("history", "--root", self.w, *STRICT, "--json", *flags)
        self.assertEqual(answer.status, 0, answer)
        return json.loads(answer.text)["data"]["operations"]

    def test_steps_operations_and_sessions(self):
        for number in range(6):
            self.write(f"f{number}", b"x", "--session", "even" if number % 2 == 0 else "odd")
        self.assertEqual([o["operation"] for o in self.history()], [6, 5, 4, 3, 2, 1])
        self.assertEqual(self.undo("--steps", "2", "--dry-run").status, 0)
        self.assertTrue((self.w / "f5").exists())
        self.assertEqual(self.undo("--steps", "2").status, 0)
        self.assertFalse((self.w / "f5").exists() or (self.w / "f4").exists())
        self.assertEqual(self.undo("--operation", "2").status, 0)
        self.assertFalse((self.w / "f1").exists())
        self.assertEqual(self.undo("--session", "even").status, 0)
        self.assertEqual([(self.w / f"f{i}").exists() for i in range(4)],
                         [False, False, False, True])
        self.assertEqual([o["operation"] for o in self.history("--session", "odd")
                          if "undone_by" not in o], [4])
        self.assertEqual(self.undo("--steps", "1", "--operation", "4").status, 2)
        self.assertEqual(self.undo("--operation", "99").status, 1)

    def test_what_a_person_changed_is_shown_and_stays(self):
        self.write("notes", b"one\n")
        (self.w / "notes").write_bytes(b"one\n\x1b[2Jmine\n")
        answer = self.undo()
        self.assertEqual(answer.status, 1)
        self.assertIn("STALE_FILE", answer.errors)
        self.assertIn("mine", answer.errors)
        self.assertNotIn("\x1b", answer.errors)
        self.assertEqual((self.w / "notes").read_bytes(), b"one\n\x1b[2Jmine\n")
        answer = json.loads(self.undo("--json").text)
        self.assertEqual(answer["error"]["code"], "STALE_FILE")
        self.assertIn("+\x1b[2Jmine", answer["error"]["data"]["diff"])

    def test_a_tree_comes_back(self):
        deep = self.w / "tree" / "a" / "b"
        deep.mkdir(parents=True)
        (deep / os.fsdecode(b"odd\xff\n")).write_bytes(bytes(range(256)))
        (deep / "run").write_text("#!/bin/sh\n")
        (deep / "run").chmod(0o755)
        answer = self.cordon("file", "delete", "-r", "--root", self.w, *STRICT, "tree")
        self.assertEqual(answer.status, 0, answer)
        self.assertFalse((self.w / "tree").exists())
        self.assertEqual(self.undo().status, 0)
        self.assertEqual((deep / os.fsdecode(b"odd\xff\n")).read_bytes(), bytes(range(256)))
        self.assertEqual((deep / "run").stat().st_mode & 0o777, 0o755)

    def test_the_journal_is_private_and_out_of_reach(self):
        self.write("a", b"x")
        undo = self.home / ".state" / "cordon" / "undo"
        for path in (undo, *undo.rglob("*")):
            self.assertEqual(path.stat().st_mode & 0o077, 0, path)
        answer = self.cordon("file", "read", "--root", self.home, *STRICT,
                             ".state/cordon/undo/journal")
        self.assertEqual(answer.status, 1, answer)
        self.assertIn("PATH_DENIED", answer.errors)

    def test_off_is_said(self):
        self.write("a", b"x", "--undo", "off")
        self.assertEqual(self.history(), [])
        self.assertEqual(self.undo("--undo", "off").status, 3)
        self.assertEqual(self.cordon("undo", "--undo", "perhaps").status, 2)


if __name__ == "__main__":
    unittest.main()
