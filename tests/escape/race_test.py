"""Names that change while they are looked at. CORDON_RACE_SECONDS says for how long each."""

import os
import unittest

from arena import NOBODY
from run import escapes

SECONDS = float(os.environ.get("CORDON_RACE_SECONDS", "3"))


class Race(unittest.TestCase):

    def test_none_is_won(self):
        done, seen = escapes("race", race=SECONDS)
        self.assertIn("\n== end\n", seen.output, seen.errors)
        self.assertEqual(done, [])


class LongRace(unittest.TestCase):

    @unittest.skipIf(SECONDS < 10, "in the long run only")
    def test_none_is_won_with_fewer_layers(self):
        for user, without in ((NOBODY, ()), (None, ("mount-namespace",)), (None, ("landlock",)),
                              (None, ("landlock", "mount-namespace")), (None, ("supervisor",))):
            with self.subTest(user=user, without=without):
                done, _ = escapes("race", without, user=user, race=3.0)
                self.assertEqual(done, [])


if __name__ == "__main__":
    unittest.main()
