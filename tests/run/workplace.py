"""One piece of work done twice at the same place, before the line and behind it; for the tests beside it."""

import dataclasses
import fnmatch
import hashlib
import os
import shutil
import stat
import subprocess
import tempfile
import time
import unittest

CORDON = os.environ["CORDON_BINARY"]
NOBODY = 65534
PATIENCE = 150
# What the same work needs to give the same bytes each time.
STEADY = {
    "GIT_AUTHOR_DATE": "2026-01-02T03:04:05Z", "GIT_COMMITTER_DATE": "2026-01-02T03:04:05Z",
    "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org", "SOURCE_DATE_EPOCH": "1767323045", "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
}


@dataclasses.dataclass
class Done:
    status: int
    output: str
    errors: str
    files: dict
    seconds: float


def file_facts(path, name, unsteady):
    facts = os.lstat(path)
    kind, mode = stat.S_IFMT(facts.st_mode), stat.S_IMODE(facts.st_mode)
    owner = (facts.st_uid, facts.st_gid)
    if stat.S_ISLNK(facts.st_mode):
        return "link", owner, os.readlink(path)
    if not stat.S_ISREG(facts.st_mode):
        return kind, mode, owner
    if any(fnmatch.fnmatch(name, pattern) for pattern in unsteady):
        return "file", mode, owner
    with open(path, "rb") as file:
        return "file", mode, owner, facts.st_nlink, hashlib.file_digest(file, "sha256").hexdigest()


def all_files(top, unsteady):
    found = {}
    for folder, folders, files in os.walk(top):
        for name in folders + files:
            path = os.path.join(folder, name)
            name = os.path.relpath(path, top)
            found[name] = file_facts(path, name, unsteady)
    return found


def marked(mark):
    """Processes, of whatever namespace, that have the mark in their arguments or environment."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            for part in ("cmdline", "environ"):
                with open(f"/proc/{name}/{part}", "rb") as file:
                    if mark.encode() in file.read():
                        found.append(int(name))
                        break
        except OSError:
            pass
    return [pid for pid in found if pid != os.getpid()]


class RunTest(unittest.TestCase):
    """A workspace, and a user to work in it."""

    user = None

    def setUp(self):
        if self.user is not None and os.getuid() != 0:
            self.skipTest("only root may become somebody else; the other class tries the user who runs this")
        self.top = os.path.realpath(tempfile.mkdtemp(prefix="cordon-run-", dir="/var/tmp"))
        self.addCleanup(shutil.rmtree, self.top, ignore_errors=True)
        self.work = os.path.join(self.top, "work")
        os.chmod(self.top, 0o755)
        for name in ("work", "home", "state"):
            self.make_folder(os.path.join(self.top, name))
        self.mark = f"cordon-mark-{os.getpid()}-{time.monotonic_ns()}"

    def make_folder(self, path):
        os.makedirs(path, exist_ok=True)
        self.give(path)

    def give(self, path):
        if self.user is not None:
            os.chown(path, self.user, self.user)

    def write(self, name, text, mode=0o644):
        path = os.path.join(self.work, name)
        folder = os.path.dirname(path)
        while not os.path.isdir(folder):
            missing = folder
            while not os.path.isdir(os.path.dirname(missing)):
                missing = os.path.dirname(missing)
            self.make_folder(missing)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        self.give(path)

    def environment(self, **more):
        return {"PATH": "/usr/bin:/bin", "HOME": self.top + "/home", "LANG": "C.UTF-8", "TERM": "xterm",
                "TMPDIR": "/tmp", "XDG_STATE_HOME": self.top + "/state", "CORDON_MARK": self.mark, **STEADY, **more}

    def as_user(self):
        if self.user is None:
            return {}
        return {"user": self.user, "group": self.user, "extra_groups": []}

    def cordon(self, *arguments, flags=(), env=()):
        given = [f"--env={name}" for name in [*STEADY, "CORDON_MARK", *env]]
        return [CORDON, "run", "--root", self.work, "--ask", "none", *given, *flags, "--", *arguments]

    def start(self, command, **more):
        more.setdefault("env", self.environment())
        more.setdefault("stdin", subprocess.DEVNULL)
        process = subprocess.Popen(command, cwd=self.work, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   umask=0o022, **self.as_user(), **more)

        def end():
            process.kill()
            process.communicate()
        self.addCleanup(end)
        return process

    def finish(self, process, patience=PATIENCE):
        output, errors = process.communicate(timeout=patience)
        return process.returncode, output.decode(errors="replace"), errors.decode(errors="replace")

    def inside(self, *arguments, flags=(), patience=PATIENCE, **more):
        return self.finish(self.start(self.cordon(*arguments, flags=flags), **more), patience)

    def do(self, command, prepare, unsteady):
        shutil.rmtree(self.work)
        self.make_folder(self.work)
        prepare()
        began = time.monotonic()
        status, output, errors = self.finish(self.start(command))
        seconds = time.monotonic() - began
        return Done(status, output, errors, all_files(self.work, unsteady), seconds)

    def compare(self, script, prepare=lambda: None, unsteady=(), flags=(), status=0):
        """The script before the line and behind it: the same status, the same output, the same files."""
        command = ["bash", "-euc", script]
        before = self.do(command, prepare, unsteady)
        behind = self.do(self.cordon(*command, flags=flags), prepare, unsteady)
        told = f"\nbefore: {before.errors[-3000:]}\nbehind: {behind.errors[-3000:]}"
        self.assertEqual(before.status, status, told)
        self.assertEqual(behind.status, before.status, behind.output[-1000:] + told)
        self.assertEqual(behind.output, before.output, told)
        self.maxDiff = 4000
        self.assertEqual({name: before.files.get(name) for name in behind.files if
                          behind.files[name] != before.files.get(name)},
                         {name: behind.files[name] for name in behind.files if
                          behind.files[name] != before.files.get(name)}, told)
        self.assertEqual(set(before.files) - set(behind.files), set(), told)
        self.assertNotIn("cordon: ", behind.errors)
        self.assertEqual(marked(self.mark), [])
        return behind


def for_root_too(tests):
    """The same tests done by root, where root runs them: capabilities make other code paths."""
    return type(tests.__name__ + "AsRoot", (tests,), {"user": None, "__module__": tests.__module__})
