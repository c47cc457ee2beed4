"""That the stored recording is real: the package itself is asked again, where npm can get it."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import record
import real_server
import transcript


class Recording(unittest.TestCase):
    maxDiff = None

    def test_the_package_still_answers_as_recorded(self):
        stored = transcript.load()
        self.assertGreaterEqual(len(stored["calls"]), 80)
        self.assertEqual(len({tool["name"] for tool in stored["tools"]}), 14)
        try:
            fresh = record.record()
        except real_server.Unavailable as reason:
            self.skipTest(f"the real server cannot be run: {reason}")
        self.assertEqual(fresh["tools"], stored["tools"])
        for real, kept in zip(fresh["calls"], stored["calls"], strict=True):
            with self.subTest(number=kept["number"], tool=kept["tool"]):
                self.assertEqual(real, kept)


if __name__ == "__main__":
    unittest.main()
