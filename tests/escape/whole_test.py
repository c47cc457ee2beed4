"""With all that the machine has, nothing gets over the line: as root, as nobody, and in each profile."""

import unittest

from arena import NOBODY
from attempts import BY_WAY
from run import escapes, held_without

WAYS = [way for way in BY_WAY if way != "race"]


class Whole(unittest.TestCase):

    user = None
    flags = ()
    ways = WAYS

    def test_the_doctor_claims_something(self):
        self.assertIn(True, held_without(()).values())

    def test_nothing_gets_over(self):
        for way in self.ways:
            with self.subTest(way=way):
                done, seen = escapes(way, user=self.user, flags=self.flags)
                if way == "together":  # nothing ended it before all was tried
                    self.assertIn("\n== end\n", seen.output, seen.errors)
                self.assertEqual(done, [])


class WholeAsNobody(Whole):
    user = NOBODY


class WholeStrict(Whole):
    flags = ("--profile", "strict")
    ways = ["together"]


class WholeSandboxed(Whole):
    flags = ("--profile", "sandboxed")
    ways = ["together"]


if __name__ == "__main__":
    unittest.main()
