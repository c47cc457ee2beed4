"""cordon sandbox: the command line against a running server, through the real binary."""

import fcntl
import json
import os
import pty
import select
import signal
import socket
import struct
import subprocess
import termios
import threading
import time
import unittest

from served import CORDON, SECONDS, Server, ServeTest


class Screen:
    """A person's terminal with a program on it."""

    def __init__(self, arguments, environment, rows=24, columns=80):
        self.seen = b""
        pid, self.terminal = pty.fork()
        if pid == 0:
            os.execve(arguments[0], arguments, environment)
        self.pid = pid
        self.resize(rows, columns)

    def resize(self, rows, columns):
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text):
        os.write(self.terminal, text.encode())

    def read(self, seconds):
        ready, _, _ = select.select([self.terminal], [], [], seconds)
        if not ready:
            return False
        try:
            got = os.read(self.terminal, 65536)
        except OSError:
            return False
        self.seen += got
        return bool(got)

    def until(self, text, seconds=SECONDS):
        deadline = time.monotonic() + seconds
        while text.encode() not in self.seen:
            assert time.monotonic() < deadline, (text, self.seen)
            if not self.read(0.2) and self.ended():
                assert text.encode() in self.seen, (text, self.seen)
        return self.seen.decode(errors="replace")

    def ended(self):
        try:
            return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
        except ChildProcessError:
            return True

    def status(self):
        deadline = time.monotonic() + SECONDS
        while not self.ended():
            assert time.monotonic() < deadline, self.seen
            self.read(0.1)
        while self.read(0.1):
            pass
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.terminal)
        return code


class Relay:
    """Stands between a client and the server, and can cut them off."""

    def __init__(self, port, delay=0):
        self.target = port
        self.delay = delay
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.pairs = []
        self.refuses = False
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            if self.refuses:
                client.close()
                continue
            time.sleep(self.delay)
            server = socket.create_connection(("127.0.0.1", self.target))
            self.pairs.append((client, server))
            for one, other in ((client, server), (server, client)):
                threading.Thread(target=self.pump, args=(one, other), daemon=True).start()

    @staticmethod
    def pump(one, other):
        try:
            while data := one.recv(65536):
                other.sendall(data)
        except OSError:
            pass
        for each in (one, other):
            try:
                each.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        for pair in self.pairs:
            for one in pair:
                try:
                    one.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass
                one.close()
        self.pairs = []

    def close(self):
        self.listener.close()
        self.cut()


class SandboxTest(ServeTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.environment = {"PATH": "/usr/bin:/bin", "HOME": str(cls.scratch), "TERM": "xterm"}
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
            if name in os.environ:
                cls.environment[name] = os.environ[name]
        cls.id = cls.cordon("create").stdout.decode().strip()

    @classmethod
    def cordon(cls, *arguments, status=0, env=None, state=True, **named):
        place = ["--state", str(cls.server.state)] if state else []
        done = subprocess.run([CORDON, "sandbox", arguments[0], *place, *map(str, arguments[1:])],
                              env={**cls.environment, **(env or {})}, capture_output=True,
                              timeout=SECONDS * 2, check=False,
                              **({"stdin": subprocess.DEVNULL} if "input" not in named else {}),
                              **named)
        if status is not None and done.returncode != status:
            raise AssertionError((arguments, done))
        return done

    def inside(self, command, **named):
        return self.cordon("exec", self.id, "--", "sh", "-c", command, **named)


class Life(SandboxTest):
    def test_a_sandbox_is_made_listed_and_ended(self):
        made = json.loads(self.cordon("create", "--json", "--env", "COLOUR=blue").stdout)
        self.assertTrue(made["success"])
        one = made["data"]["id"]
        self.assertEqual(made["data"]["status"]["state"], "ready")
        self.assertEqual(self.cordon("exec", one, "--", "printenv", "COLOUR").stdout, b"blue\n")
        table = self.cordon("list").stdout.decode()
        self.assertRegex(table, r"(?m)^ID +STATE +DRIVER")
        self.assertRegex(table, rf"(?m)^{one} ready +local ")
        self.assertNotIn("\x1b", table)
        ids = self.cordon("list", "--quiet").stdout.decode().split()
        self.assertIn(one, ids)
        self.assertEqual(self.cordon("rm", one[:20]).stdout.decode().strip(), one)
        self.assertNotIn(one, self.cordon("list", "-q").stdout.decode())
        ended = json.loads(self.cordon("list", "--all", "--only", "terminated", "--json").stdout)
        found = [each for each in ended["data"]["sandboxes"] if each["id"] == one]
        self.assertEqual(found[0]["status"]["reason"], "user_delete")
        self.assertNotIn(self.id, [each["id"] for each in ended["data"]["sandboxes"]])

    def test_stats_and_logs(self):
        self.cordon("exec", "-d", self.id, "--", "sleep", "600")
        stats = json.loads(self.cordon("stats", "--json", self.id).stdout)["data"]["sandboxes"]
        self.assertEqual([one["id"] for one in stats], [self.id])
        self.assertGreaterEqual(stats[0]["processes"], 1)
        table = self.cordon("stats").stdout.decode()
        self.assertRegex(table, r"(?m)^ID +CPU +MEMORY +PEAK +DISK +PROCESSES  PORTS$")
        self.assertRegex(table, rf"(?m)^{self.id} +[0-9.]+ s ")
        self.assertIn("lines", json.loads(self.cordon("logs", "--json", self.id).stdout)["data"])
        self.cordon("logs", self.id)

    def test_the_servers_log_can_be_verified(self):
        self.inside("true")
        log, key = self.server.state / "audit.jsonl", self.server.state / "audit.key"
        done = subprocess.run([CORDON, "audit", "verify", "--audit-log", log, "--audit-key", key],
                              env=self.environment, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done)
        self.assertRegex(done.stdout, r"^verified: \d+ records")
        done = subprocess.run([CORDON, "audit", "verify", "--audit-log", log, "--audit-key", "x"],
                              env=self.environment, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2, done)

    def test_wishes_that_are_wrong_say_what_is_right(self):
        for arguments, says in ((("--memory", "much"), "--memory"), (("--env", "X"), "NAME=VALUE")):
            failed = self.cordon("create", *arguments, status=2).stderr.decode()
            self.assertIn(says, failed)
        failed = self.cordon("create", "--isolation", "gvisor", status=1).stderr.decode()
        self.assertIn("cordon doctor", failed)

    def on_a_terminal(self, *arguments, **environment):
        screen = Screen([CORDON, "sandbox", *map(str, arguments), "--state",
                         str(self.server.state)], {**self.environment, **environment})
        self.assertEqual(screen.status(), 0)
        return screen.seen.decode()

    def test_colour_is_for_terminals_and_never_with_no_color(self):
        one = self.cordon("create").stdout.decode().strip()
        self.cordon("rm", one)
        self.assertIn("\x1b[2m", self.on_a_terminal("list", "--all"))
        for environment in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertNotIn("\x1b", self.on_a_terminal("list", "--all", **environment))
        self.assertNotIn(b"\x1b", self.cordon("list", "--all").stdout)

    def test_a_progress_line_is_for_terminals_and_what_is_slow(self):
        relay = Relay(self.server.port, delay=1.2)
        self.addCleanup(relay.close)
        there = f"127.0.0.1:{relay.port}"
        seen = self.on_a_terminal("list", "--server", there)
        self.assertIn("Asking the server ... ", seen)
        self.assertLess(seen.rindex("Asking"), seen.rindex("\r\x1b[K"))
        self.assertLess(seen.rindex("\r\x1b[K"), seen.index("STATE"))
        self.assertEqual(self.cordon("list", "--server", there).stderr, b"")
        self.assertNotIn("Asking", self.on_a_terminal("list"))
        self.assertNotIn("Asking", self.on_a_terminal("list", "--server", there, TERM="dumb"))


class Finding(SandboxTest):
    def test_the_address_is_left_for_its_user_alone(self):
        address = self.server.state / "address"
        self.assertEqual(address.read_text().strip(), self.server.url)
        self.assertEqual(address.stat().st_mode & 0o777, 0o600)

    def test_environment_and_flags(self):
        token = self.server.token()
        self.cordon("list", state=False,
                    env={"CORDON_SERVER": self.server.url, "CORDON_TOKEN": token})
        other = self.scratch / "mine"
        other.write_text(token + "\n")
        other.chmod(0o600)
        self.cordon("list", "--server", f"127.0.0.1:{self.server.port}", state=False,
                    env={"CORDON_TOKEN_FILE": str(other)})
        self.cordon("list", "--server", self.server.url, "--token-file", "mine", state=False,
                    cwd=self.scratch)
        other.chmod(0o644)
        failed = self.cordon("list", "--server", self.server.url, "--token-file", other,
                             state=False, status=2)
        self.assertIn(b"mine", failed.stderr)

    def test_errors_say_what_to_do(self):
        for arguments, env, status, says in (
                (("list", "--state", "/nonexistent/x"), {}, 2, "cordon serve"),
                (("list", "--server", "127.0.0.1:1", "--state", str(self.server.state)), {}, 2,
                 "cordon serve"),
                (("list", "--server", "https://h"), {}, 2, "ssh -L"),
                (("list", "--state", str(self.server.state)), {"CORDON_TOKEN": "no"}, 1,
                 "cordon serve token create"),
                (("logs", "zzzz", "--state", str(self.server.state)), {}, 1, "cordon sandbox list"),
                (("rm", "--state", str(self.server.state)), {}, 2, "--all"),
                (("exec", self.id, "--state", str(self.server.state)), {}, 125, "after --"),
                (("exec", "--state", str(self.server.state), "zzzz", "--", "true"), {}, 125,
                 "cordon sandbox list"),
                (("shell", "--state", str(self.server.state), self.id), {}, 125,
                 "cordon sandbox exec"),
                (("cp", "--state", str(self.server.state), "a", "b"), {}, 2, "SANDBOX:PATH")):
            with self.subTest(arguments=arguments):
                failed = self.cordon(*arguments, state=False, env=env, status=status)
                self.assertIn(says, failed.stderr.decode())
                self.assertTrue(failed.stderr.startswith(b"cordon: "), failed)
        failed = self.cordon("list", "--json", "--server", "127.0.0.1:1", status=2)
        self.assertIs(json.loads(failed.stdout)["success"], False)

    def test_a_server_that_has_ended_has_no_address(self):
        state = self.scratch / "other"
        server = Server(state)
        self.assertTrue((state / "address").exists())
        server.stop()
        self.assertFalse((state / "address").exists())
        failed = self.cordon("list", "--state", state, state=False, status=2)
        self.assertIn("cordon serve", failed.stderr.decode())
        # One that was killed leaves it; the next one takes its place.
        Server(state).stop(signal.SIGKILL)
        failed = self.cordon("list", "--state", state, state=False, status=2)
        self.assertIn("no server answers", failed.stderr.decode())
        server = Server(state)
        self.cordon("list", "--state", state, state=False)
        server.stop()


class Exec(SandboxTest):
    def test_streams_and_statuses_are_the_programs(self):
        done = self.inside("echo out; echo err >&2; exit 7", status=7)
        self.assertEqual((done.stdout, done.stderr), (b"out\n", b"err\n"))
        self.assertEqual(self.inside("kill -9 $$", status=137).stdout, b"")
        everything = bytes(range(256)) * 300
        done = self.cordon("exec", "-i", self.id, "--", "cat", input=everything)
        self.assertEqual(done.stdout, everything)
        done = self.cordon("exec", self.id, "--dir", "/", "--", "pwd")
        self.assertEqual(done.stdout, b"/\n")
        self.assertEqual(self.cordon("exec", self.id, "--env", "A=b c", "--", "printenv", "A").stdout,
                         b"b c\n")
        self.assertEqual(self.cordon("exec", self.id, "--", "echo", "--json", "[a]", "{}").stdout,
                         b"--json [a] {}\n")

    def test_output_comes_as_it_is_made(self):
        program = subprocess.Popen(
            [CORDON, "sandbox", "exec", "--state", str(self.server.state), self.id, "--", "sh", "-c",
             "echo first; while [ ! -e go ]; do sleep 0.05; done; echo second"],
            stdout=subprocess.PIPE, env=self.environment)
        self.assertEqual(program.stdout.readline(), b"first\n")
        self.assertIsNone(program.poll())
        self.inside("touch go")
        self.assertEqual(program.communicate(timeout=SECONDS)[0], b"second\n")
        self.assertEqual(program.returncode, 0)

    def test_time_and_interrupt_end_it(self):
        done = self.cordon("exec", "--timeout", "1", self.id, "--", "sleep", "60", status=124)
        self.assertIn(b"--timeout", done.stderr)
        program = subprocess.Popen(
            [CORDON, "sandbox", "exec", "--state", str(self.server.state), self.id, "--", "sh", "-c",
             "echo on; exec sleep 4321"], stdout=subprocess.PIPE, env=self.environment)
        self.assertEqual(program.stdout.readline(), b"on\n")
        program.send_signal(signal.SIGINT)
        program.communicate(timeout=SECONDS)
        deadline = time.monotonic() + SECONDS
        while "4321" in self.server.ask("GET", f"/v1/sandboxes/{self.id}/processes").body.decode():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)

    def test_detached_it_goes_on(self):
        self.cordon("exec", "-d", self.id, "--", "sh", "-c", "sleep 0.2; echo there > later")
        deadline = time.monotonic() + SECONDS
        while self.inside("cat later", status=None).stdout != b"there\n":
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.1)

    def test_input_that_is_too_long_is_refused(self):
        done = self.cordon("exec", "-i", self.id, "--", "wc", "-c", input=b"x" * (701 << 10),
                           status=125)
        self.assertIn(b"cordon sandbox cp", done.stderr)


class Copy(SandboxTest):
    def setUp(self):
        self.here = self.scratch / self._testMethodName
        self.here.mkdir()

    def test_a_file_goes_both_ways_with_its_mode(self):
        source = self.here / "tool"
        source.write_bytes(bytes(range(256)) * 5000)
        source.chmod(0o755)
        self.cordon("cp", source, f"{self.id}:bin/")
        self.assertEqual(self.inside("stat -c '%a %s' bin/tool").stdout, b"755 1280000\n")
        self.cordon("cp", f"{self.id}:bin/tool", self.here / "copy")
        self.assertEqual((self.here / "copy").read_bytes(), source.read_bytes())
        self.assertEqual((self.here / "copy").stat().st_mode & 0o777, 0o755)
        (self.here / "into").mkdir()
        self.cordon("cp", f"{self.id}:bin/tool", self.here / "into")
        self.assertTrue((self.here / "into" / "tool").exists())
        self.cordon("cp", source, f"{self.id}:renamed")
        self.inside("cmp renamed bin/tool")
        empty = self.here / "empty"
        empty.touch()
        self.cordon("cp", empty, f"{self.id}:bin")
        self.cordon("cp", f"{self.id}:bin/empty", self.here / "again")
        self.assertEqual((self.here / "again").read_bytes(), b"")
        self.cordon("cp", empty, f"{self.id}:bin/empty")

    def tree(self):
        tree = self.here / "tree"
        (tree / "a" / "b").mkdir(parents=True)
        (tree / "hollow").mkdir()
        (tree / "a" / "b" / "file").write_text("deep\n")
        (tree / "a" / "run.sh").write_text("#!/bin/sh\necho ran\n")
        (tree / "a" / "run.sh").chmod(0o755)
        (tree / ("long" * 50)).write_text("name\n")
        (tree / "with space %41").write_text("odd\n")
        (tree / "link").symlink_to("a/b/file")
        os.link(tree / "a" / "b" / "file", tree / "second-name")
        return tree

    def seen(self, top):
        return {str(path.relative_to(top)): (os.readlink(path) if path.is_symlink() else
                                             path.read_bytes() if path.is_file() else None)
                for path in top.rglob("*")}

    def test_a_directory_goes_both_ways(self):
        tree = self.tree()
        self.cordon("cp", tree, f"{self.id}:there")
        self.assertEqual(self.inside("cat there/link && there/a/run.sh").stdout, b"deep\nran\n")
        self.cordon("cp", f"{self.id}:there", self.here / "back")
        self.assertEqual(self.seen(self.here / "back"), self.seen(tree))
        self.assertEqual((self.here / "back" / "a" / "run.sh").stat().st_mode & 0o777, 0o755)
        # Into what is there, and what is in it.
        self.cordon("cp", tree, f"{self.id}:there")
        self.inside("test -e there/tree/a/run.sh")
        self.cordon("cp", f"{tree}/.", f"{self.id}:there")
        self.cordon("cp", f"{self.id}:there/tree", self.here / "back")
        self.assertEqual(self.seen(self.here / "back" / "tree"), self.seen(tree))

    def test_a_large_directory_goes_in_several_parcels(self):
        tree = self.here / "large"
        tree.mkdir()
        for i in range(9):
            (tree / f"part{i}").write_bytes(os.urandom(1 << 20) * 9)
        self.cordon("cp", tree, f"{self.id}:large")
        self.cordon("cp", f"{self.id}:large", self.here / "back")
        self.assertEqual(self.seen(self.here / "back"), self.seen(tree))
        self.inside("rm -r large")

    def test_what_is_too_large_says_so(self):
        large = self.here / "huge"
        with open(large, "wb") as file:
            file.truncate((64 << 20) + 1)
        self.assertIn(b"64 MiB", self.cordon("cp", large, f"{self.id}:", status=2).stderr)

    def test_links_that_lead_out_are_left_out(self):
        tree = self.here / "tree"
        tree.mkdir()
        (tree / "out").symlink_to("/etc/passwd")
        (tree / "kept").write_text("kept\n")
        done = self.cordon("cp", tree, f"{self.id}:linked", status=1)
        self.assertIn(b"out", done.stderr)
        self.assertEqual(self.inside("ls linked").stdout, b"kept\n")

    def test_a_sandbox_cannot_write_elsewhere(self):
        outside = self.here / "outside"
        outside.mkdir()
        (outside / "victim").write_text("mine\n")
        self.inside("mkdir -p evil && cd evil && ln -s ../../../.. up && ln -s /etc/passwd abs && "
                    f"ln -s {outside} dir && echo x > plain")
        done = self.cordon("cp", f"{self.id}:evil", self.here / "got", status=None)
        self.assertIn(done.returncode, (0, 1))
        self.assertEqual(sorted(os.listdir(self.here / "got")), ["plain"])
        # A link that stands in the way here is not followed either.
        trap = self.here / "trap"
        trap.mkdir()
        (trap / "plain").symlink_to(outside / "victim")
        self.cordon("cp", f"{self.id}:evil/.", trap, status=None)
        self.assertEqual((outside / "victim").read_text(), "mine\n")

    def test_what_is_missing_says_so(self):
        self.assertIn(b"ls", self.cordon("cp", f"{self.id}:none", self.here, status=1).stderr)
        self.assertIn(b"none", self.cordon("cp", self.here / "none", f"{self.id}:x", status=2).stderr)
        done = self.cordon("cp", f"{self.id}:", self.here / "a" / "b", status=2)
        self.assertIn(b"make it first", done.stderr)


class Shell(SandboxTest):
    def screen(self, *arguments, server=None, **named):
        place = ["--state", str(self.server.state)]
        if server:
            place += ["--server", server]
        return Screen([CORDON, "sandbox", "shell", *place, self.id, *arguments], self.environment,
                      **named)

    def test_a_shell_on_a_terminal(self):
        screen = self.screen(rows=33, columns=101)
        screen.type("stty size; echo term-$TERM\n")
        screen.until("33 101")
        screen.until("term-xterm")
        screen.resize(20, 66)
        os.kill(screen.pid, signal.SIGWINCH)
        time.sleep(0.3)
        screen.type("stty size\n")
        screen.until("20 66")
        # The key is for the program inside.
        screen.type("sleep 1000\n")
        time.sleep(0.3)
        screen.type("\x03")
        screen.type("echo still-$((6*7))\n")
        screen.until("still-42")
        screen.type("exit 9\n")
        self.assertEqual(screen.status(), 9)
        left = self.server.ask("GET", f"/v1/sandboxes/{self.id}/terminals").json["terminals"]
        self.assertEqual(left, [])

    def test_the_terminal_is_put_back(self):
        leader, follower = pty.openpty()
        before = termios.tcgetattr(follower)
        program = subprocess.Popen(
            [CORDON, "sandbox", "shell", "--state", str(self.server.state), self.id, "--", "sh",
             "-c", "echo on; read x; exit 3"],
            stdin=follower, stdout=follower, stderr=follower, env=self.environment,
            start_new_session=True)
        seen = b""
        while b"on" not in seen:
            seen += os.read(leader, 1000)
        self.assertNotEqual(termios.tcgetattr(follower), before)
        os.write(leader, b"\r")
        self.assertEqual(program.wait(SECONDS), 3)
        self.assertEqual(termios.tcgetattr(follower), before)
        os.close(leader)
        os.close(follower)

    def test_a_lost_connection_is_made_again_and_nothing_is_missed(self):
        relay = Relay(self.server.port)
        self.addCleanup(relay.close)
        screen = self.screen("--", "sh", "-c",
                             "i=0; while [ $i -lt 400 ]; do echo line-$i-; i=$((i+1)); sleep 0.01; "
                             "done; exit 5", server=f"127.0.0.1:{relay.port}")
        screen.until("line-50-")
        for _ in range(2):
            relay.refuses = True
            relay.cut()
            time.sleep(0.4)
            relay.refuses = False
            screen.until("connected again")
            screen.seen = screen.seen.replace(b"cordon: connected again\r\n", b"")
        self.assertEqual(screen.status(), 5)
        lines = [part for part in screen.seen.decode().split() if part.startswith("line-")]
        self.assertEqual(lines, [f"line-{i}-" for i in range(400)])

    def test_one_may_leave_while_it_is_lost_and_come_back(self):
        relay = Relay(self.server.port)
        self.addCleanup(relay.close)
        screen = self.screen("--", "sh", "-c", "echo begun; read x; echo got-$x; exit 4",
                             server=f"127.0.0.1:{relay.port}")
        screen.until("begun")
        relay.refuses = True
        relay.cut()
        screen.until("trying again")
        screen.type("\x03")
        said = screen.until("--attach")
        self.assertEqual(screen.status(), 125)
        said = screen.seen.decode()
        name = said.split("--attach ")[1].split("'")[0]
        screen = self.screen("--attach", name)
        screen.until("begun")
        screen.type("word\n")
        screen.until("got-word")
        self.assertEqual(screen.status(), 4)


if __name__ == "__main__":
    unittest.main()
