"""cordon file asks on its terminal, and does what was answered and nothing else."""

import json
import os
import pathlib
import shutil
import tempfile
import unittest

import pty_world

BINARY = os.environ["CORDON_BINARY"]


class Prompted(unittest.TestCase):

    def setUp(self):
        self.scratch = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cordon-prompt-")))
        self.addCleanup(shutil.rmtree, self.scratch)
        for name in ("w", "o"):
            (self.scratch / name).mkdir()
        (self.scratch / "w" / "a").write_text("inside\n")
        (self.scratch / "o" / "f").write_text("outside\n")
        self.environment = {"HOME": str(self.scratch / "home"), "PATH": "/usr/bin:/bin",
                            "TERM": "xterm", "LANG": "C.UTF-8"}
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
            if name in os.environ:
                self.environment[name] = os.environ[name]

    def start(self, *arguments):
        terminal = pty_world.Terminal(
            [BINARY, "file", arguments[0], "--root", str(self.scratch / "w"), "--json",
             *map(str, arguments[1:])], environment=self.environment)
        self.addCleanup(terminal.close)
        return terminal

    def finish(self, terminal):
        printed = terminal.finish()
        self.assertEqual(terminal.attributes(), terminal.before, "not put back")
        return json.loads(printed)

    def records(self):
        log = self.scratch / "home" / ".local" / "state" / "cordon" / "audit.jsonl"
        return [json.loads(line) for line in log.read_text().splitlines()]

    def test_once_reads_it_and_says_so_in_the_log(self):
        terminal = self.start("read", self.scratch / "o" / "f")
        terminal.wait_for_prompt()
        self.assertIn(str(self.scratch / "o" / "f"), "".join(terminal.screen.from_last()))
        terminal.type(b"1")
        self.assertEqual(self.finish(terminal)["data"]["content"], "outside\n")
        decided = [r for r in self.records() if r["event"] == "consent.decided"][0]
        self.assertEqual((decided["choice"], decided["channel"]), ("once", "tty"))

    def test_control_c_denies_and_nothing_happens(self):
        terminal = self.start("delete", "a")
        terminal.wait_for_prompt()
        terminal.type(b"\x03")
        answer = self.finish(terminal)
        self.assertEqual(answer["error"]["code"], "CONSENT_DENIED")
        self.assertTrue((self.scratch / "w" / "a").exists())

    def test_a_timeout_denies(self):
        terminal = self.start("read", self.scratch / "o" / "f", "--ask-timeout", "1")
        terminal.wait_for_prompt()
        answer = self.finish(terminal)
        self.assertEqual(answer["error"]["code"], "CONSENT_UNAVAILABLE")

    def test_what_is_swapped_while_the_person_reads_is_asked_about_anew(self):
        terminal = self.start("read", self.scratch / "o" / "f")
        terminal.wait_for_prompt()
        (self.scratch / "o" / "g").write_text("other, and longer\n")
        os.rename(self.scratch / "o" / "g", self.scratch / "o" / "f")
        terminal.type(b"1")
        terminal.wait_for_text("18 bytes")
        terminal.type(b"3")
        self.assertEqual(self.finish(terminal)["error"]["code"], "CONSENT_DENIED")

    def test_a_link_shows_where_it_leads(self):
        (self.scratch / "w" / "innocent").symlink_to("../o/f")
        terminal = self.start("read", "innocent")
        terminal.wait_for_prompt()
        self.assertIn(str(self.scratch / "o" / "f"), "".join(terminal.screen.from_last()))
        terminal.type(b"3")
        answer = self.finish(terminal)
        self.assertEqual(answer["error"]["code"], "CONSENT_DENIED")
        self.assertNotIn(str(self.scratch / "o"), json.dumps(answer))


if __name__ == "__main__":
    unittest.main()
