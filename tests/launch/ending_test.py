"""Nothing of a command outlives it, whoever ends it and however."""

import os
import signal
import time
import unittest

from driver import LAYERS, NOBODY, LaunchTest


def alive(mark):
    """Processes with the mark among their arguments."""
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                if name.isdigit() and mark.encode() in file.read().split(b"\0"):
                    found.append(int(name))
        except OSError:
            pass
    return found


class Ending:

    def setUp(self):
        super().setUp()
        # A time to sleep that nobody else sleeps.
        self.mark = f"3{os.getpid()}.{time.monotonic_ns() % 10**6}"
        self.tree = f"sleep {self.mark} & (sleep {self.mark} & sleep {self.mark}) & setsid sleep {self.mark} & "

    def begin(self, script, **more):
        run = self.start("sh", "-c", script + "echo begun; sleep " + self.mark, **more)
        run.until("ready")
        deadline = time.monotonic() + 20
        while b"begun" not in run.output or len(alive(self.mark)) < 2:
            self.assertLess(time.monotonic(), deadline, run.output)
            if b"begun" not in run.output:
                run.take_output()
            time.sleep(0.02)
        return run

    def assert_none_left(self):
        deadline = time.monotonic() + 10
        while alive(self.mark):
            self.assertLess(time.monotonic(), deadline, f"{alive(self.mark)} are left")
            time.sleep(0.02)

    def test_the_rest_ends_with_the_first(self):
        run = self.shell(self.tree + "exit 3")
        self.assertEqual(run.first("ended")["status"], 3)
        self.assertEqual(alive(self.mark), [])

    def test_stop(self):
        run = self.begin(self.tree)
        run.order("stop")
        run.wait()
        self.assertEqual(run.first("ended")["signal"], signal.SIGTERM)
        self.assertEqual(alive(self.mark), [])

    def test_stop_of_those_that_do_not_listen(self):
        run = self.begin("trap '' TERM; " + self.tree, limits={"grace": 300})
        began = time.monotonic()
        run.order("stop")
        run.wait()
        self.assertGreaterEqual(time.monotonic() - began, 0.3)
        self.assertEqual(run.first("ended")["signal"], signal.SIGKILL)
        self.assertEqual(alive(self.mark), [])

    def test_kill(self):
        run = self.begin("trap '' TERM; " + self.tree)
        run.order("kill")
        run.wait()
        self.assertEqual(run.first("ended")["signal"], signal.SIGKILL)
        self.assertEqual(alive(self.mark), [])

    def test_nonsense_for_an_order(self):
        run = self.begin(self.tree)
        run.control.send(b"nonsense")
        run.wait()
        self.assertEqual(alive(self.mark), [])

    def test_cordon_goes(self):
        run = self.begin(self.tree)
        run.control.close()
        self.assert_none_left()
        run.reap()

    def test_the_launcher_is_killed(self):
        run = self.begin(self.tree)
        os.kill(run.process, signal.SIGKILL)
        self.assert_none_left()
        run.reap()

    def test_a_flood_of_processes_ends_too(self):
        run = self.start("sh", "-c", f"echo begun; i=0; while [ $i -lt 300 ]; do (setsid sleep {self.mark} &) ; i=$((i+1)); done;"
                         f"sleep {self.mark}")
        run.until("ready")
        time.sleep(0.3)
        run.order("kill")
        run.wait()
        self.assertEqual(alive(self.mark), [])


class WithNamespaces(Ending, LaunchTest):
    wanted = LAYERS

    def test_the_one_inside_is_killed(self):
        run = self.begin(self.tree)
        with open(f"/proc/{run.process}/task/{run.process}/children", encoding="ascii") as file:
            inside = int(file.read())
        os.kill(inside, signal.SIGKILL)
        run.wait()
        self.assertIsNone(run.first("ended"))
        self.assertEqual(alive(self.mark), [])


class WithNamespacesUnprivileged(WithNamespaces):
    user = NOBODY


class WithoutNamespaces(WithNamespaces):
    wanted = ["landlock", "no-new-privileges", "capabilities"]


class WithoutNamespacesUnprivileged(WithoutNamespaces):
    user = NOBODY


if __name__ == "__main__":
    unittest.main()
