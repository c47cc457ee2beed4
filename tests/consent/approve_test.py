"""Questions over the socket, answered by the real `cordon approve`."""

import json
import os
import pathlib
import select
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
import unittest

import pty_world

BINARY = os.environ["CORDON_BINARY"]
ASK_ONCE = os.environ["ASK_ONCE"]
TIMEOUT = 20
NOBODY = 65534


class Lines:
    """A program whose output is read line by line, without ever waiting for ever."""

    def __init__(self, command, environment, **keywords):
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, **keywords)
        self.pending = b""

    def line(self, timeout=TIMEOUT):
        end = time.monotonic() + timeout
        while b"\n" not in self.pending:
            left = end - time.monotonic()
            ready = select.select([self.process.stdout], [], [], max(0, left))[0]
            if not ready:
                raise AssertionError(f"no line came: {self.pending!r}")
            data = os.read(self.process.stdout.fileno(), 65536)
            if not data:
                raise AssertionError(f"it ended: {self.pending!r} {self.process.stderr.read()!r}")
            self.pending += data
        line, self.pending = self.pending.split(b"\n", 1)
        return json.loads(line)

    def silent_for(self, seconds):
        return not self.pending and not select.select([self.process.stdout], [], [], seconds)[0]

    def say(self, **values):
        self.process.stdin.write(json.dumps(values).encode() + b"\n")
        self.process.stdin.flush()

    def finish(self):
        return self.process.wait(TIMEOUT)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            try:
                stream.close()
            except BrokenPipeError:
                pass


class Peer:
    """A raw connection to an asker's socket."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.settimeout(TIMEOUT)
        self.socket.connect(str(path))
        self.pending = b""

    def line(self):
        while b"\n" not in self.pending:
            data = self.socket.recv(65536)
            if not data:
                return None
            self.pending += data
        line, self.pending = self.pending.split(b"\n", 1)
        return json.loads(line)

    def send(self, data):
        self.socket.sendall(data)

    def answer(self, identity, choice):
        self.send(json.dumps({"type": "answer", "id": identity, "choice": choice}).encode() + b"\n")

    def close(self):
        self.socket.close()


class Approval(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        self.scratch = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cordon-ask-")))
        self.addCleanup(shutil.rmtree, self.scratch)
        self.directory = self.scratch / "run" / "cordon"
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": str(self.scratch),
                            "XDG_RUNTIME_DIR": str(self.scratch / "run")}
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
            if name in os.environ:
                self.environment[name] = os.environ[name]

    def start(self, command, **keywords):
        started = Lines(command, self.environment, **keywords)
        self.addCleanup(started.close)
        return started

    def asker(self, wait=True, **values):
        given = {"channels": "socket", "directory": self.directory, "path": "/etc/hosts",
                 "into": "/etc", "tool": "write_file", **values}
        before = set(self.sockets())
        started = self.start([ASK_ONCE] + [
            key.encode() + b"=" + (value if isinstance(value, bytes) else os.fsencode(str(value)))
            for key, value in given.items()], start_new_session=True)
        if wait:
            end = time.monotonic() + TIMEOUT
            while not set(self.sockets()) - before:
                self.assertLess(time.monotonic(), end, "it does not listen")
                time.sleep(0.01)
        return started

    def sockets(self):
        if not self.directory.is_dir():
            return []
        return sorted(path for path in self.directory.iterdir() if path.name.startswith("ask-"))

    def approver(self, *arguments):
        """`cordon approve` for programs."""
        return self.start([BINARY, "approve", "--json", *arguments])

    def person(self, *arguments):
        """`cordon approve` in a terminal."""
        terminal = pty_world.Terminal([BINARY, "approve", *arguments], self.environment)
        self.addCleanup(terminal.close)
        terminal.wait_for_text("Waiting for questions")
        return terminal

    def peer(self, path=None):
        peer = Peer(path or self.sockets()[0])
        self.addCleanup(peer.close)
        return peer

    def assert_gone(self, count=0):
        self.assertEqual(len(self.sockets()), count)


class ByLines(Approval):

    def test_each_choice_travels(self):
        for choice in ("once", "directory", "deny"):
            with self.subTest(choice):
                asker, approver = self.asker(), self.approver("--once")
                question = approver.line()
                self.assertEqual(question["type"], "question")
                self.assertEqual(question["path"], "/etc/hosts")
                self.assertEqual(question["tool"], "write_file")
                self.assertEqual(question["operation"], "write")
                self.assertEqual(question["choices"], ["once", "directory", "deny"])
                approver.say(id=question["id"], choice=choice)
                self.assertEqual(approver.line(), {"type": "settled", "id": question["id"],
                                                   "choice": choice, "by": "here"})
                self.assertEqual(asker.line(),
                                 {"choice": choice, "channel": "socket", "failure": ""})
                self.assertEqual(asker.finish(), 0)
                self.assertEqual(approver.finish(), 0)
                self.assert_gone()

    def test_odd_bytes_travel_whole(self):
        path = b"/tmp/\xff\x1b[2J\n%41 \xe2\x80\xae"
        asker, approver = self.asker(path=path, asked=path.decode("utf-8", "replace")), self.approver()
        question = approver.line()
        self.assertEqual(question["pathEncoding"], "percent")
        # Control bytes, "%" and what is not UTF-8 are encoded; the rest is text.
        self.assertEqual(question["path"], "/tmp/%FF%1B[2J%0A%2541 \u202e")
        approver.say(id=question["id"], choice="deny")
        self.assertEqual(approver.line()["by"], "here")
        self.assertEqual(asker.line()["choice"], "deny")

    def test_late_attach_sees_the_open_question(self):
        asker = self.asker()
        time.sleep(0.5)
        approver = self.approver()
        approver.say(id=approver.line()["id"], choice="once")
        self.assertEqual(asker.line()["choice"], "once")

    def test_early_attach_sees_askers_come_and_go(self):
        approver = self.approver()
        time.sleep(0.3)
        for _ in range(2):
            asker = self.asker(wait=False)
            question = approver.line()
            approver.say(id=question["id"], choice="once")
            self.assertEqual(approver.line()["by"], "here")
            self.assertEqual(asker.line()["choice"], "once")
            self.assertEqual(asker.finish(), 0)

    def test_several_askers_at_once(self):
        askers = {f"/p{i}": self.asker(path=f"/p{i}") for i in range(4)}
        approver = self.approver()
        questions = {}
        for _ in askers:
            question = approver.line()
            questions[question["path"]] = question["id"]
        for path in ("/p2", "/p0", "/p3", "/p1"):
            approver.say(id=questions[path], choice="once" if path != "/p3" else "deny")
            self.assertEqual(approver.line()["id"], questions[path])
        for path, asker in askers.items():
            self.assertEqual(asker.line()["choice"], "once" if path != "/p3" else "deny")

    def test_the_first_answer_counts(self):
        asker, first, second = self.asker(), self.approver(), self.approver()
        identity, other = first.line()["id"], second.line()["id"]
        first.say(id=identity, choice="deny")
        self.assertEqual(first.line()["by"], "here")
        self.assertEqual(second.line(), {"type": "settled", "id": other, "choice": "deny",
                                         "by": "elsewhere"})
        second.say(id=other, choice="once")
        said = second.line()
        self.assertEqual((said["type"], said["id"]), ("ignored", other))
        self.assertEqual(asker.line()["choice"], "deny")

    def test_two_askers_with_the_same_id(self):
        askers = {path: self.asker(id="same", path=path) for path in ("/p0", "/p1")}
        approver = self.approver()
        questions = {}
        for _ in askers:
            question = approver.line()
            questions[question["path"]] = question["id"]
        self.assertEqual(set(questions), set(askers), "both are shown")
        self.assertEqual(len(set(questions.values())), 2)
        approver.say(id="same", choice="once")
        self.assertEqual(approver.line()["type"], "ignored")
        approver.say(id=questions["/p1"], choice="once")
        self.assertEqual(approver.line(), {"type": "settled", "id": questions["/p1"],
                                           "choice": "once", "by": "here"})
        self.assertEqual(askers["/p1"].line()["choice"], "once")
        self.assertTrue(askers["/p0"].silent_for(0.3))
        approver.say(id=questions["/p0"], choice="deny")
        self.assertEqual(approver.line()["id"], questions["/p0"])
        self.assertEqual(askers["/p0"].line()["choice"], "deny")

    def test_a_late_answer_is_not_for_another_with_the_same_id(self):
        late, approver = self.asker(id="same", path="/late", patience=2000), self.approver()
        identity = approver.line()["id"]
        self.assertEqual(approver.line()["by"], "timeout")
        self.assertEqual(late.line()["failure"], "timeout")
        other = self.asker(id="same", path="/other", patience=3000)
        question = approver.line()
        self.assertEqual(question["path"], "/other")
        approver.say(id=identity, choice="once")
        said = approver.line()
        self.assertEqual((said["type"], said["id"]), ("ignored", identity))
        self.assertEqual(approver.line(), {"type": "settled", "id": question["id"],
                                           "choice": "deny", "by": "timeout"})
        self.assertEqual(other.line()["failure"], "timeout")

    def test_what_was_not_offered_is_ignored_and_the_question_stays(self):
        asker, approver = self.asker(), self.approver()
        identity = approver.line()["id"]
        approver.say(id=identity, choice="tool")
        self.assertEqual(approver.line()["type"], "ignored")
        approver.say(id="no such question", choice="once")
        self.assertEqual(approver.line()["type"], "ignored")
        approver.say(id=identity, choice="yes")
        self.assertEqual(approver.line()["type"], "ignored")
        approver.process.stdin.write(b"nonsense\n" + b"x" * 100_000 + b"\n")
        approver.process.stdin.flush()
        self.assertEqual(approver.line()["type"], "ignored")
        self.assertEqual(approver.line()["type"], "ignored")
        self.assertTrue(asker.silent_for(0.2))
        approver.say(id=identity, choice="once")
        self.assertEqual(approver.line()["by"], "here")
        self.assertEqual(asker.line()["choice"], "once")

    def test_timeout_and_withdrawal_are_told(self):
        for key, by, failure in (("patience", "timeout", "timeout"),
                                 ("withdraw", "withdrawn", "withdrawn")):
            with self.subTest(by):
                asker, approver = self.asker(**{key: 4000}), self.approver("--once")
                identity = approver.line()["id"]
                self.assertEqual(approver.line(), {"type": "settled", "id": identity,
                                                   "choice": "deny", "by": by})
                said = asker.line()
                self.assertEqual((said["choice"], said["failure"]), ("deny", failure))
                self.assertEqual(approver.finish(), 0)

    def test_nobody_attached_is_a_timeout(self):
        asker = self.asker(patience=400)
        self.assertEqual(asker.line(),
                         {"choice": "deny", "channel": "socket", "failure": "timeout"})

    def test_a_killed_approver_leaves_the_question_open(self):
        asker, first = self.asker(), self.approver()
        self.assertEqual(first.line()["path"], "/etc/hosts")
        first.process.kill()
        first.process.wait()
        second = self.approver()
        second.say(id=second.line()["id"], choice="once")
        self.assertEqual(asker.line()["choice"], "once")

    def test_a_killed_asker_is_told_and_its_socket_removed(self):
        asker, approver = self.asker(), self.approver()
        identity = approver.line()["id"]
        asker.process.kill()
        asker.process.wait()
        self.assertEqual(approver.line(), {"type": "settled", "id": identity, "choice": "deny",
                                           "by": "gone"})
        end = time.monotonic() + TIMEOUT
        while self.sockets():
            self.assertLess(time.monotonic(), end, "the dead socket stays")
            time.sleep(0.02)

    def test_the_end_of_the_input_ends_it(self):
        asker, approver = self.asker(), self.approver()
        approver.say(id=approver.line()["id"], choice="once")
        approver.process.stdin.close()
        self.assertEqual(approver.line()["by"], "here")
        self.assertEqual(approver.finish(), 0)
        self.assertEqual(asker.line()["choice"], "once")
        idle = self.approver()
        idle.process.stdin.close()
        self.assertEqual(idle.finish(), 0)
        self.assertEqual(idle.process.stdout.read(), b"")


class OnATerminal(Approval):

    def test_answers_by_key(self):
        for key, choice, line in ((b"1", "once", "Allow once: write to /etc/hosts"),
                                  (b"2", "directory",
                                   "Allow all operations in /etc: write to /etc/hosts"),
                                  (b"3", "deny", "Deny: write to /etc/hosts"),
                                  (b"\x03", "deny", "Deny: write to /etc/hosts"),
                                  (b"\r", "deny", "Deny: write to /etc/hosts"),
                                  (b"\x1b[A\r", "directory",
                                   "Allow all operations in /etc: write to /etc/hosts")):
            with self.subTest(key):
                asker, person = self.asker(), self.person("--once")
                person.wait_for_prompt()
                person.type(key)
                self.assertEqual(asker.line()["choice"], choice)
                self.assertEqual(person.finish(), b"", "nothing on stdout or stderr")
                self.assertEqual(person.status, 0)
                self.assertEqual(person.attributes(), person.before)
                self.assertIn(line, person.screen.text())
                self.assertNotIn("Choice:", person.screen.text())

    def test_one_after_the_other(self):
        person = self.person()
        for round_ in range(3):
            asker = self.asker(path=f"/etc/{round_}")
            person.wait_for_text(f"Tool wants to write to: /etc/{round_}")
            person.wait_for_prompt()
            person.type(b"1")
            self.assertEqual(asker.line()["choice"], "once")
            person.wait_for_text(f"Allow once: write to /etc/{round_}")
        person.type(b"\x03")
        self.assertEqual(person.finish(), b"")
        self.assertEqual(person.status, 0)
        self.assertEqual(person.attributes(), person.before)

    def test_control_c_and_d_end_it_when_idle(self):
        for key in (b"\x03", b"\x04"):
            person = self.person()
            person.type(b"1\r" + b"x")
            time.sleep(0.2)
            person.type(key)
            self.assertEqual(person.finish(), b"")
            self.assertEqual(person.status, 0)
            self.assertEqual(person.attributes(), person.before)

    def test_a_closed_terminal_ends_it_and_answers_nothing(self):
        asker = self.asker(patience=5000)
        for question in (False, True):
            person = pty_world.Terminal([BINARY, "approve"], self.environment,
                                        ignored=(signal.SIGHUP,))
            self.addCleanup(person.close)
            person.wait_for_text("Waiting for questions")
            if question:
                person.wait_for_prompt()
            person.hang_up()
            self.assertEqual(person.finish(), b"")
            self.assertEqual(person.status, 0)
        self.assertEqual(asker.line()["failure"], "timeout")

    def test_answered_elsewhere_takes_the_prompt_away(self):
        asker, person, other = self.asker(), self.person(), self.person()
        person.wait_for_prompt()
        other.wait_for_prompt()
        other.type(b"1")
        self.assertEqual(asker.line()["choice"], "once")
        person.wait_for_text("answered elsewhere: allowed: write to /etc/hosts")
        self.assertNotIn("Choice:", person.screen.text())
        person.type(b"\x03")
        self.assertEqual(person.finish(), b"")
        self.assertEqual(person.status, 0)

    def test_the_asker_dies(self):
        asker, person = self.asker(), self.person("--once")
        person.wait_for_prompt()
        asker.process.kill()
        person.wait_for_text("who asked is gone: write to /etc/hosts")
        self.assertNotIn("Choice:", person.screen.text())
        self.assertEqual(person.finish(), b"")

    def test_the_asker_gives_up(self):
        self.asker(patience=4000)
        person = self.person("--once")
        person.wait_for_prompt()
        person.wait_for_text("timed out: denied: write to /etc/hosts")
        person.finish()
        self.assertEqual(person.status, 0)

    def test_what_was_typed_while_idle_does_not_answer(self):
        person = self.person()
        person.type(b"1")
        asker = self.asker(patience=2500)
        self.assertEqual(asker.line()["failure"], "timeout")
        person.wait_for_text("timed out: denied")
        self.assertIn(b"Choice:", person.raw)

    def test_a_key_meant_for_one_question_does_not_answer_the_next(self):
        for end in ("the asker dies", "it is answered"):
            with self.subTest(end):
                person = self.person()
                first = self.asker(path="/etc/first")
                person.wait_for_text("write to: /etc/first")
                second = self.asker(path="/etc/second", patience=4000)
                person.wait_for_prompt()
                if end == "the asker dies":
                    first.process.kill()
                    first.process.wait()
                else:
                    person.type(b"1")
                person.wait_for_text("write to: /etc/second")
                person.wait_for_prompt(then=0)
                person.type(b"1")  # by a finger that was already falling
                self.assertEqual(second.line(), {"choice": "deny", "channel": "socket",
                                                 "failure": "timeout"})
                person.wait_for_text("timed out: denied: write to /etc/second")
                person.type(b"\x03")
                self.assertEqual(person.finish(), b"")

    def test_a_hostile_name_is_shown_as_on_the_terminal(self):
        self.asker(path=b"/tmp/\x1b[2J\n  [1] Allow once\xff")
        person = self.person()
        person.wait_for_prompt()
        self.assertIn(r"Tool wants to write to: /tmp/\x1b[2J\n\x20\x20[1] Allow once\xff",
                      person.screen.text())

    def test_without_a_terminal_it_refuses(self):
        done = subprocess.run([BINARY, "approve"], env=self.environment, start_new_session=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT,
                              check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"--json", done.stderr)
        self.assertEqual(done.stdout, b"")

    def test_terminal_first_then_socket(self):
        asker = self.asker(channels="tty,socket")  # in a session without a terminal
        approver = self.approver()
        approver.say(id=approver.line()["id"], choice="once")
        self.assertEqual(asker.line(), {"choice": "once", "channel": "socket", "failure": ""})


class Peers(Approval):

    def test_garbage_neither_answers_nor_breaks_anything(self):
        asker = self.asker()
        for data in (b"\n" * 50, b"{}\n", b"[]\n", b"null\n", b"\x00\xff\xfe\n", b"{" * 3000 + b"\n",
                     b'{"type":"answer"}\n', b'{"type":"answer","id":1,"choice":2}\n',
                     b'{"type":"question","id":"x"}\n', b'{"id":"' + b"\\u0000" * 99 + b'"}\n',
                     b'{"type":"answer","id":"x","choice":"once"}'):
            peer = self.peer()
            self.assertEqual(peer.line()["type"], "question")
            peer.send(data)
            if data.endswith(b"\n"):
                self.assertEqual(peer.line()["type"], "ignored", data)
            peer.close()
        self.assertTrue(asker.silent_for(0.2))
        self.answer_and_check(asker)

    def answer_and_check(self, asker):
        peer = self.peer()
        identity = peer.line()["id"]
        peer.answer(identity, "once")
        self.assertEqual(peer.line()["by"], "here")
        self.assertEqual(asker.line()["choice"], "once")

    def test_a_line_without_an_end_is_cut_off(self):
        asker, peer = self.asker(), self.peer()
        peer.line()
        with self.assertRaises((BrokenPipeError, ConnectionResetError)):
            for _ in range(10_000):
                peer.send(b"x" * 1000)
        self.answer_and_check(asker)

    def test_endless_nonsense_is_cut_off(self):
        asker, peer = self.asker(), self.peer()
        with self.assertRaises((BrokenPipeError, ConnectionResetError, socket.timeout)):
            for _ in range(200_000):
                peer.send(b"nonsense\n" * 100)
        self.answer_and_check(asker)

    def test_silent_and_half_open_peers_are_in_nobodys_way(self):
        asker = self.asker(preview=b"x" * 60_000)
        silent = [self.peer() for _ in range(5)]
        half = self.peer()
        half.socket.shutdown(socket.SHUT_WR)
        other_half = self.peer()
        other_half.socket.shutdown(socket.SHUT_RD)
        self.answer_and_check(asker)
        self.assertEqual(asker.finish(), 0)
        for peer in silent:
            self.assertEqual(peer.line()["type"], "question")
            self.assertEqual(peer.line()["by"], "elsewhere")
            self.assertIsNone(peer.line())

    def test_no_more_than_sixteen(self):
        asker = self.asker()
        peers = [self.peer() for _ in range(16)]
        for peer in peers:
            self.assertEqual(peer.line()["type"], "question")
        self.assertIsNone(self.peer().line(), "the seventeenth is turned away")
        peers[3].close()
        end = time.monotonic() + TIMEOUT
        while True:
            late = self.peer()
            if late.line() is not None:
                break
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)
        identity = peers[0].line  # still served
        late.close()
        peers[0].send(b"{}\n")
        self.assertEqual(identity()["type"], "ignored")
        self.assertTrue(asker.silent_for(0.1))

    def test_too_many_answers_that_do_not_count_are_cut_off(self):
        asker, peer = self.asker(), self.peer()
        self.assertEqual(peer.line()["type"], "question")
        with self.assertRaises((BrokenPipeError, ConnectionResetError)):
            for _ in range(200_000):
                peer.answer("unknown", "once")
        self.answer_and_check(asker)

    def test_no_program_inherits_a_socket(self):
        asker, peer = self.asker(), self.peer()
        self.assertEqual(peer.line()["type"], "question")
        seen = 0
        process = asker.process.pid
        for number in os.listdir(f"/proc/{process}/fd"):
            try:
                target = os.readlink(f"/proc/{process}/fd/{number}")
                flags = pathlib.Path(f"/proc/{process}/fdinfo/{number}").read_text()
            except FileNotFoundError:
                continue
            if int(number) > 2:
                seen += target.startswith("socket:")
                self.assertTrue(int(flags.split("flags:")[1].split()[0], 8) & os.O_CLOEXEC, target)
        self.assertEqual(seen, 2)

    def test_answers_to_nothing_and_twice(self):
        asker, peer = self.asker(), self.peer()
        identity = peer.line()["id"]
        peer.answer("unknown", "once")
        self.assertIn("no such", peer.line()["reason"])
        peer.answer(identity, "tool")
        self.assertIn("not offer", peer.line()["reason"])
        peer.send(b"".join(json.dumps({"type": "answer", "id": identity, "choice": choice}).encode()
                           + b"\n" for choice in ("deny", "once", "directory")))
        self.assertEqual(peer.line()["by"], "here")
        said = peer.line()
        if said is not None:  # unless it has ended by then
            self.assertEqual(said["type"], "ignored")
        self.assertEqual(asker.line()["choice"], "deny")

    def test_another_user_is_turned_away(self):
        if os.geteuid() != 0:
            self.skipTest("needs root, to be two users")
        # The asker is nobody; root may enter any directory, and must still not answer.
        self.scratch.chmod(0o755)
        (self.scratch / "run").mkdir()
        self.directory.mkdir(mode=0o700)
        os.chown(self.directory, NOBODY, NOBODY)
        program = self.scratch / "ask_once"
        shutil.copy(ASK_ONCE, program)
        program.chmod(0o755)
        asker = self.start([program, "channels=socket", f"directory={self.directory}", "path=/x",
                            "patience=3000"], user=NOBODY, group=NOBODY, extra_groups=[])
        end = time.monotonic() + TIMEOUT
        while not self.sockets():
            self.assertIsNone(asker.process.poll(), "it does not listen")
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        peer = self.peer()
        try:
            self.assertIsNone(peer.line(), "it was shown a question")
        except ConnectionResetError:
            pass
        done = subprocess.run([BINARY, "approve", "--json", "--directory", self.directory],
                              env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=TIMEOUT, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(json.loads(done.stdout)["error"]["code"], "PERMISSION_DENIED")
        self.assertEqual(asker.line()["failure"], "timeout")


class Places(Approval):

    def test_everything_is_ours_alone(self):
        self.asker()
        self.assertEqual(stat.S_IMODE(self.directory.stat().st_mode), 0o700)
        path = self.sockets()[0]
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertRegex(path.name, r"^ask-\d+-[0-9a-f]{16}\.sock$")

    def test_a_directory_that_others_may_enter_is_refused(self):
        self.directory.mkdir(parents=True)
        self.directory.chmod(0o750)
        asker = self.asker(wait=False)
        self.assertEqual(asker.finish(), 2)
        self.assertIn(b"PERMISSION_DENIED", asker.process.stderr.read())
        approver = self.approver()
        self.assertEqual(approver.finish(), 2)
        self.assertEqual(approver.line()["error"]["code"], "PERMISSION_DENIED")

    def test_too_long_a_path_is_told(self):
        asker = self.asker(wait=False, directory=self.scratch / ("x" * 90))
        self.assertEqual(asker.finish(), 2)
        self.assertIn(b"107", asker.process.stderr.read())
        self.assertEqual(list((self.scratch / ("x" * 90)).iterdir()), [])

    def test_only_dead_sockets_of_our_form_are_removed(self):
        self.directory.mkdir(parents=True, mode=0o700)
        def leave(name):
            left = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            left.bind(str(self.directory / name))
            left.close()
        dead = "ask-1-0123456789abcdef.sock"
        kept = ["ask-1-0123456789abcdeg.sock", "other.sock", "ask-1-0123456789abcdef.sock.x",
                "ask--0123456789abcdef.sock", "new-1-0123456789abcdef.sock"]
        for name in [dead, *kept]:
            leave(name)
        (self.directory / "ask-2-0123456789abcdef.sock").write_text("a file")  # connecting fails, too
        (self.directory / "ask-3-0123456789abcdef.sock").symlink_to("/etc/hosts")
        living = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.addCleanup(living.close)
        living.bind(str(self.directory / "ask-4-0123456789abcdef.sock"))
        living.listen(0)
        full = []
        for _ in range(3):  # its queue is full, which is not death
            client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self.addCleanup(client.close)
            client.setblocking(False)
            try:
                client.connect(str(self.directory / "ask-4-0123456789abcdef.sock"))
            except BlockingIOError:
                full.append(client)
        self.assertTrue(full)
        old = "new-5-0123456789abcdef.sock"
        leave(old)
        os.utime(self.directory / old, (1, 1))
        asker = self.asker(path="/x", patience=500)
        names = {path.name for path in self.directory.iterdir()}
        self.assertNotIn(dead, names)
        self.assertNotIn(old, names)
        self.assertLessEqual(set(kept), names)
        for number in (2, 3, 4):
            self.assertIn(f"ask-{number}-0123456789abcdef.sock", names)
        self.assertEqual(asker.line()["failure"], "timeout")

    def test_relative_directories_are_refused(self):
        done = subprocess.run([BINARY, "approve", "--json", "--directory", "run"],
                              env=self.environment, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=TIMEOUT, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("absolute", json.loads(done.stdout)["error"]["message"])

    def test_many_come_and_go_at_once(self):
        approver = self.approver()
        askers = [self.asker(wait=False, path=f"/{i}") for i in range(12)]
        for _ in askers:
            question = approver.line()
            while question["type"] != "question":
                question = approver.line()
            approver.say(id=question["id"], choice="once")
        for asker in askers:
            self.assertEqual(asker.line()["choice"], "once")
            self.assertEqual(asker.finish(), 0)
        self.assert_gone()


if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(__file__))
    unittest.main()
