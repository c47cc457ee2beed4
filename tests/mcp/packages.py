"""What the tests of MCP get from npm."""

import pathlib
import subprocess
import unittest

SOURCE = pathlib.Path(__file__).resolve().parents[2]


def packages():
    """The directory of the packages; where npm cannot get them, the test is skipped."""
    done = subprocess.run([SOURCE / "scripts/install_npm.sh"], capture_output=True, text=True,
                          timeout=600, check=False)
    if done.returncode != 0:
        raise unittest.SkipTest(done.stderr.strip()[-300:])
    return SOURCE / done.stdout.strip()
