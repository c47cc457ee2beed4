"""Every system call of a write fails once, by strace's fault injection, in the real binary.

Whatever fails, the files are all as they were, or, if the call said that it was done, all as
they should be; nothing temporary stays. CORDON_BINARY names the program.
"""

import collections
import json
import os
import pathlib
import re
import shutil
import stat
import subprocess
import tempfile
import unittest

CORDON = os.environ["CORDON_BINARY"]

# What touches files and descriptors. The rest is memory, signals and threads.
CALLS = {
    "openat": "EMFILE", "openat2": "EMFILE", "newfstatat": "EIO", "fstat": "EIO", "statx": "EIO",
    "read": "EIO", "pread64": "EIO", "write": "ENOSPC", "pwrite64": "ENOSPC", "writev": "ENOSPC",
    "fsync": "EIO", "fdatasync": "EIO", "ftruncate": "EIO", "fallocate": "ENOSPC",
    "renameat": "EIO", "renameat2": "EIO", "linkat": "ENOSPC", "unlinkat": "EIO",
    "mkdirat": "ENOSPC", "fchmod": "EPERM", "fchown": "EPERM", "fsetxattr": "ENOSPC",
    "fgetxattr": "EIO", "flistxattr": "EIO", "fremovexattr": "EIO", "lseek": "EIO",
    "close": "EIO", "flock": "ENOLCK", "fcntl": "EMFILE", "getdents64": "EIO",
    "readlinkat": "EIO", "fstatfs": "EIO", "utimensat": "EIO",
    "symlinkat": "ENOSPC", "copy_file_range": "EIO", "sendfile": "EIO", "ioctl": "EIO",
}
# One file changes, one comes into a new directory, one goes, one moves and changes.
PATCH = """*** Begin Patch
*** Update File: d/f
@@
 one
-two
+2
*** Add File: n/m/new
+new
*** Delete File: d/g
*** Update File: d/h
*** Move to: e/h
@@
-aitch
+h
 more
*** End Patch
"""
LINE = re.compile(r"^(\d+) +(\w+)\(")


def snapshot(top):
    """Names, kinds, modes and contents; not times."""
    found = {}
    for path in sorted(pathlib.Path(top).rglob("*")):
        info = path.lstat()
        content = path.read_bytes() if stat.S_ISREG(info.st_mode) else None
        found[str(path.relative_to(top))] = (info.st_mode, content)
    return found


def can_trace():
    if shutil.which("strace") is None:
        return False
    done = subprocess.run(["strace", "-o", "/dev/null", "true"], capture_output=True)
    return done.returncode == 0


class EveryCallFailsOnce(unittest.TestCase):
    def setUp(self):
        self.base = pathlib.Path(tempfile.mkdtemp(prefix="cordon-fault-"))
        self.addCleanup(shutil.rmtree, self.base)
        self.first = self.base / "first"
        (self.first / "d").mkdir(parents=True)
        (self.first / "d/f").write_bytes(b"one\r\ntwo\r\nthree\r\n")
        (self.first / "d/f").chmod(0o640)
        (self.first / "d/g").write_bytes(b"gee\n")
        try:
            os.setxattr(self.first / "d/f", "user.note", b"kept")
        except OSError:
            pass  # not every file system has them
        self.work = self.base / "work"
        self.runs = 0

    def run_tool(self, tool, arguments, *tracer):
        """A fresh workspace, an audit log that is there already, one call."""
        shutil.rmtree(self.work, ignore_errors=True)
        shutil.copytree(self.first, self.work, symlinks=True)
        self.runs += 1
        environment = dict(os.environ, XDG_STATE_HOME=str(self.base / "state"),
                           XDG_CONFIG_HOME=str(self.base / "config"))
        return subprocess.run(
            [*tracer, CORDON, "tool", tool, "--root", str(self.work), "--profile", "strict",
             "--json", json.dumps(arguments)],
            env=environment, capture_output=True, timeout=60)

    def traced(self, *options):
        return ["strace", "-f", "--seccomp-bpf", "-qq", "-o", str(self.base / "trace"), *options]

    def calls_made(self):
        """For each call the most often that one thread makes it."""
        made = collections.Counter()
        for line in (self.base / "trace").read_text(errors="replace").splitlines():
            match = LINE.match(line)
            if match and match.group(2) in CALLS:
                made[match.group(1), match.group(2)] += 1
        most = collections.Counter()
        for (_, call), count in made.items():
            most[call] = max(most[call], count)
        return most

    def check(self, tool, arguments, between=None):
        """`between`: what some names have when only a part was done and cannot be taken back."""
        between = between or {}
        before = snapshot(self.first)
        self.run_tool(tool, arguments)  # makes log and key
        done = self.run_tool(tool, arguments, *self.traced("-e", "trace=" + ",".join(CALLS)))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        after = snapshot(self.work)
        self.assertNotEqual(before, after)
        made = self.calls_made()
        self.assertGreater(sum(made.values()), 30)
        failed = partly = 0
        for call, count in sorted(made.items()):
            for when in range(1, count + 1):
                shutil.rmtree(self.base / "state", ignore_errors=True)
                self.run_tool("file_info", {"path": "d"})
                done = self.run_tool(tool, arguments, *self.traced(
                    "-e", f"trace={call}", "-e", f"inject={call}:error={CALLS[call]}:when={when}"))
                where = f"{tool}: {call} {when} of {count}: {done.returncode} {done.stdout!r} {done.stderr!r}"
                self.assertIn(done.returncode, (0, 1, 2, 3, 127), where)
                now = snapshot(self.work)
                if done.returncode == 0:
                    self.assertEqual(now, after, where)
                    continue
                failed += 1
                told = done.stdout + done.stderr
                # What was done and could not be told, or not be recorded as done, says so; and
                # without the log nothing is taken back either.
                if any(word in told for word in (b"rule audit", b"rule undo", b"could not be written")):
                    for name in before.keys() | now.keys():
                        states = [before.get(name), after.get(name)]
                        if name in between:
                            states.append(between[name])
                        self.assertIn(now.get(name), states, where)
                    if now not in (before, after):
                        partly += 1
                        self.assertIn(b"rule audit", told, where)  # the journal goes on
                        left = [name for name in now if now[name] != before.get(name)]
                        told_so = re.search(b"not_taken_back|could not be removed", told)
                        # Directories on the way stay where without the log nothing may go.
                        self.assertTrue(
                            told_so or all((self.work / name).is_dir() for name in left), where)
                else:
                    self.assertEqual(now, before, where)
        self.assertGreater(failed, 10, "no failure got through")
        print(f"{tool}: {sum(made.values())} calls, {failed} made it fail, {partly} in the middle")


@unittest.skipUnless(can_trace(), "strace is not there, or may not trace")
class OnePath(EveryCallFailsOnce):
    def test_write_over(self):
        self.check("write_file", {"path": "d/f", "content": "new"})

    def test_write_new(self):
        self.check("write_file", {"path": "n/m/new", "content": "new"})

    def test_write_not_over(self):
        self.check("write_file", {"path": "d/new", "content": "new", "overwrite": False})

    def test_append(self):
        self.check("append_file", {"path": "d/f", "content": "more"})

    def test_insert(self):
        self.check("insert_lines", {"path": "d/f", "line": 1, "content": "more"})

    def test_edit(self):
        self.check("edit_file", {"path": "d/f", "edits": [{"old": "two", "new": "2\n2"},
                                                          {"old": "one", "new": "1"}]})

    def test_replace(self):
        self.check("replace", {"path": "d/f", "old_string": "two", "new_string": "2"})

    def test_replace_nothing_makes_the_file(self):
        self.check("replace", {"path": "n/new", "old_string": "", "new_string": "new"})

    def test_move_over(self):
        self.check("move_path", {"source": "d/f", "destination": "d/g", "overwrite": True})

    def test_copy_tree(self):
        self.check("copy_path", {"source": "d", "destination": "e", "recursive": True})

    def test_delete_tree(self):
        self.check("delete_path", {"path": "d/f"})


@unittest.skipUnless(can_trace(), "strace is not there, or may not trace")
class SeveralFiles(EveryCallFailsOnce):
    def test_patch(self):
        moved = self.first / "d/h"
        moved.write_bytes(b"aitch\nmore\n")
        self.check("apply_patch", {"patch": PATCH},
                   between={"e/h": (moved.lstat().st_mode, moved.read_bytes())})


if __name__ == "__main__":
    unittest.main(verbosity=2)
