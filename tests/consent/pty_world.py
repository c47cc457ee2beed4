"""Programs in a real pseudo-terminal, with a small model of what a terminal shows.

A session is a child with a session and a controlling terminal of its own. The test holds
the other end: it types, resizes, hangs up, and looks at the screen.
"""

import fcntl
import os
import re
import select
import signal
import struct
import termios
import time
import unicodedata

TIMEOUT = 20
# For the first 500 ms a question takes no agreement; the rest is for a slow machine.
TOO_SOON = 0.5
SOON_IS_OVER = TOO_SOON + 0.2


def cells(character):
    """How many cells a character takes."""
    if unicodedata.combining(character) or character in "\ufe0f\u200d":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


class Screen:
    """The subset of a VT that the prompt uses; anything else it meets is an error.

    Keeps all lines ever shown (scrollback included). Wraps like a terminal, and remembers
    that it had to: a prompt whose lines fit never makes it wrap.
    """

    CSI = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])")

    def __init__(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.lines = [[]]
        self.row = self.column = 0
        self.wraps = 0
        self.pending = b""

    def feed(self, data):
        data = self.pending + data
        for length in range(4):  # a character may come in two pieces
            try:
                text = data[:len(data) - length].decode("utf-8")
            except UnicodeDecodeError:
                continue
            self.pending = data[len(data) - length:]
            break
        else:
            raise AssertionError(f"not UTF-8: {data!r}")
        cut = text.rfind("\x1b")
        if cut >= 0 and not self.CSI.match(text, cut) and len(text) - cut < 12:
            self.pending = text[cut:].encode() + self.pending
            text = text[:cut]
        at = 0
        while at < len(text):
            match = self.CSI.match(text, at)
            if match:
                self.control(match.group(1), match.group(2))
                at = match.end()
            else:
                self.character(text[at])
                at += 1

    def control(self, parameters, final):
        count = int(parameters or "1")
        if final == "A":
            top = max(0, len(self.lines) - self.rows)
            assert self.row - count >= top, "the cursor was sent above the window"
            self.row -= count
        elif final == "J" and parameters == "":
            del self.lines[self.row + 1:]
            del self.lines[self.row][self.column:]
        else:
            raise AssertionError(f"unexpected control sequence {parameters!r} {final!r}")

    def character(self, character):
        if character == "\r":
            self.column = 0
        elif character == "\n":
            self.down()
        elif not (character.isprintable() or character == "\ufe0f"):
            raise AssertionError(f"unexpected control character {character!r}")
        else:
            width = cells(character)
            if self.column + width > self.columns:
                self.wraps += 1
                self.column = 0
                self.down()
            line = self.lines[self.row]
            line.extend(" " * (self.column - len(line)))
            if width == 0:
                if line:
                    line[-1] += character
                return
            del line[self.column:self.column + width]
            line.insert(self.column, character)
            if width == 2:
                line.insert(self.column + 1, "")
            self.column += width

    def down(self):
        self.row += 1
        if self.row == len(self.lines):
            self.lines.append([])

    def text(self):
        return ["".join(line) for line in self.lines]

    def from_last(self, title="Sandbox Protection"):
        """The lines from the last one that holds the title."""
        lines = self.text()
        starts = [i for i, line in enumerate(lines) if title in line]
        return lines[starts[-1]:] if starts else []


class Terminal:
    """A pseudo-terminal and a program that has it as its controlling terminal."""

    def __init__(self, arguments, environment=None, columns=80, rows=24, typed=b"",
                 controlling=True, background=False, ignored=()):
        self.master, self.slave = os.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self.slave)
        if typed:
            os.write(self.master, typed)
        self.screen = Screen(columns, rows)
        self.raw = b""
        self.out_read, out_write = os.pipe()
        self.status = None
        self.answer = b""
        self.pid = os.fork()
        if self.pid == 0:
            try:
                self.become(arguments, environment, out_write, controlling, background, ignored)
            finally:
                os._exit(126)
        os.close(out_write)

    def become(self, arguments, environment, out, controlling, background, ignored):
        os.setsid()
        for number in ignored:
            signal.signal(number, signal.SIG_IGN)
        if controlling:
            fcntl.ioctl(self.slave, termios.TIOCSCTTY, 0)
        null = os.open("/dev/null", os.O_RDWR)
        os.dup2(null, 0)
        os.dup2(out, 1)
        os.dup2(out, 2)
        if background:
            # The leader stays in the foreground; its child asks from another group.
            child = os.fork()
            if child:
                os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) & 127)
            os.setpgid(0, 0)
        os.closerange(3, 256)
        os.execve(arguments[0], arguments, environment if environment is not None else os.environ)

    def resize(self, columns, rows):
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize_screen(self, columns, rows):
        """As the person does it: what is on the screen is left as it is, nothing reflows."""
        self.screen.columns, self.screen.rows = columns, rows
        self.resize(columns, rows)

    def pump(self, wait):
        """Reads what is there; True if something was."""
        ready, _, _ = select.select([self.master, self.out_read], [], [], wait)
        seen = False
        for source in ready:
            try:
                data = os.read(source, 65536)
            except OSError:
                data = b""
            if source == self.master:
                self.raw += data
                self.screen.feed(data)
            else:
                self.answer += data
            seen = seen or bool(data)
        return seen

    def wait_for(self, condition, what):
        end = time.monotonic() + TIMEOUT
        while not condition():
            if time.monotonic() > end:
                raise AssertionError(f"{what} never came: {self.raw!r} {self.answer!r}")
            self.pump(0.05)

    def wait_for_text(self, text, count=1):
        self.wait_for(lambda: "\n".join(self.screen.text()).count(text) >= count, text)

    def wait_for_prompt(self, count=1, then=SOON_IS_OVER):
        """Waits for the prompt, and `then` until it takes any key."""
        self.wait_for(lambda: self.screen.text().count("Choice:") >= count, "the prompt")
        end = time.monotonic() + then
        while (left := end - time.monotonic()) > 0:
            self.pump(left)

    def type(self, keys):
        os.write(self.master, keys)

    def hang_up(self):
        os.close(self.master)
        os.close(self.slave)
        self.master = None
        self.slave = None

    def attributes(self):
        return termios.tcgetattr(self.slave)

    def finish(self):
        """Waits for the program's end; what it printed on its output."""
        end = time.monotonic() + TIMEOUT
        while self.status is None:
            if time.monotonic() > end:
                raise AssertionError(f"it did not end: {self.raw!r} {self.answer!r}")
            if self.master is not None:
                self.pump(0.02)
            else:
                time.sleep(0.02)
            done, status = os.waitpid(self.pid, os.WNOHANG)
            if done:
                self.status = os.waitstatus_to_exitcode(status)
        if self.master is not None:
            while self.pump(0.05):
                pass
        else:
            self.answer += os.read(self.out_read, 65536)
        return self.answer

    def close(self):
        if self.status is None:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        for descriptor in (self.master, self.slave, self.out_read):
            if descriptor is not None:
                os.close(descriptor)
