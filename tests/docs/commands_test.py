"""What README.md and docs/ show works as shown: commands_test.py TREE CORDON EXAMPLE..."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import documents

TREE, CORDON, EXAMPLE, READS, CHANGES = (pathlib.Path(argument).resolve()
                                         for argument in sys.argv[1:6])
DOCUMENTS = [TREE / "README.md", TREE / "CONTRIBUTING.md", TREE / "SECURITY.md",
             *sorted((TREE / "docs").rglob("*.md"))]


def headings(text):
    """The anchors of a document's headings."""
    return {re.sub(r"[^\w\- ]", "", line.lstrip("# ").lower()).replace(" ", "-")
            for line in re.sub(r"```.*?```", "", text, flags=re.DOTALL).splitlines()
            if line.startswith("#")}


class Sessions(unittest.TestCase):

    def test_every_session_is_what_the_program_does(self):
        for document in DOCUMENTS:
            with self.subTest(document.name), tempfile.TemporaryDirectory() as folder:
                scratch = pathlib.Path(folder).resolve()
                found, count = documents.complaints(document.read_text(), scratch, CORDON)
                self.assertEqual(found, [], "\n".join(found))
                if document in (TREE / "README.md", TREE / "docs" / "tour.md", TREE / "docs" / "policy.md"):
                    self.assertGreater(count, 3)

    def test_every_fenced_block_has_a_known_language(self):
        for document in DOCUMENTS:
            for language, content in documents.blocks(document.read_text()):
                self.assertIn(language, ("console", "sh", "toml", "cpp", "text"), content)

    def test_a_wrong_document_is_noticed(self):
        for text in ("```console\n$ echo a\nb\n```\n", "```console\n$ echo a\n```\n",
                     "```console\n$ cordon --no-such-flag\n```\n", "```toml\nprofile = 1\n```\n"):
            with tempfile.TemporaryDirectory() as folder:
                scratch = pathlib.Path(folder).resolve()
                self.assertNotEqual(documents.complaints(text, scratch, CORDON)[0], [], text)
        right = "```console\n$ cat <<E\n> x\n> E\nx\n$ true\n$ pwd\n/home/you\n```\n"
        with tempfile.TemporaryDirectory() as folder:
            scratch = pathlib.Path(folder).resolve()
            self.assertEqual(documents.complaints(right, scratch, CORDON), ([], 3))


class Commands(unittest.TestCase):
    """`sh` blocks take minutes or change the machine; here each command is known to exist."""

    def lines(self):
        for document in DOCUMENTS:
            for language, content in documents.blocks(document.read_text()):
                if language == "sh":
                    for line in content.splitlines():
                        yield from re.split(r" *&& *", line.split("#")[0].strip())

    def test_make_targets_exist(self):
        seen = [line for line in self.lines() if line.startswith("make ")]
        self.assertIn("make demo", seen)
        self.assertIn("make test", seen)
        for line in seen:
            done = subprocess.run(["make", "-n", *line.split()[1:]], cwd=TREE, text=True,
                                  capture_output=True)
            self.assertEqual(done.returncode, 0, line + "\n" + done.stderr)

    def test_presets_exist(self):
        presets = json.loads((TREE / "CMakePresets.json").read_text())
        kinds = {"cmake --preset": "configurePresets", "cmake --build --preset": "buildPresets",
                 "ctest --preset": "testPresets"}
        for line in self.lines():
            for start, kind in kinds.items():
                if line.startswith(start + " "):
                    self.assertIn(line.split()[-1], [preset["name"] for preset in presets[kind]])

    def test_the_rest_is_a_program_of_the_tree(self):
        for line in filter(None, self.lines()):
            program = line.split()[0]
            if program not in ("make", "cmake", "ctest", "export"):
                self.assertTrue((TREE / program).is_file(), line)


class Links(unittest.TestCase):

    def test_every_relative_link_leads_somewhere(self):
        for document in DOCUMENTS:
            for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text()):
                self.assertTrue((document.parent / target).exists(), f"{document.name}: {target}")

    def test_every_anchor_is_a_heading(self):
        for document in DOCUMENTS:
            for target, anchor in re.findall(r"\]\(([^)#:]*)#([^)]*)\)", document.read_text()):
                there = document.parent / target if target else document
                self.assertIn(anchor, headings(there.read_text()), f"{document.name}: {target}#{anchor}")

    def test_every_page_can_be_reached(self):
        reached, waiting = set(), [TREE / "README.md"]
        while waiting:
            page = waiting.pop().resolve()
            if page in reached or page.suffix != ".md":
                continue
            reached.add(page)
            waiting += [page.parent / target for target in
                        re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text())]
        pages = {page for page in DOCUMENTS if "adr" not in page.parts}
        self.assertEqual(sorted(page.name for page in pages - reached), [])


class Example(unittest.TestCase):
    """The README's program, compiled by the build from the very text."""

    def test_it_reads_or_refuses(self):
        with tempfile.TemporaryDirectory() as folder:
            scratch = pathlib.Path(folder).resolve()
            root = scratch / "root"
            root.mkdir()
            (root / "a.txt").write_text("inside\n")
            (root / ".env").write_text("SECRET\n")
            (scratch / "outside").write_text("SECRET\n")
            (root / "link").symlink_to("../outside")
            done = subprocess.run([EXAMPLE, root, "a.txt"], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (0, "inside\n"))
            for path in ("../outside", "link", ".env", scratch / "outside", "missing"):
                done = subprocess.run([EXAMPLE, root, path], capture_output=True, text=True)
                self.assertEqual((done.returncode, done.stdout), (1, ""), path)
                self.assertNotIn("SECRET", done.stderr)
                self.assertNotEqual(done.stderr, "")
            done = subprocess.run([EXAMPLE, root / "none", "a"], capture_output=True, text=True)
            self.assertEqual(done.returncode, 2)


class Embedding(unittest.TestCase):
    """The programs of docs/embedding.md."""

    def test_they_do_what_the_page_says(self):
        with tempfile.TemporaryDirectory() as folder:
            scratch = pathlib.Path(folder).resolve()
            root = scratch / "root"
            root.mkdir()
            (root / "a.txt").write_text("inside\n")
            (root / "key.pem").write_text("SECRET\n")
            (scratch / "outside").write_text("SECRET\n")
            done = subprocess.run([READS, root, "a.txt", "../outside", "key.pem"],
                                  capture_output=True, text=True)
            self.assertEqual(done.returncode, 0)
            self.assertTrue(done.stdout.startswith("inside\n"))
            self.assertNotIn("SECRET", done.stdout + done.stderr)
            self.assertEqual(done.stderr.count("tried to get out"), 2)
            done = subprocess.run([CHANGES, root], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (0, "today\n"))
            self.assertEqual((root / "notes/2026/today").read_text(), "hello\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
