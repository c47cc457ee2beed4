"""docs/dialects.md says what the tables say."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import document


class Document(unittest.TestCase):
    maxDiff = None

    def test_it_is_what_the_script_writes(self):
        self.assertEqual(document.DOCUMENT.read_text(encoding="utf-8"), document.document(),
                         "run tests/dialects/document.py with CORDON_BINARY set")


if __name__ == "__main__":
    unittest.main()
