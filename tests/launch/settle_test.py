"""cordon-launch --settle brings what it is given to the disk, and says when it cannot."""

import os
import subprocess
import tempfile
import unittest

LAUNCH = os.environ["CORDON_LAUNCH"]


def settle(file):
    return subprocess.run([LAUNCH, "--settle"], stdin=file, capture_output=True, timeout=60, check=False)


class Settle(unittest.TestCase):

    def test_a_file(self):
        with tempfile.NamedTemporaryFile(dir=".") as file:
            file.write(b"records")
            file.flush()
            done = settle(file)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
            file.seek(0)
            self.assertEqual(file.read(), b"records")

    def test_what_no_disk_holds(self):
        read, write = os.pipe()
        with open(read, "rb") as pipe, open(write, "wb"):
            self.assertEqual(settle(pipe).returncode, 1)


if __name__ == "__main__":
    unittest.main()
