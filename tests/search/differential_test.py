"""grep and glob against ripgrep and fd, on trees made at random.

Trees have ignore files of every kind at every level, repositories in repositories, odd
names, binary files and links; what both find must be the same. CORDON_SEARCH_TREES says
how many trees, CORDON_SEARCH_SEED which. Exits with 77 where rg or fdfind is missing.
"""

import base64
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

BINARY = os.environ["CORDON_BINARY"]
TREES = int(os.environ.get("CORDON_SEARCH_TREES", "40"))
SEED = int(os.environ.get("CORDON_SEARCH_SEED", "1"))

NAMES = [b"a", b"b", b"c", b"foo", b"target", b"build", b"x.log", b"y.log", b"a.txt", b"b.txt",
         b"foo.c", b"foo.h", b".hid", b".dot.c", b"sp ace", b"#c", b"!n", b"[x]", b"star*",
         b"back\\slash", b"caf\xc3\xa9", b"bad\xff", b"q?", b"{a,b}", b"Foo.C", b"a-b", b"x.tar.gz"]
RULES = ["*.log", "/a", "b/", "!x.log", "!a", "**/c", "a/**", "a/*/b", "[ab].txt", "?.txt", "*",
         "!*/", "foo*", "\\!n", "\\#c", "#c", "c ", "sp\\ ace", "sp ace", "{a,b}", "*.{c,h}",
         "/**/foo", "build/", "!build/", ".hid", "!.hid", "!.dot.c", "a/b", "a/**/c", "**/target/**",
         "/*", "!/foo", "[", "[!a]", "star\\*", "*.c", "!foo.c", "caf*", "", "   ", "**", "a/", "/b/*",
         "!a/foo", "x.*", "**foo", "back\\\\slash", "*.tar.gz", "c\t"]
WORDS = ["alpha", "Beta", "gamma delta", "needle", "NEEDLE", "x = 42;", "foo(bar)", "", "   indent",
         "tail\r", "\u00e9t\u00e9", "task", "very " * 30]
# Not "^$": before a NUL, ripgrep 13 tells an empty line where it tells no other.
PATTERNS = [(["-F"], "literal", "needle"), ([], "regex", "needle"),
            ([], "regex", r"foo\((bar|baz)\)"), ([], "regex", r"\d+;$"), ([], "regex", "a.*a"),
            (["-F"], "literal", "x = 42;"), ([], "regex", "[A-Z][a-z0-9_]+"), ([], "regex", "task|needle"),
            (["-F"], "literal", "\u00e9t\u00e9"), ([], "regex", r"^\s+indent")]
GLOBS = ["*.c", "**/*.c", "*.{c,h}", "a", "*", "foo*", "[ab]*", "?.txt", "*.t*"]
CHOSEN = ["*.c", "*.txt", "foo*", "a/*", "/b", "*.{c,h}", "c", ".hid"]


def make_tree(rng, top):
    def fill(directory, depth):
        if rng.random() < 0.35:
            write(os.path.join(directory, b".gitignore"), ignore_file(rng))
        if rng.random() < 0.2:
            write(os.path.join(directory, b".ignore"), ignore_file(rng))
        if depth and rng.random() < 0.08:
            os.mkdir(os.path.join(directory, b".git"))
        for name in rng.sample(NAMES, rng.randint(2, 9)):
            path = os.path.join(directory, name)
            kind = rng.random()
            if kind < 0.35 and depth < 4:
                os.mkdir(path)
                fill(path, depth + 1)
            elif kind < 0.40:
                os.symlink(rng.choice([b"a", b"..", b"../..", b"/etc", b"nowhere"]), path)
            else:
                write(path, content(rng))

    if rng.random() < 0.8:
        os.mkdir(os.path.join(top, b".git"))
    fill(top, 0)


def ignore_file(rng):
    lines = rng.sample(RULES, rng.randint(1, 6))
    ending = rng.choice(["\n", "\r\n"]) if rng.random() < 0.2 else "\n"
    return ending.join(lines).encode()


def content(rng):
    lines = [rng.choice(WORDS) for _ in range(rng.randint(0, 30))]
    text = "\n".join(lines) + rng.choice(["\n", ""])
    kind = rng.random()
    if kind < 0.05:
        return text.encode() + b"\0" + text.encode()
    if kind < 0.08:
        return b"needle\n" + b"1234\n" * 15000 + b"needle\n\0needle\n"
    if kind < 0.12:
        return text.encode("utf-16")
    if kind < 0.16:
        return b"\xef\xbb\xbf" + text.encode()
    if kind < 0.20:
        return text.encode("latin-1", "replace")
    return text.encode()


def write(path, data):
    with open(path, "wb") as out:
        out.write(data)


class Differential(unittest.TestCase):
    maxDiff = 4000

    def setUp(self):
        self.scratch = tempfile.mkdtemp(prefix="cordon-search-")
        self.addCleanup(shutil.rmtree, os.fsencode(self.scratch))
        home = os.path.join(self.scratch, "home")
        os.mkdir(home)
        self.environment = {"HOME": home, "XDG_CONFIG_HOME": home + "/.config",
                            "XDG_STATE_HOME": home + "/.state", "PATH": "/usr/bin:/bin"}
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
            if name in os.environ:
                self.environment[name] = os.environ[name]

    def run_other(self, words, top):
        done = subprocess.run(words, cwd=top, env=self.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60)
        self.assertIn(done.returncode, (0, 1, 2), done.stderr)
        return done.stdout

    def start_batch(self, top):
        batch = subprocess.Popen([BINARY, "tool", "--batch", "--root", os.fsdecode(top)],
                                 env=self.environment, stdin=subprocess.PIPE,
                                 stdout=subprocess.PIPE)
        self.addCleanup(self.end_batch, batch)
        return batch

    @staticmethod
    def end_batch(batch):
        batch.stdin.close()
        batch.wait(timeout=30)
        batch.stdout.close()

    def call(self, batch, tool, **arguments):
        batch.stdin.write(json.dumps({"id": 1, "tool": tool, "arguments": arguments}).encode()
                          + b"\n")
        batch.stdin.flush()
        answer = json.loads(batch.stdout.readline())
        self.assertTrue(answer.get("success"), (arguments, answer))
        return answer["data"]

    @staticmethod
    def bytes_of(entry):
        if entry.get("path_encoding") == "percent":
            return urllib.parse.unquote_to_bytes(entry["path"])
        return entry["path"].encode()

    def our_files(self, batch, **arguments):
        data = self.call(batch, "glob", sort="path", limit=100000, **arguments)
        return sorted(self.bytes_of(m) for m in data["matches"] if m["kind"] == "file")

    @staticmethod
    def names_of(output):
        return sorted(n[2:] if n.startswith(b"./") else n for n in output.split(b"\0") if n)

    def check_files(self, rng, batch, top):
        for hidden in (False, True):
            for respected in (True, False):
                words = ["rg", "--no-config", "--files", "-0"]
                words += ["--hidden", "-g", "!.git"] if hidden else []
                words += [] if respected else ["--no-ignore"]
                theirs = self.names_of(self.run_other(words, top))
                ours = self.our_files(batch, pattern="**", include_hidden=hidden,
                                      respect_gitignore=respected)
                self.assertEqual(ours, theirs, words)
        for name in rng.sample(GLOBS, 4):
            words = ["fdfind", "-0", "--type=f", "--color=never", "--case-sensitive", "--glob", name.split("/")[-1]]
            if name.startswith("**/"):
                name = name[3:]
            theirs = self.names_of(self.run_other(words, top))
            self.assertEqual(self.our_files(batch, pattern="**/" + name), theirs, words)

    def their_lines(self, words, top):
        lines = []
        for record in self.run_other(words, top).splitlines():
            record = json.loads(record)
            if record["type"] not in ("match", "context"):
                continue
            data = record["data"]
            path = self.raw(data["path"])
            text = self.raw(data["lines"])
            lines.append((path[2:] if path.startswith(b"./") else path, data["line_number"],
                          text.rstrip(b"\n").removesuffix(b"\r").decode("utf-8", "replace"),
                          record["type"] == "context"))
        return sorted(lines)

    @staticmethod
    def raw(value):
        return value["text"].encode() if "text" in value else base64.b64decode(value["bytes"])

    def our_lines(self, batch, **arguments):
        data = self.call(batch, "grep", limit=100000, **arguments)
        return sorted((self.bytes_of(line), line["line"], line["text"],
                       line.get("context", False)) for line in data["lines"])

    def check_lines(self, rng, batch, top):
        for flags, mode, pattern in rng.sample(PATTERNS, 4):
            words = ["rg", "--no-config", "--json", *flags]
            arguments = {"pattern": pattern, "mode": mode}
            if rng.random() < 0.3:
                words.append("-i")
                arguments["case"] = "insensitive"
            if rng.random() < 0.3:
                arguments["context"] = rng.randint(1, 3)
                words.append("-C%d" % arguments["context"])
            if rng.random() < 0.3:
                arguments["include"] = rng.sample(CHOSEN, 2)
                words += [w for g in arguments["include"] for w in ("-g", g)]
            if rng.random() < 0.3:
                arguments["exclude"] = rng.sample(CHOSEN, 2)
                words += [w for g in arguments["exclude"] for w in ("-g", "!" + g)]
            theirs = self.their_lines([*words, "-e", pattern, "."], top)
            self.assertEqual(self.our_lines(batch, **arguments), theirs, (words, pattern))
            self.check_pages(rng, batch, arguments)

    def check_pages(self, rng, batch, arguments):
        """Pages put together are the whole, and each is the same on every run."""
        arguments = {k: v for k, v in arguments.items() if k != "context"}
        whole = [(line["path"], line["line"])
                 for line in self.call(batch, "grep", limit=100000, **arguments)["lines"]]
        limit = rng.choice([1, 3, 10, 1000])
        offset, pages = 0, []
        for _ in range(6):
            page = self.call(batch, "grep", limit=limit, offset=offset, **arguments)
            again = self.call(batch, "grep", limit=limit, offset=offset, **arguments)
            self.assertEqual(page["lines"], again["lines"])
            pages += [(line["path"], line["line"]) for line in page["lines"]]
            if not page["truncated"]:
                self.assertEqual(pages, whole)
                return
            offset = page["next_offset"]
        self.assertEqual(pages, whole[:len(pages)])

    def check_below(self, rng, batch, top):
        """From a directory, under the rules of those above it."""
        found = [d for d, _, _ in os.walk(top) if d != top and b"/." not in d[len(top):]]
        for directory in rng.sample(found, min(2, len(found))):
            below = os.path.relpath(directory, top)
            # From within: given as an argument, ripgrep 13 forgets anchored rules above it.
            theirs = [below + b"/" + name for name in self.names_of(
                self.run_other(["rg", "--no-config", "--files", "-0"], directory))]
            given = urllib.parse.quote_from_bytes(below, safe="/ ")
            ours = self.our_files(batch, pattern="**", path=given, path_encoding="percent")
            self.assertEqual(ours, sorted(theirs), below)

    def test_random_trees(self):
        for number in range(SEED, SEED + TREES):
            rng = random.Random(number)
            top = os.fsencode(os.path.join(self.scratch, "w%d" % number))
            os.mkdir(top)
            make_tree(rng, top)
            batch = self.start_batch(top)
            with self.subTest(seed=number):
                self.check_files(rng, batch, top)
                self.check_lines(rng, batch, top)
                self.check_below(rng, batch, top)


if __name__ == "__main__":
    missing = [name for name in ("rg", "fdfind") if shutil.which(name) is None]
    if missing:
        print("skipped: not installed:", ", ".join(missing))
        sys.exit(77)
    unittest.main()
