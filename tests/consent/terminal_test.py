"""The terminal's question in a real pseudo-terminal."""

import json
import os
import re
import signal
import subprocess
import sys
import time
import unittest

import pty_world

ASK_ONCE = os.environ["ASK_ONCE"]
UP, DOWN, SS3_UP = b"\x1b[A", b"\x1b[B", b"\x1bOA"


def arguments(**values):
    given = {"path": "/etc/hosts", "into": "/etc", "tool": "write_file", **values}
    return [ASK_ONCE] + [
        key.encode() + b"=" + (value if isinstance(value, bytes) else str(value).encode())
        for key, value in given.items()]


class Asked(unittest.TestCase):
    maxDiff = None

    def ask(self, columns=80, rows=24, typed=b"", controlling=True, background=False, ignored=(),
            **values):
        terminal = pty_world.Terminal(arguments(**values), columns=columns, rows=rows, typed=typed,
                                      controlling=controlling, background=background,
                                      ignored=ignored)
        self.addCleanup(terminal.close)
        return terminal

    def finish(self, terminal):
        printed = terminal.finish()
        self.assertEqual(terminal.status, 0, printed)
        if terminal.slave is not None:
            self.assertEqual(terminal.attributes(), terminal.before, "not put back")
        return json.loads(printed)

    def answer(self, keys, **values):
        terminal = self.ask(**values)
        terminal.wait_for_prompt()
        terminal.type(keys)
        return self.finish(terminal), terminal

    def assert_denied(self, said, failure=""):
        self.assertEqual(said["choice"], "deny", said)
        self.assertEqual(said["failure"], failure, said)


class Answers(Asked):

    def test_each_key_is_an_answer(self):
        for key, choice in ((b"1", "once"), (b"2", "directory"), (b"3", "deny")):
            with self.subTest(key):
                said, _ = self.answer(key)
                self.assertEqual(said, {"choice": choice, "channel": "tty", "failure": ""})

    def test_enter_alone_denies(self):
        for enter in (b"\r", b"\n"):
            with self.subTest(enter):
                self.assert_denied(self.answer(enter)[0])

    def test_arrows_move_the_mark_and_enter_takes_it(self):
        for keys, choice in ((UP + b"\r", "directory"), (UP + UP + b"\r", "once"),
                             (SS3_UP + SS3_UP + b"\r", "once"), (UP * 9 + b"\r", "once"),
                             (UP + DOWN + b"\r", "deny"), (DOWN * 5 + b"\r", "deny"),
                             (b"kk\r", "once"), (b"kkj\r", "directory")):
            with self.subTest(keys):
                self.assertEqual(self.answer(keys)[0]["choice"], choice)

    def test_the_mark_is_seen_to_move(self):
        terminal = self.ask()
        terminal.wait_for_prompt()
        self.assertIn("> [3] Deny", terminal.screen.from_last())
        terminal.type(UP)
        terminal.wait_for(lambda: "> [2] Allow all operations in /etc" in terminal.screen.from_last(),
                          "the mark")
        self.assertIn("  [3] Deny", terminal.screen.from_last())
        self.assertEqual(terminal.screen.text().count("Choice:"), 1, "drawn over, not anew")
        terminal.type(b"\r")
        self.assertEqual(self.finish(terminal)["choice"], "directory")

    def test_without_a_broad_choice_two_is_no_key(self):
        terminal = pty_world.Terminal([ASK_ONCE, "path=/etc/hosts"])
        self.addCleanup(terminal.close)
        terminal.wait_for_prompt()
        terminal.type(b"2")
        time.sleep(0.2)
        terminal.pump(0)
        self.assertEqual(terminal.answer, b"")
        terminal.type(UP + b"\r")
        self.assertEqual(self.finish(terminal)["choice"], "once")

    def test_the_trusted_tool(self):
        terminal = pty_world.Terminal([ASK_ONCE, "path=/w/a", "reason=tool",
                                       "trusted=writing in the workspace"])
        self.addCleanup(terminal.close)
        terminal.wait_for_prompt()
        self.assertIn("  [2] Allow writing in the workspace for this session",
                      terminal.screen.from_last())
        terminal.type(b"2")
        self.assertEqual(self.finish(terminal)["choice"], "tool")

    def test_control_keys_and_escape_deny(self):
        for keys in (b"\x03", b"\x04", b"\x1c", b"\x1b"):
            with self.subTest(keys):
                said, terminal = self.answer(keys)
                self.assert_denied(said)

    def test_other_keys_mean_nothing(self):
        # F5 and Home hold digits; a mouse click at column 17 holds a "1"; so does a report
        # of the terminal's colour; Alt-1 is not 1; neither is the second half of a letter.
        for keys in (b"\x1b[15~", b"\x1b[1~", b"\x1b[1;5A", b"\x1b[M 1!", b"\x1b]11;rgb:1111/2222\x07",
                     b"\x1b]11;rgb:1111/2222\x1b\\", b"\x1b1", b"q0479 \t\x00\x7f\x1a\x13",
                     "äöü日本語ě".encode(), b"\x9b1~"):
            with self.subTest(keys):
                terminal = self.ask()
                terminal.wait_for_prompt()
                terminal.type(keys)
                time.sleep(0.15)
                terminal.pump(0)
                self.assertEqual(terminal.answer, b"", "answered")
                terminal.type(b"1")
                self.assertEqual(self.finish(terminal)["choice"], "once")

    def test_what_was_typed_before_does_not_count(self):
        for typed in (b"1", b"1\n", b"1\r1\r"):
            with self.subTest(typed):
                terminal = self.ask(typed=typed, patience=700)
                self.assert_denied(self.finish(terminal), "timeout")
                self.assertIn(b"Choice:", terminal.raw)


class TooSoon(Asked):
    """Right after the question appears, keys deny but do not agree."""

    def test_an_early_agreement_does_not_count_and_a_later_one_does(self):
        for early in (b"1", b"2", b"11", UP + b"\r", UP + UP + b"\n"):
            with self.subTest(early):
                terminal = self.ask()
                terminal.wait_for_prompt(then=0)
                terminal.type(early)
                terminal.wait_for_prompt()
                self.assertEqual(terminal.answer, b"", "answered")
                terminal.type(b"1")
                self.assertEqual(self.finish(terminal)["choice"], "once")

    def test_it_is_not_kept_for_later(self):
        terminal = self.ask(patience=1500)
        terminal.wait_for_prompt(then=0)
        terminal.type(b"1" + UP + b"\r" + b"2")
        self.assert_denied(self.finish(terminal), "timeout")

    def test_a_denial_counts_at_once(self):
        for keys in (b"3", b"\x03", b"\x04", b"\x1c", b"\x1b", b"\r", UP + DOWN + b"\r"):
            with self.subTest(keys):
                terminal = self.ask()
                terminal.wait_for_prompt(then=0)
                begun = time.monotonic()
                terminal.type(keys)
                terminal.wait_for(lambda: terminal.answer, "the answer")
                self.assertLess(time.monotonic() - begun, pty_world.TOO_SOON)
                self.assert_denied(self.finish(terminal))

    def test_arrows_move_the_mark_at_once(self):
        terminal = self.ask()
        terminal.wait_for_prompt(then=0)
        terminal.type(UP)
        terminal.wait_for_prompt()
        self.assertIn("> [2] Allow all operations in /etc", terminal.screen.from_last())
        terminal.type(b"\r")
        self.assertEqual(self.finish(terminal)["choice"], "directory")

    def test_a_key_read_late_was_still_typed_early(self):
        terminal = self.ask(patience=2500)
        terminal.wait_for_prompt(then=0)
        os.kill(terminal.pid, signal.SIGSTOP)
        terminal.type(b"111")  # the first ends the wait it was stopped in
        time.sleep(pty_world.SOON_IS_OVER)
        os.kill(terminal.pid, signal.SIGCONT)
        self.assert_denied(self.finish(terminal), "timeout")

    def test_a_question_that_was_hidden_appears_when_there_is_room(self):
        terminal = self.ask(columns=12, patience=3000)
        terminal.wait_for_text("Too narrow.")
        time.sleep(pty_world.SOON_IS_OVER)
        terminal.resize_screen(80, 24)
        terminal.wait_for_prompt(then=0)
        terminal.type(b"1")
        self.assert_denied(self.finish(terminal), "timeout")


class Layout(Asked):

    def test_it_is_laid_out_as_specified(self):
        terminal = self.ask()
        terminal.wait_for_prompt()
        self.assertEqual(terminal.screen.from_last(), [
            "🛡️  Sandbox Protection",
            "",
            "Tool wants to write to: /etc/hosts",
            '  Asked by "write_file"',
            "",
            "This path is outside the sandbox. Choose an option:",
            "  [1] Allow once",
            "  [2] Allow all operations in /etc",
            "> [3] Deny",
            "",
            "Choice:",
        ])
        terminal.type(b"1")
        said = self.finish(terminal)
        self.assertEqual(said["choice"], "once")
        # The prompt is gone; one line says what was chosen.
        self.assertEqual([line for line in terminal.screen.text() if line],
                         ["Allow once: write to /etc/hosts"])

    def test_everything_known_is_shown(self):
        terminal = self.ask(actor="claude", session="s1", state="a file of 120 bytes",
                            asked="../../etc/hosts", operation="rename", target="/etc/hosts.bak",
                            preview="-old\n+new\n")
        terminal.wait_for_prompt()
        self.assertEqual(terminal.screen.from_last()[2:10], [
            "Tool wants to rename: /etc/hosts",
            "  To: /etc/hosts.bak",
            '  Asked by "write_file", agent "claude", session "s1"',
            "  State: a file of 120 bytes",
            "  As asked: ../../etc/hosts",
            "",
            "  | -old",
            "  | +new",
        ])

    def test_the_outcome_stays(self):
        for keys, line in ((b"1", "Allow once: write to /etc/hosts"),
                           (b"2", "Allow all operations in /etc: write to /etc/hosts"),
                           (b"3", "Deny: write to /etc/hosts")):
            _, terminal = self.answer(keys)
            self.assertEqual([text for text in terminal.screen.text() if text], [line])

    def test_nothing_else_is_printed(self):
        _, terminal = self.answer(b"1")
        self.assertEqual(len(terminal.answer.splitlines()), 1, terminal.answer)
        self.assertNotIn(b"1", terminal.raw.split(b"Choice:")[1].split(b"Allow")[0].replace(
            b"\x1b[10A", b""), "keys are not echoed")


class Ends(Asked):

    def test_timeout_denies_and_says_so(self):
        begun = time.monotonic()
        terminal = self.ask(patience=400)
        self.assert_denied(self.finish(terminal), "timeout")
        self.assertIn(b"Choice:", terminal.raw)
        self.assertGreater(time.monotonic() - begun, 0.4)
        self.assertLess(time.monotonic() - begun, 10)
        self.assertIn("timed out: denied: write to /etc/hosts", terminal.screen.text())

    def test_withdrawal_denies_and_takes_the_prompt_away(self):
        terminal = self.ask(withdraw=600)
        self.assert_denied(self.finish(terminal), "withdrawn")
        self.assertIn(b"Choice:", terminal.raw)
        self.assertIn("withdrawn: denied: write to /etc/hosts", terminal.screen.text())
        self.assertNotIn("Choice:", terminal.screen.text())

    def test_a_closed_terminal_denies(self):
        terminal = self.ask(ignored=(signal.SIGHUP,))
        terminal.wait_for_prompt()
        terminal.hang_up()
        self.assert_denied(self.finish(terminal), "the terminal was closed")

    def test_a_closed_terminal_ends_whoever_does_not_ignore_it(self):
        terminal = self.ask()
        terminal.wait_for_prompt()
        terminal.hang_up()
        self.assertEqual(terminal.finish(), b"")
        self.assertEqual(terminal.status, -signal.SIGHUP)

    def test_no_terminal_means_no(self):
        terminal = self.ask(controlling=False)
        self.assertEqual(self.finish(terminal),
                         {"choice": "deny", "channel": "none", "failure": "no channel"})
        self.assertEqual(terminal.raw, b"")

    def test_the_background_means_no(self):
        terminal = self.ask(background=True)
        self.assertEqual(self.finish(terminal),
                         {"choice": "deny", "channel": "none", "failure": "no channel"})
        self.assertEqual(terminal.raw, b"")

    def test_a_terminal_that_takes_nothing_is_no_channel(self):
        # Nobody reads the other end: once its buffers are full, writing would block for ever.
        terminal = self.ask(path=b"/" + b"\x01" * 30000, patience=15000)
        begun = time.monotonic()
        while terminal.status is None and time.monotonic() - begun < 15:
            done, status = os.waitpid(terminal.pid, os.WNOHANG)
            if done:
                terminal.status = os.waitstatus_to_exitcode(status)
            time.sleep(0.05)
        self.assertEqual(terminal.status, 0)
        self.assertLess(time.monotonic() - begun, 10)
        said = json.loads(os.read(terminal.out_read, 65536))
        self.assertEqual(said["choice"], "deny")
        self.assertTrue(said["failure"].startswith("no channel"), said)


class Windows(Asked):

    def test_a_resize_draws_it_again_so_that_it_fits(self):
        path = "/srv/" + "long-name/" * 12 + "end"
        terminal = self.ask(path=path)
        terminal.wait_for_prompt()
        for columns, rows in ((40, 30), (20, 60), (132, 24)):
            before = terminal.screen.text().count("Choice:")
            terminal.resize_screen(columns, rows)
            terminal.wait_for_prompt(before + 1)
            shown = terminal.screen.from_last()
            self.assertLessEqual(max(sum(map(pty_world.cells, line)) for line in shown), columns)
            whole = "".join(re.sub(r"^ +: ", "", line) for line in shown)
            self.assertIn(path, whole)
        self.assertEqual(terminal.screen.wraps, 0)
        terminal.type(UP + b"\r")
        self.assertEqual(self.finish(terminal)["choice"], "directory")

    def test_a_prompt_taller_than_the_window(self):
        terminal = self.ask(rows=5, columns=30)
        terminal.wait_for_prompt()
        terminal.type(UP)
        terminal.wait_for_text("> [2] Allow all")
        terminal.type(UP)
        terminal.wait_for_text("> [1] Allow once")
        terminal.type(b"\r")
        self.assertEqual(self.finish(terminal)["choice"], "once")
        self.assertEqual(terminal.screen.text()[-3:], ["Allow once: write to /etc/host", "    : s", ""])

    def test_in_a_window_too_narrow_only_a_denial_counts(self):
        terminal = self.ask(columns=12)
        terminal.wait_for_text("Too narrow.")
        terminal.type(b"1" + UP + UP + b"\r")
        time.sleep(0.2)
        terminal.pump(0)
        self.assertEqual(terminal.answer, b"")
        terminal.resize_screen(80, 24)
        terminal.wait_for_prompt()
        self.assertIn("> [3] Deny", terminal.screen.from_last())
        terminal.type(b"1")
        self.assertEqual(self.finish(terminal)["choice"], "once")


HOSTILE = {
    "escape sequences": b"/tmp/\x1b[2J\x1b[H\x1b]0;title\x07\x9b31m",
    "newlines": b"/tmp/a\r\n\r\n  [1] Allow once\n> [3] Deny\n\nChoice:",
    "bidi override": "/tmp/\u202egpj.exe\u2066\u200b\ufeff".encode(),
    "fake option after wrap": b"/tmp/" + b"x" * 51 + b"  [1] Allow once" + b" " * 64 + b"Choice:",
    "fake option, filled to the edge": b"/" + b"y" * 55 + b"[1] Allow once" + b"y" * 60 + b"[3] Deny",
    "space padding": b"/tmp/a" + b" " * 300 + b"b ",
    "invisible padding": ("/tmp/a" + "\u3000\u00a0\u2800\u2003" * 40 + "b").encode(),
    "marks": ("/tmp/z" + "\u0335" * 500).encode(),
    "invalid bytes": bytes([47]) + bytes(range(128, 256)),
    "every low byte": b"/" + bytes(range(1, 47)) + bytes(range(48, 128)),
    "4096 bytes": b"/" + b"0123456789abcdef/" * 240 + b"end-of-it",
    "4096 wide": ("/" + "日本語" * 450 + "end").encode(),
}


class HostileNames(Asked):

    def unescape(self, text):
        """What was escaped, as bytes."""
        out = b""
        for match in re.finditer(r"\\(n|r|t|\\|\"|x..|u....|U........)|([^\\])", text, re.DOTALL):
            escape, plain = match.groups()
            if plain:
                out += plain.encode()
            elif escape[0] in "nrt\\\"":
                out += {"n": b"\n", "r": b"\r", "t": b"\t"}.get(escape, escape.encode())
            elif escape[0] == "x":
                out += bytes([int(escape[1:], 16)])
            else:
                out += chr(int(escape[1:], 16)).encode()
        return out

    def test_none_of_them_fakes_or_hides_anything(self):
        for name, path in HOSTILE.items():
            for columns in (20, 80):
                with self.subTest(name, columns=columns):
                    terminal = self.ask(path=path, into=path[:200], asked=path, actor=path[:99],
                                        state=path[:99], preview=path, columns=columns, rows=24)
                    terminal.wait_for_prompt()
                    self.check(terminal, path)
                    terminal.type(UP)  # draws it again
                    terminal.wait_for(lambda: any(line.startswith("> [2]") for line in
                                                  terminal.screen.from_last()), "the mark")
                    terminal.type(b"1")
                    said = self.finish(terminal)
                    self.assertEqual(said["choice"], "once")
                    self.assertEqual(terminal.screen.wraps, 0)

    def check(self, terminal, path):
        # Screen has already refused control characters and sequences it does not know.
        lines = terminal.screen.from_last()
        starts = [i for i, line in enumerate(lines) if re.match(r"\s*>?\s*\[\d\]", line)]
        self.assertEqual([re.sub(r" Allow.*", "", lines[i]) for i in starts],
                         ["  [1]", "  [2]", "> [3] Deny"])
        self.assertEqual([i for i, line in enumerate(lines) if line.lstrip().startswith("Choice")],
                         [len(lines) - 1])
        last_words = max(i for i, line in enumerate(lines) if line.endswith("option:"))
        self.assertEqual(starts[0], last_words + 1)
        said = ""
        for line in lines[2:]:
            if line.startswith("  Asked by"):
                break
            said += line[6:] if line.startswith("    : ") else " " + line.lstrip()
        label, name = said.split(": ", 1)
        self.assertEqual(label, " Tool wants to write to")
        self.assertEqual(self.unescape(name), path)


class Fallback(Asked):

    def test_nothing_blocks_who_has_no_one(self):
        done = subprocess.run([ASK_ONCE, "path=/x"], start_new_session=True, timeout=20,
                              stdin=subprocess.DEVNULL, capture_output=True, check=False)
        self.assertEqual(json.loads(done.stdout)["choice"], "deny")


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(__file__))
    unittest.main()
