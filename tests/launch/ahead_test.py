"""Namespaces that were made before it was known what shall run in them."""

import os
import signal
import time
import unittest

from driver import BEGIN, LAYERS, NOBODY, LaunchTest, Run, number

# Where these are wanted and nothing is counted, there is no control group.
USED = [name for name in LAYERS if name != "control-group"]


class Held(Run):
    """Not told to begin yet."""

    begins = False

    def begin(self):
        self.control.send(number(BEGIN))


def children(process):
    try:
        with open(f"/proc/{process}/task/{process}/children", encoding="ascii") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


class Ahead:
    ahead = LAYERS
    run_class = Held

    def held(self, *arguments, **more):
        """A launcher that waits, and the process it has made."""
        run = self.start(*arguments, **more)
        deadline = time.monotonic() + 20
        while not children(run.process):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)
        return run, children(run.process)[0]

    def test_the_process_is_there_before_and_becomes_the_one_inside(self):
        run, waiting = self.held("sh", "-c", "echo begun; sleep 30")
        self.assertNotEqual(os.readlink(f"/proc/{waiting}/ns/pid"), os.readlink("/proc/self/ns/pid"))
        run.begin()
        ready = run.until("ready")[1]
        self.assertEqual(children(run.process), [waiting])
        self.assertEqual(sorted(ready["layers"]), sorted(USED))
        run.order("kill")
        run.wait()

    def test_other_namespaces_than_expected(self):
        wanted = [name for name in LAYERS if name not in ("network-namespace", "uts-namespace")]
        run, waiting = self.held("sh", "-c", "hostname; exit 4", wanted=wanted)
        run.begin()
        run.wait()
        self.assertEqual(run.first("ended")["status"], 4)
        self.assertEqual(sorted(run.first("ready")["layers"]), sorted(set(wanted) - {"control-group"}))
        self.assertNotEqual(run.output.strip(), b"cordon")
        self.assertFalse(os.path.exists(f"/proc/{waiting}"))

    def test_a_control_group_is_made_when_one_is_needed(self):
        run, _ = self.held("sh", "-c", "exit 5", limits={"processes": 20})
        run.begin()
        run.wait()
        self.assertEqual(run.first("ended")["status"], 5)

    def test_the_launcher_is_killed_while_it_waits(self):
        run, waiting = self.held("true")
        os.kill(run.process, signal.SIGKILL)
        self.assert_gone(waiting)

    def test_cordon_goes_while_it_waits(self):
        run, waiting = self.held("true")
        run.control.close()
        self.assert_gone(waiting)

    def test_another_order_than_the_first(self):
        run, waiting = self.held("true")
        run.order("stop")
        run.wait()
        self.assertEqual(run.reports, [])
        self.assert_gone(waiting)

    def assert_gone(self, process):
        deadline = time.monotonic() + 10
        while os.path.exists(f"/proc/{process}"):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)


class Privileged(Ahead, LaunchTest):
    pass


class Unprivileged(Ahead, LaunchTest):
    user = NOBODY


if __name__ == "__main__":
    unittest.main()
