"""With fewer layers: what the doctor says is held by the rest, is. CORDON_MATRIX=long tries more of them."""

import itertools
import os
import unittest

from arena import NOBODY
from run import LAYERS, escapes

LONG = os.environ.get("CORDON_MATRIX") == "long"
MAIN = ["landlock", "syscall-filter", "supervisor", "mount-namespace", "pid-namespace", "network-namespace",
        "ipc-namespace"]
# What the streams, the group and the terminal lead to depends on few layers; races have a test of their own.
WAYS = ["together", "given-directory", "given-output", "given-file", "given-file-mode", "given-file-times", "signals",
        "signals-by-descriptor", "group", "terminal", "survive"]
MORE_WAYS = ["warden", "terminal-opened", "terminal-high-bits", "forks", "memory", "hang-connecting", "hang-opening"]
OTHERS = [layer for layer in LAYERS if layer not in MAIN]


def subsets(layers):
    return [subset for size in range(len(layers) + 1) for subset in itertools.combinations(layers, size)]


def main_subsets():
    """Each once: without the filter there is no supervisor either."""
    return [subset for subset in subsets(MAIN) if "supervisor" in subset or "syscall-filter" not in subset]


def crossed():
    """Every subset of the other layers, each with a subset of the main ones: CORDON_MATRIX_SHIFT chooses which."""
    mains = main_subsets()
    shift = int(os.environ.get("CORDON_MATRIX_SHIFT") or 0)
    return [mains[(number + shift) % len(mains)] + subset for number, subset in enumerate(subsets(OTHERS))]


class Matrix(unittest.TestCase):

    def try_without(self, subsets, ways, user=None, flags=()):
        for without in subsets:
            for way in ways:
                with self.subTest(without=without, way=way, user=user, flags=flags):
                    done, seen = escapes(way, without, user=user, flags=flags)
                    if way == "together":
                        self.assertTrue(seen.complete(), seen.errors)
                    self.assertEqual(done, [])

    def test_main_layers_one_by_one(self):
        self.try_without([(layer,) for layer in MAIN[:5]], ["together", "group"])

    @unittest.skipUnless(LONG, "in the long run only")
    def test_each_layer_missing(self):
        self.try_without([(layer,) for layer in LAYERS], WAYS + MORE_WAYS)

    @unittest.skipUnless(LONG, "in the long run only")
    def test_every_subset_of_the_main_layers_missing(self):
        self.try_without(main_subsets(), WAYS)

    @unittest.skipUnless(LONG, "in the long run only")
    def test_every_subset_of_the_others_missing(self):
        self.try_without(crossed(), ["together"])

    @unittest.skipUnless(LONG, "in the long run only")
    def test_profiles(self):
        for profile in ("strict", "sandboxed", "compat"):
            self.try_without([()], WAYS, flags=("--profile", profile))

    @unittest.skipUnless(LONG, "in the long run only")
    def test_as_nobody(self):
        self.try_without([(layer,) for layer in MAIN], WAYS, NOBODY)


if __name__ == "__main__":
    unittest.main()
