"""A sandbox that stays: programs come and go in it, and it goes as a whole."""

import errno
import os
import signal
import socket
import time
import unittest

from driver import LAYERS, NOBODY, PROXIED, SYSTEM, number
from ending_test import alive
from resident_driver import (DETACHED, DIAL, FREEZE, HAND_OUT, SIGNAL, THAW, WATCH, Exec, ResidentTest, execute, take)

SERVER = ("import socket,sys;s=socket.socket();s.bind(('127.0.0.1',0));s.listen();"
          "print(s.getsockname()[1],flush=True);c,_=s.accept();c.sendall(b'hello '+c.recv(9));c.close()")


def eventually(holds, timeout=10):
    deadline = time.monotonic() + timeout
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def running(process):
    try:
        with open(f"/proc/{process}/stat", encoding="ascii") as file:
            return file.read().split()[2] != "Z"  # one that nobody waits for yet is none
    except OSError:
        return False


class Stay(ResidentTest):

    def setUp(self):
        super().setUp()
        self.mark = f"3{os.getpid()}.{time.monotonic_ns() % 10**6}"

    def test_ready_with_nothing_in_it(self):
        resident = self.begin()
        self.assertEqual(resident.first_report[0], "ready", resident.first_report)
        for layer in ("mount-namespace", "pid-namespace", "network-namespace", "landlock", "supervisor"):
            self.assertIn(layer, resident.first_report[1]["layers"])
        self.assertEqual(resident.look()["processes"], [])

    def test_programs_one_after_the_other(self):
        resident = self.begin()
        run = self.shell(resident, "pwd; echo $HOME; id -u; echo hi > a; exit 3", environment=["HOME=/home/agent"])
        self.assertEqual(run.output.split(), [b"/workspace", b"/home/agent", str(self.user or 0).encode()])
        self.assertEqual(run.first("ended")["status"], 3)
        self.assertEqual(self.shell(resident, "cat a").output, b"hi\n")
        with open(resident.work + "/a", "rb") as file:
            self.assertEqual(file.read(), b"hi\n")

    def test_both_at_once(self):
        resident = self.begin()
        first = Exec(resident, execute(["sh", "-c", "while ! test -e go; do sleep 0.02; done; echo went"]))
        self.shell(resident, "touch go")
        first.wait()
        self.assertEqual(first.output, b"went\n")

    def test_a_program_that_is_not_there(self):
        resident = self.begin()
        run = self.run_in(resident, "no-such-program")
        self.assertEqual(run.first("failed"), {"stage": "program", "what": "no-such-program", "errno": errno.ENOENT})

    def test_only_the_granted_is_there(self):
        resident = self.begin()
        run = self.shell(resident, f"cat {resident.control_directory}/socket; ls {self.top}; ls /; ls /tmp /home/agent")
        self.assertNotIn(b"control", run.output.replace(resident.control_directory.encode(), b""))
        self.assertIn(b"workspace", run.output)

    def test_what_is_hidden_is_not_there_but_the_workspace_is(self):
        # As when the sandboxes lie below something that is granted to all.
        os.mkdir(self.top + "/other")
        with open(self.top + "/other/secret", "w", encoding="ascii") as file:
            file.write("theirs")
        os.chmod(self.top + "/other/secret", 0o644)
        resident = self.begin(system=[*SYSTEM, self.top], hidden=[self.top])
        run = self.shell(resident, f"echo mine > own; cat own; cat {self.top}/other/secret; ls {self.top}")
        self.assertEqual(run.output.splitlines()[0], b"mine")
        self.assertNotIn(b"theirs", run.output)
        self.assertNotIn(b"other\n", run.output)
        with open(resident.work + "/own", encoding="ascii") as file:
            self.assertEqual(file.read(), "mine\n")

    def test_refusals_are_told_by_the_inside_path(self):
        resident = self.begin()
        run = self.shell(resident, "echo x > /usr/made")
        self.assertIn(b"/usr/made", run.first("refused")["raw"])

    def test_no_descriptor_is_inherited(self):
        resident = self.begin()
        run = self.shell(resident, "ls /proc/self/fd; ls /proc/$$/fd; ls /proc/1/fd 2>/dev/null; cat /proc/1/environ")
        self.assertEqual(run.output.split()[:7], [b"0", b"1", b"2", b"3", b"0", b"1", b"2"])
        self.assertIn(b"Permission denied", run.output)

    def test_no_power(self):
        resident = self.begin()
        run = self.shell(resident, "grep -E '^(Cap|NoNewPrivs|Seccomp:)' /proc/self/status")
        values = dict(line.split() for line in run.output.splitlines())
        self.assertEqual((values.pop(b"NoNewPrivs:"), values.pop(b"Seccomp:")), (b"1", b"2"))
        self.assertEqual(set(values.values()), {b"0" * 16})

    def test_attached_ends_when_dropped(self):
        resident = self.begin()
        run = Exec(resident, execute(["sh", "-c", f"setsid sleep {self.mark} & (sleep {self.mark} &) ; sleep {self.mark}"]))
        self.assertTrue(eventually(lambda: len(alive(self.mark)) >= 3))
        run.close()
        self.assertTrue(eventually(lambda: not alive(self.mark)), alive(self.mark))
        self.assertEqual(self.shell(resident, "echo on").output, b"on\n")

    def test_detached_goes_on(self):
        resident = self.begin()
        run = Exec(resident, execute(["sleep", self.mark], bond=DETACHED))
        run.close()
        self.shell(resident, "true")
        self.assertEqual(len(alive(self.mark)), 1)
        self.assertEqual([one["program"] for one in resident.look()["processes"]], ["sleep"])

    def test_the_background_goes_on(self):
        resident = self.begin()
        run = self.shell(resident, f"sleep {self.mark} >/dev/null 2>&1 & (while :; do echo x >> log; sleep 0.05; done) >/dev/null 2>&1 &")
        self.assertEqual(run.first("ended")["status"], 0)
        size = os.path.getsize(resident.work + "/log") if os.path.exists(resident.work + "/log") else 0
        self.assertTrue(eventually(lambda: os.path.exists(resident.work + "/log")
                                   and os.path.getsize(resident.work + "/log") > size + 4))
        self.assertEqual(len(alive(self.mark)), 1)

    def test_programs_can_signal_each_other(self):
        resident = self.begin()
        self.shell(resident, f"sleep {self.mark} >/dev/null 2>&1 & echo $! > pid")
        self.assertEqual(self.shell(resident, "kill $(cat pid)").first("ended")["status"], 0)
        self.assertTrue(eventually(lambda: not alive(self.mark)))

    def test_who_kills_its_warden_ends(self):
        for name in ("KILL", "STOP"):
            with self.subTest(name):
                resident = self.begin(name)
                run = Exec(resident, execute(["sh", "-c", f"(setsid sleep {self.mark} &); trap '' TERM HUP; "
                                                          f"kill -{name} $PPID; sleep {self.mark}"]))
                run.wait()
                self.assertIsNone(run.first("ended"))
                self.assertTrue(eventually(lambda: not alive(self.mark)), alive(self.mark))
                self.assertEqual(self.shell(resident, "echo on").output, b"on\n")

    def test_wall_time(self):
        resident = self.begin()
        run = self.shell(resident, f"trap '' TERM; setsid sleep {self.mark} & sleep {self.mark}", wall=200, grace=200)
        self.assertEqual(run.first("limit"), {"limit": "wall"})
        self.assertEqual(run.reports[-1][0], "ended")
        self.assertEqual(alive(self.mark), [])

    def test_orders(self):
        for order, number_of, name in (("stop", 1, signal.SIGTERM), ("kill", 2, signal.SIGKILL)):
            with self.subTest(order):
                resident = self.begin(order)
                run = Exec(resident, execute(["sleep", self.mark]))
                run.connection.send(number(number_of))
                run.wait()
                self.assertEqual(run.first("ended")["signal"], name)

    def test_terminal(self):
        resident = self.begin()
        run = Exec(resident, execute(["sh", "-c", "test -t 0 && stty size && tty"], terminal=True), terminal=True)
        self.assertIsNotNone(run.terminal)
        said = b""
        try:
            while True:
                data = os.read(run.terminal, 4096)
                if not data:
                    break
                said += data
        except OSError:
            pass
        self.assertEqual(said.split()[:2], [b"24", b"80"])
        run.wait()
        run.close()

    def test_dial(self):
        resident = self.begin()
        run = Exec(resident, execute(["python3", "-c", SERVER]))
        port = int(os.read(run.out, 100))
        self.assertIn(port, resident.look()["ports"])
        answer, fds = resident.ask(number(DIAL) + number(port))
        self.assertEqual(answer, 0)
        with socket.socket(fileno=fds[0]) as stream:
            stream.sendall(b"you")
            self.assertEqual(stream.recv(100), b"hello you")
        run.close()
        self.assertEqual(resident.ask(number(DIAL) + number(1))[0], errno.ECONNREFUSED)

    def test_freeze_and_thaw(self):
        resident = self.begin()
        self.shell(resident, "(while :; do echo x >> log; sleep 0.02; done) >/dev/null 2>&1 &")
        log = resident.work + "/log"
        self.assertTrue(eventually(lambda: os.path.exists(log)))
        self.assertEqual(resident.ask(number(FREEZE))[0], 0)
        size = os.path.getsize(log)
        time.sleep(0.3)
        self.assertEqual(os.path.getsize(log), size)
        self.assertEqual(resident.look()["state"], 1)
        self.assertEqual(self.run_in(resident, "true").first("failed")["what"], "paused")
        self.assertEqual(resident.ask(number(THAW))[0], 0)
        self.assertTrue(eventually(lambda: os.path.getsize(log) > size))
        self.assertEqual(self.shell(resident, "echo on").output, b"on\n")

    def test_signal_one(self):
        resident = self.begin()
        run = Exec(resident, execute(["sleep", self.mark]))
        process = resident.look()["processes"][0]["process"]
        for other in (0, 1, process - 1, 9999):
            self.assertEqual(resident.ask(number(SIGNAL) + number(other) + number(9))[0], errno.ESRCH, other)
        self.assertEqual(resident.ask(number(SIGNAL) + number(process) + number(15))[0], 0)
        run.wait()
        self.assertEqual(run.first("ended")["signal"], signal.SIGTERM)

    def test_listeners_can_be_had_again(self):
        resident = self.begin(network=PROXIED)
        self.assertEqual(len(resident.handed_out), 2)
        answer, fds = resident.ask(number(HAND_OUT))
        self.assertEqual((answer, len(fds)), (0, 2))
        with socket.socket(fileno=fds[0]) as listener:
            port = listener.getsockname()[1]
        os.close(fds[1])
        for fd in resident.handed_out:
            os.close(fd)
        self.assertIn(f"HTTP_PROXY=http://127.0.0.1:{port}".encode(), self.shell(resident, "env").output.split())

    def test_nonsense_is_not_answered(self):
        resident = self.begin()
        for data in (b"", b"x", number(99), number(0), number(5) + b"y", b"z" * 200000):
            with resident.connect() as connection:
                try:
                    connection.send(data)
                    connection.shutdown(socket.SHUT_WR)
                    self.assertEqual(take(connection)[0], b"")
                except (ConnectionError, OSError):
                    pass
        self.assertEqual(self.shell(resident, "echo on").output, b"on\n")

    def test_others_are_not_let_in(self):
        resident = self.begin()
        for path in (self.top, os.path.dirname(resident.control_directory), resident.control_directory, resident.path):
            os.chmod(path, 0o777)
        child = os.fork()
        if child == 0:
            try:
                os.setgroups([])
                os.setresuid(12345, 12345, 12345)
                resident.user = None
                with resident.connect() as connection:
                    connection.send(number(2))
                    os._exit(0 if take(connection)[0] == b"" else 1)
            except ConnectionError:
                os._exit(0)
            finally:
                os._exit(2)
        self.assertEqual(os.waitpid(child, 0)[1], 0)


class End(ResidentTest):

    def setUp(self):
        super().setUp()
        self.mark = f"3{os.getpid()}.{time.monotonic_ns() % 10**6}"

    def filled(self):
        resident = self.begin()
        self.shell(resident, f"setsid sleep {self.mark} >/dev/null 2>&1 & sleep {self.mark} >/dev/null 2>&1 &")
        self.assertTrue(eventually(lambda: len(alive(self.mark)) == 2))
        return resident

    def test_vanish_leaves_nothing(self):
        resident = self.filled()
        launcher = resident.launcher()
        self.assertEqual(resident.vanish(), b"")
        self.assertEqual(alive(self.mark), [])
        self.assertTrue(eventually(lambda: not running(launcher)))
        with self.assertRaises(ConnectionRefusedError):
            resident.connect()
        with open(resident.control_directory + "/epitaph", "rb") as file:
            self.assertEqual(file.read()[:8], number(0))

    def test_whoever_started_it_goes(self):
        resident = self.filled()  # its starter went long ago
        resident.control.close()
        self.assertEqual(self.shell(resident, "echo on").output, b"on\n")
        self.assertEqual(len(alive(self.mark)), 2)

    def test_the_launcher_is_killed(self):
        resident = self.filled()
        with resident.connect() as watch:
            watch.send(number(WATCH))
            self.assertEqual(take(watch)[0], number(1) + number(0))
            os.kill(resident.launcher(), signal.SIGKILL)
            self.assertEqual(take(watch)[0], b"")
        self.assertTrue(eventually(lambda: not alive(self.mark)), alive(self.mark))

    def test_the_first_one_inside_is_killed(self):
        resident = self.filled()
        launcher = resident.launcher()
        with open(f"/proc/{launcher}/task/{launcher}/children", encoding="ascii") as file:
            inside = int(file.read())
        with resident.connect() as watch:
            watch.send(number(WATCH))
            take(watch)
            os.kill(inside, signal.SIGKILL)
            self.assertEqual(take(watch)[0], b"")
        self.assertEqual(alive(self.mark), [])
        with open(resident.control_directory + "/epitaph", "rb") as file:
            content = file.read()
        self.assertEqual((content[:8], content[-8:]), (number(1), number(signal.SIGKILL)))

    def test_vanish_when_frozen(self):
        resident = self.filled()
        resident.ask(number(FREEZE))
        resident.vanish()
        self.assertEqual(alive(self.mark), [])

    def test_a_layer_that_is_missing(self):
        for layer in ("mount-namespace", "pid-namespace"):
            with self.subTest(layer):
                resident = self.begin(layer, wanted=[name for name in LAYERS if name != layer])
                # It is required whatever is wanted.
                self.assertEqual(resident.first_report[0], "ready")


class StayUnprivileged(Stay):
    user = NOBODY


class EndUnprivileged(End):
    user = NOBODY


if __name__ == "__main__":
    unittest.main()
