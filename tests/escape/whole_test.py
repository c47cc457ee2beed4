"""With all that the machine has, nothing gets over the line, as root and as nobody; nobody is there to be asked."""

import unittest

from arena import NOBODY
from attempts import BY_WAY
from run import escapes, held_without

WAYS = [way for way in BY_WAY if way != "race"]


class Whole(unittest.TestCase):

    user = None

    def test_the_doctor_claims_something(self):
        self.assertIn(True, held_without(()).values())

    def test_nothing_gets_over(self):
        for way in WAYS:
            with self.subTest(way=way):
                done, seen = escapes(way, user=self.user)
                if way == "together":  # nothing ended it before all was tried
                    self.assertIn("\n== end\n", seen.output, seen.errors)
                self.assertEqual(done, [])


class WholeAsNobody(Whole):
    user = NOBODY


if __name__ == "__main__":
    unittest.main()
