"""scripts/check_size.py at its two limits."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check_size.py"


class CheckSize(unittest.TestCase):
    def test_limits(self):
        for lines, status, word in [(300, 0, ""), (301, 0, "warning"), (400, 0, "warning"),
                                    (401, 1, "error")]:
            with self.subTest(lines=lines), tempfile.TemporaryDirectory() as tree:
                room = pathlib.Path(tree, "src", "base")
                room.mkdir(parents=True)
                (room / "a.cc").write_text("//\n" * lines)
                done = subprocess.run([sys.executable, SCRIPT, tree], capture_output=True, text=True)
                self.assertEqual(done.returncode, status)
                self.assertIn(word, done.stdout)
                self.assertEqual(bool(word), bool(done.stdout))


if __name__ == "__main__":
    unittest.main()
