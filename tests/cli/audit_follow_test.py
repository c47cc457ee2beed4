"""cordon audit on a terminal, and while the log grows."""

import fcntl
import json
import os
import pty
import select
import signal
import struct
import subprocess
import termios
import time
import unittest

from audit_support import Audit
from support import BINARY


class Follow(Audit):

    def follow(self, *arguments, **keywords):
        process = subprocess.Popen([BINARY, "audit", "tail", "-f", "--json", *arguments],
                                   env=self.environment, cwd=self.w, stdin=subprocess.DEVNULL, bufsize=0,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, **keywords)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait, 10)
        self.addCleanup(process.kill)
        return process

    def read_line(self, process):
        ready, _, _ = select.select([process.stdout], [], [], 10)
        self.assertTrue(ready, "nothing came")
        return process.stdout.readline()

    def test_records_as_they_come_across_rotations(self):
        self.example()
        process = self.follow("-n", "1")
        self.assertEqual(json.loads(self.read_line(process))["seq"], 10)
        for number in range(1, 4):
            last = self.writer.add("file.read", f"before {number}")
            self.writer.rotate(number)
            first = self.writer.add("log.rotated")
            self.assertEqual(self.read_line(process), last)
            self.assertEqual(self.read_line(process), first)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(10), 0)
        self.assertEqual(process.stderr.read(), b"")

    def test_a_line_is_shown_when_it_is_whole(self):
        self.writer.add("log.opened")
        process = self.follow()
        self.read_line(process)
        line = self.writer.line("file.read", "slow")
        with open(self.log, "ab", buffering=0) as log:
            log.write(line[:40])
            ready, _, _ = select.select([process.stdout], [], [], 0.5)
            self.assertFalse(ready, "half a line was shown")
            log.write(line[40:])
        self.assertEqual(self.read_line(process), line)

    def test_every_way_to_end_is_clean(self):
        self.example()
        for end in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.follow("-n", "1")
            self.read_line(process)
            process.send_signal(end)
            self.assertEqual(process.wait(10), 0, end)

    def test_it_ends_when_nobody_reads_though_nothing_comes(self):
        self.example()
        process = self.follow("-n", "1")
        self.read_line(process)
        process.stdout.close()
        self.assertEqual(process.wait(10), 0)
        self.assertEqual(process.stderr.read(), b"")

    def test_it_ends_when_nobody_reads_and_much_comes(self):
        self.example()
        process = self.follow("-n", "1")
        self.read_line(process)
        lines = b"".join(self.writer.line("file.read", "x" * 1000) for _ in range(1000))
        process.stdout.close()
        with open(self.log, "ab") as log:
            log.write(lines)
        self.assertEqual(process.wait(10), 0)

    def test_it_can_be_ended_while_the_reader_does_not_read(self):
        for _ in range(3000):
            self.writer.add("file.read", "x" * 100)
        for end in (signal.SIGINT, signal.SIGTERM):
            process = self.follow("-n", "3000")
            self.read_line(process)
            time.sleep(0.5)  # the pipe is full by now
            self.assertIsNone(process.poll())
            process.send_signal(end)
            self.assertEqual(process.wait(10), 0)

    def test_damage_met_on_the_way_is_said_at_the_end(self):
        self.example()
        process = self.follow("-n", "1")
        self.read_line(process)
        with open(self.log, "ab") as log:
            log.write(b"nonsense\n")
        line = self.writer.add("file.read", "x")
        self.assertEqual(self.read_line(process), line)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(10), 0)
        self.assertIn(b"1 line is not a record", process.stderr.read())


class Terminal(Audit):
    """Standard output is a terminal: its width, and colours."""

    def on_terminal(self, *arguments, columns=80, **environment):
        leader, follower = pty.openpty()
        fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        done = subprocess.Popen([BINARY, "audit", *arguments], stdin=subprocess.DEVNULL,
                                stdout=follower, stderr=subprocess.PIPE,
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
        done.stderr.close()
        self.assertEqual(done.wait(10), 0)
        return output.decode().replace("\r\n", "\n")

    def test_colour_and_width(self):
        self.example()
        self.writer.add("file.read", "d/" * 100, decision="denied", violation="symlink")
        coloured = self.on_terminal("query")
        self.assertIn("\x1b[31m", coloured)
        for plain in (self.on_terminal("query", NO_COLOR="1"), self.on_terminal("tail", TERM="dumb")):
            self.assertNotIn("\x1b", plain)
        for columns in (60, 80, 132):
            for command in ("query", "stats", "tail"):
                for row in self.on_terminal(command, columns=columns, NO_COLOR="1").splitlines():
                    self.assertLessEqual(len(row), columns, row)

    def test_json_is_never_coloured(self):
        self.example()
        self.assertEqual(self.on_terminal("query", "--json"), self.log.read_text())


if __name__ == "__main__":
    unittest.main()
