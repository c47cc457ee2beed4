"""Each attempt can succeed: it does where nothing holds it. Else it would show nothing."""

import re
import unittest

from arena import NOBODY
from attempts import BY_WAY
from run import BARE, attempt

# What shows in the attempt's output that the machine itself refuses.
REFUSED_BY_MACHINE = {
    "env-x32": "Function not implemented",
    "env-x32-openat": "Function not implemented",
    "change-device": "-1: Operation not permitted",
    "net-virtual-machine": "No such device|Address family not supported|Connection reset|Connection timed out",
    "kernel-performance": "No such file or directory|Permission denied",
    "kernel-ring": "Operation not permitted",
    "env-ring": "Operation not permitted",
    "read-ring": "Operation not permitted",
    "change-ring": "Operation not permitted",
    "ro-flags": "Inappropriate ioctl for device|Operation not supported",
    "read-handle": "Operation not supported|Stale file handle",
}
# Without a Cordon there is none of it to be found: its layers are off instead.
NEED_CORDON = {"warden-memory", "warden-descriptors"}


class Control(unittest.TestCase):

    def failed(self, way, without, user=None):
        done, seen = attempt(way, without, user=user, race=1.0)
        for name in [name for name in done if not done[name]]:
            pattern = REFUSED_BY_MACHINE.get(name)
            if not pattern or not re.search(pattern, seen.output_of(name)):
                yield name

    def test_each_succeeds_without_cordon(self):
        for way in BY_WAY:
            if way == "race":
                continue
            with self.subTest(way=way):
                self.assertEqual(set(self.failed(way, BARE)) - NEED_CORDON, set())

    def test_those_against_cordon_succeed_without_layers(self):
        self.assertEqual(set(self.failed("together", ("all",))) & NEED_CORDON, set())

    def test_rights_are_gained_by_nobody(self):
        failed = set(self.failed("together", BARE, NOBODY))
        self.assertEqual(failed & {"rights-set-user", "rights-file", "rights-preloaded"}, set())


class RaceControl(unittest.TestCase):

    def test_races_are_won_without_cordon(self):
        lost = None
        for seconds in (0.5, 2.0, 5.0, 15.0):  # who races may lose, where the machine has other work
            done, _ = attempt("race", BARE, race=seconds)
            now = {name for name in done if not done[name]}
            lost = now if lost is None else lost & now
            if not lost:
                return
        self.assertEqual(lost, set())


if __name__ == "__main__":
    unittest.main()
