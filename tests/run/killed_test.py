"""Whoever of Cordon's own processes is killed, and whenever: nothing of the command is left."""

import os
import random
import signal
import time
import unittest

from workplace import NOBODY, RunTest, for_root_too, marked

ROUNDS = int(os.environ.get("CORDON_KILL_ROUNDS", "12"))
# Before it has begun, while it begins, and while it runs.
LONGEST = 0.35
TREE = "sleep 600 & setsid sleep 600 & (setsid sh -c 'sleep 600 & sleep 600' &) ; echo x >f; sleep 600"


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(child) for child in file.read().split()]
    except OSError:
        return []


def kill(pid):
    try:
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


class Killed(RunTest):
    user = NOBODY
    flags = []

    def rounds(self, whom):
        chance = random.Random(4)
        hit = 0
        for _ in range(ROUNDS):
            process = self.start(self.cordon("sh", "-c", TREE, flags=self.flags))
            time.sleep(chance.random() * LONGEST)
            pid = process.pid
            for _ in range(whom):
                pid = (children(pid) or [0])[0]
                if not pid:
                    break
            if pid:
                hit += 1
                kill(pid)
            else:  # it is not there yet
                kill(process.pid)
            process.communicate(timeout=30)
            self.assert_none_left()
        self.assertGreater(hit, ROUNDS // 4)

    def assert_none_left(self):
        deadline = time.monotonic() + 10
        while left := marked(self.mark):
            if time.monotonic() > deadline:
                for pid in left:
                    kill(pid)
                self.fail(f"{left} are left")
            time.sleep(0.01)

    def test_cordon(self):
        self.rounds(0)

    def test_the_launcher(self):
        self.rounds(1)

    def test_the_warden(self):
        self.rounds(2)


class KilledWithoutPidNamespace(Killed):
    """Whoever is left then, is left behind the line: without this layer that is all there is."""
    flags = ["--without", "pid-namespace"]

    def assert_none_left(self):
        deadline = time.monotonic() + 3
        while (left := marked(self.mark)) and time.monotonic() < deadline:
            time.sleep(0.01)
        for pid in left:
            try:
                with open(f"/proc/{pid}/status", encoding="ascii", errors="replace") as file:
                    facts = dict(line.split(":", 1) for line in file)
            except (OSError, ValueError):
                continue
            finally:
                kill(pid)
            self.assertEqual(facts["NoNewPrivs"].strip(), "1")
            self.assertEqual(facts["Seccomp"].strip(), "2")
        self.left = getattr(self, "left", 0) + len(left)


KilledAsRoot = for_root_too(Killed)
KilledWithoutPidNamespaceAsRoot = for_root_too(KilledWithoutPidNamespace)

if __name__ == "__main__":
    unittest.main()
