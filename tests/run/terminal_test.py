"""Programs on a terminal behind the line: typing, signals, the size of the window, full-screen programs."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
import unittest

from workplace import NOBODY, RunTest, for_root_too, marked


class Terminal(RunTest):
    user = NOBODY

    def open(self, *command, rows=30, columns=100):
        """The command on a terminal of its own, as a person's shell would start it."""
        self.master, slave = pty.openpty()
        self.addCleanup(os.close, self.master)
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.give(os.ttyname(slave))
        self.seen = ""

        def controlled():
            os.setsid()
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
        self.process = subprocess.Popen(self.cordon(*command), cwd=self.work, stdin=slave, stdout=slave, stderr=slave,
                                        env=self.environment(PS1="$ "), preexec_fn=controlled, **self.as_user())
        os.close(slave)

        def end():
            self.process.kill()
            self.process.wait()
        self.addCleanup(end)

    def expect(self, pattern, patience=30):
        """Reads until the pattern has been shown; what was before it is dropped."""
        deadline = time.monotonic() + patience
        while not (found := re.search(pattern, self.seen, re.S)):
            left = deadline - time.monotonic()
            ready = select.select([self.master], [], [], max(0, left))[0]
            self.assertTrue(ready, f"{pattern} is not in {self.seen!r}")
            try:
                data = os.read(self.master, 65536)
            except OSError:
                data = b""
            self.assertTrue(data, f"ended before {pattern}: {self.seen!r}")
            self.seen += data.decode(errors="replace")
        self.seen = self.seen[found.end():]
        return found

    def type(self, text):
        os.write(self.master, text.encode())

    def ended(self, patience=30):
        deadline = time.monotonic() + patience
        while self.process.poll() is None:
            self.assertLess(time.monotonic(), deadline, self.seen)
            if select.select([self.master], [], [], 0.05)[0]:
                try:
                    self.seen += os.read(self.master, 65536).decode(errors="replace")
                except OSError:
                    pass
        return self.process.returncode

    def test_a_shell(self):
        self.open("bash", "--norc", "-i")
        self.type("echo $((40+2))\n")
        self.expect(r"echo \$\(\(40\+2\)\)")  # the echo of what was typed
        self.expect(r"[\r\n]42\r")
        self.type("stty size; test -t 0 && echo terminal\n")
        self.expect(r"30 100\r")
        self.expect(r"terminal\r")
        self.type("sleep 300\n")
        time.sleep(0.5)
        self.type("\x03")
        self.type("echo code $?\n")
        self.expect(r"code 130\r")
        self.type("sleep 301 & sleep 302\n")
        time.sleep(0.5)
        self.type("\x1a")
        self.expect(r"Stopped")
        self.type("jobs | wc -l; kill %1 %2; fg %2\n")
        self.expect(r"[\r\n]2\r")
        self.type("echo x >/dev/tty; echo file; cat <<<'into' > f; exit 3\n")
        self.expect(r"[\r\n]file\r")
        self.assertEqual(self.ended(), 3)
        self.assertEqual(marked(self.mark), [])

    def test_the_window_changes(self):
        self.open("bash", "--norc", "-c", "trap 'stty size' WINCH; echo begun; while :; do sleep 0.1; done")
        self.expect("begun")
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 132, 0, 0))
        self.expect("50 132")
        time.sleep(0.5)  # a shell that waits for a trap's program takes an interrupt for that alone
        self.type("\x03")
        self.assertEqual(self.ended(), 130)

    def test_an_interrupt(self):
        self.open("sleep", "300")
        self.assert_begun("sleep")
        self.type("\x03")
        self.assertEqual(self.ended(), 130)
        self.open("sh", "-c", "trap 'echo caught; exit 9' INT; echo begun; while :; do sleep 0.1; done")
        self.expect("begun")
        self.type("\x03")
        self.expect("caught")
        self.assertEqual(self.ended(), 9)
        with open(self.top + "/state/cordon/audit.jsonl", encoding="utf-8") as file:
            records = file.read()
        self.assertEqual(records.count('"command.exec"'), 4, records)  # begun and ended, both

    def assert_begun(self, program):
        deadline = time.monotonic() + 30
        while True:
            names = []
            for pid in marked(self.mark):
                try:
                    with open(f"/proc/{pid}/comm", encoding="utf-8") as file:
                        names.append(file.read().strip())
                except OSError:
                    pass
            if program in names:
                return
            self.assertLess(time.monotonic(), deadline, names)
            time.sleep(0.05)

    def test_without_echo(self):
        self.open("bash", "--norc", "-c", "read -rsp 'word: ' word; echo; echo got $word; stty -a | grep -o ' echo'")
        self.expect("word: ")
        time.sleep(0.3)
        self.type("hidden\n")
        self.assertNotIn("hidden", self.expect("(.*)got").group(1))
        self.expect("hidden.* echo")
        self.assertEqual(self.ended(), 0)

    def test_an_editor_and_a_pager(self):
        self.write("text", "".join(f"line {n}\n" for n in range(200)))
        self.open("vi", "-u", "NONE", "-N", "text")
        self.expect("line 5")
        self.type("ggOwritten behind the line\x1b:wq\r")
        self.assertEqual(self.ended(), 0)
        with open(self.work + "/text", encoding="utf-8") as file:
            self.assertEqual(file.readline(), "written behind the line\n")
        self.open("less", "text")
        self.expect("line 3")
        self.type("G")
        self.expect("line 199")
        self.type("q")
        self.assertEqual(self.ended(), 0)


TerminalAsRoot = for_root_too(Terminal)

if __name__ == "__main__":
    unittest.main()
