"""cordon audit verify, on logs that the program wrote, read by another implementation, too."""

import os
import re
import subprocess
import unittest

import audit_log
from audit_support import Audit

MAKE_LOG = os.environ["CORDON_MAKE_LOG"]


class Verify(Audit):

    def setUp(self):
        super().setUp()
        self.state.chmod(0o700)
        self.key = self.state / "audit.key"

    def make(self, count, log=None, rotate_at=1 << 26):
        done = subprocess.run([MAKE_LOG, log or self.log, self.key, str(count), str(rotate_at)],
                              capture_output=True, timeout=60, env=self.environment)
        self.assertEqual(done.returncode, 0, done.stderr)

    def files(self):
        return [*sorted(self.state.glob("audit.jsonl.0*")), self.log]

    def damage(self):
        """What verify finds, in both forms, which must agree."""
        found = self.audit("verify", "--json", status=1).json
        self.assertIs(found["success"], False)
        damage = found["data"]["damage"]
        text = self.audit("verify", status=1).text
        self.assertTrue(text.startswith(f"damaged: {damage['kind']}\n"), text)
        self.assertIn(f"  file       \"{damage['file']}\"\n", text)
        self.assertIn(f"  what       {damage['detail']}\n", text)
        if "line" in damage:
            self.assertIn(f"  line       {damage['line']}\n", text)
        return damage

    def change(self, path, old, new):
        data = path.read_bytes()
        self.assertIn(old, data)
        path.write_bytes(data.replace(old, new, 1))

    def test_another_implementation_agrees(self):
        self.make(300, rotate_at=20000)
        key = bytes.fromhex(self.key.read_text().strip())
        self.assertEqual(len(key), 32)
        files = self.files()
        self.assertGreater(len(files), 3)
        found, count = audit_log.problems(files, key)
        self.assertEqual(found, [])
        text = self.audit("verify").text
        self.assertRegex(text, rf"^verified: {count} records, 1-{count}, head {count}:[0-9a-f]{{64}}\n$")
        self.assertIn(files[-1].read_bytes()[-67:-3].decode(), text)

    def test_everything_the_program_writes_it_can_show(self):
        self.make(300, rotate_at=20000)
        answer = self.audit("query", "--json")
        self.assertEqual(answer.err, b"")
        self.assertEqual(answer.out, b"".join(path.read_bytes() for path in self.files()))
        answer = self.audit("tail", "-n", "1000")
        self.assertEqual(answer.err, b"")
        self.assertEqual(len(answer.text.splitlines()), len(answer.text.split("\n")) - 1)
        names = {audit_log.decode(path) for path in
                 re.findall(r'"asked":"([^"]*)"', self.log.read_text())}
        self.assertIn(b"caf\xe9 %41 \"quoted\" \\", names)
        self.assertIn(b"a\nb\x1b[2J", names)

    def test_the_other_implementation_writes_the_same_bytes(self):
        self.make(40)
        for line in self.log.read_bytes().splitlines():
            for text in re.findall(rb'"(?:asked|target)":"([^"]*)"', line):
                self.assertEqual(audit_log.encode(audit_log.decode(text.decode())), text.decode())

    def test_no_log_and_no_key(self):
        answer = self.audit("verify", status=2)
        self.assertIn(f'"{self.log}"', answer.errors)
        self.assertIn("no audit log yet", answer.errors)
        self.make(3)
        self.key.unlink()
        answer = self.audit("verify", status=2)
        self.assertIn(f'"{self.key}"', answer.errors)
        self.assertEqual(self.audit("verify", "--json", status=2).json["error"]["code"],
                         "NOT_FOUND")

    def test_a_changed_record_is_named(self):
        self.make(50)
        line = self.log.read_bytes().splitlines()[20]
        self.change(self.log, line, line.replace(b'"s1"', b'"s2"'))
        damage = self.damage()
        self.assertEqual(damage["kind"], "changed")
        self.assertEqual((damage["line"], damage["record"]), (21, 21))
        self.assertIn("audit.jsonl", damage["file"])

    def test_removed_reordered_truncated(self):
        self.make(50)
        lines = self.log.read_bytes().splitlines(keepends=True)
        whole = b"".join(lines)
        for kind, changed in (("removed", lines[:20] + lines[21:]),
                              ("reordered", lines[:20] + [lines[21], lines[20]] + lines[22:]),
                              ("truncated", lines[:-1])):
            with self.subTest(kind):
                self.log.write_bytes(b"".join(changed))
                self.assertEqual(self.damage()["kind"], kind)
                self.log.write_bytes(whole)
                self.audit("verify")

    def test_archived_files(self):
        self.make(300, rotate_at=20000)
        first = self.files()[0]
        count = len(first.read_bytes().splitlines())
        first.rename(self.scratch / "archived")
        self.assertEqual(self.damage()["kind"], "removed")
        text = self.audit("verify", "--from", str(count + 1)).text
        self.assertRegex(text, rf"^verified: \d+ records, {count + 1}-\d+, head ")

    def test_anchors(self):
        self.make(5)
        head = self.audit("verify", "--json").json["data"]["head"]
        saved = {path: path.read_bytes() for path in self.state.iterdir()}
        self.make(5)
        later = self.audit("verify", "--expect", head, "--json").json["data"]["head"]
        self.assertNotEqual(head, later)
        self.audit("verify", "--expect", head, "--expect", later)
        for path, data in saved.items():  # log and head put back together
            path.write_bytes(data)
        self.audit("verify")
        answer = self.audit("verify", "--expect", later, status=1)
        self.assertIn("damaged: ", answer.text)
        wrong = head[:-1] + ("0" if head[-1] != "0" else "1")
        self.audit("verify", "--expect", wrong, status=1)

    def test_mistakes(self):
        self.make(1)
        for arguments in (("--from", "0"), ("--from", "x"), ("--expect", "5"), ("--expect", "5:ab"),
                          ("--expect", "0:" + "a" * 64), ("--expect", ":" + "a" * 64),
                          ("--expect", "1:" + "A" * 64), ("--from", "999")):
            answer = self.audit("verify", *arguments, status=2)
            self.assertEqual(answer.out, b"", arguments)

    def test_hostile_text_in_a_damaged_log(self):
        self.make(3)
        with open(self.log, "ab") as log:
            log.write(b"\x1b[2J\xe2\x80\xae\xff\n")
        self.assertEqual(self.damage()["kind"], "added")

    def test_others_may_not_write_the_log(self):
        self.make(3)
        self.log.chmod(0o666)
        self.audit("verify", status=3)

    def test_verify_changes_nothing(self):
        self.make(3)
        before = self.snapshot()
        self.audit("verify")
        self.assertEqual(self.snapshot(), before)


if __name__ == "__main__":
    unittest.main()
