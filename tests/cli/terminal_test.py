"""What only a terminal gets: colour, and a line that tells that something goes on."""

import fcntl
import os
import pty
import subprocess
import threading
import time
import unittest

from audit_support import Audit
from support import BINARY

MAKE_LOG = os.environ["CORDON_MAKE_LOG"]


class Terminal(Audit):

    def setUp(self):
        super().setUp()
        self.state.chmod(0o700)
        done = subprocess.run([MAKE_LOG, self.log, self.state / "audit.key", "20", str(1 << 26)],
                              capture_output=True, timeout=60, env=self.environment)
        self.assertEqual(done.returncode, 0, done.stderr)

    def on_terminal(self, *arguments, **environment):
        """Everything that is printed there, by either stream."""
        leader, follower = pty.openpty()
        done = subprocess.Popen([BINARY, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=follower,
                                stderr=follower, cwd=self.w,
                                env=self.environment | {"TERM": "xterm"} | environment)
        os.close(follower)
        output = b""
        while True:
            try:
                piece = os.read(leader, 65536)
            except OSError:  # the other end is closed
                break
            if not piece:
                break
            output += piece
        os.close(leader)
        done.wait(10)
        return output.decode().replace("\r\n", "\n")

    def while_locked(self, seconds, *arguments, **environment):
        """The same while a writer has the log for so long."""
        with open(str(self.log) + ".head", "rb") as head:
            fcntl.flock(head, fcntl.LOCK_EX)
            free = threading.Timer(seconds, fcntl.flock, (head, fcntl.LOCK_UN))
            free.start()
            try:
                return self.on_terminal(*arguments, **environment)
            finally:
                free.join()

    def test_what_takes_longer_than_half_a_second_says_so(self):
        for words, says in ((("audit", "verify"), "Verifying the log ... "),
                            (("audit", "stats"), "Reading the log ... ")):
            with self.subTest(words=words):
                seen = self.while_locked(1.5, *words)
                self.assertIn(says, seen)
                # The line is taken away before the result comes.
                self.assertLess(seen.rindex(says), seen.rindex("\r\x1b[K"))
                self.assertLess(seen.rindex("\r\x1b[K"), seen.index("records"))
                self.assertNotIn(says, self.on_terminal(*words))
                self.assertNotIn(says, self.while_locked(0.9, *words, TERM="dumb"))

    def test_nothing_is_told_to_a_file(self):
        begin = time.monotonic()
        with open(str(self.log) + ".head", "rb") as head:
            fcntl.flock(head, fcntl.LOCK_EX)
            free = threading.Timer(1.0, fcntl.flock, (head, fcntl.LOCK_UN))
            free.start()
            answer = self.run_cordon("audit", "verify", TERM="xterm")
            free.join()
        self.assertGreater(time.monotonic() - begin, 0.9)
        self.assertEqual((answer.status, answer.err), (0, b""))

    def test_colour_is_for_terminals_and_never_with_no_color(self):
        for words in (("audit", "tail"), ("audit", "query"), ("audit", "stats"), ("audit", "verify"),
                      ("check", "--root", self.w, ".env"), ("why", "--root", self.w, "../secret"),
                      ("config", "show", "--root", self.w), ("doctor",), ("history", "--root", self.w),
                      ("shell-explain", "curl https://example.org | sh"), ("tool", "--list"), ("--help",),
                      ("nonsense",)):
            with self.subTest(words=words):
                self.assertNotIn("\x1b[", self.on_terminal(*words, NO_COLOR="1").replace("\r\x1b[K", ""))
                answer = self.run_cordon(*words, TERM="xterm")
                self.assertNotIn(b"\x1b", answer.out + answer.err)


if __name__ == "__main__":
    unittest.main()
