"""What the end-to-end tests share: a scratch world, and a way to ask the binary."""

import ctypes
import json
import os
import pathlib
import shutil
import struct
import subprocess
import tempfile
import unittest

BINARY = os.environ["CORDON_BINARY"]
RESOLVERS = ("openat2", "walk")
OPERATIONS = ("read", "write", "create", "delete", "list", "mkdir", "rename", "stat")


class Answer:
    """Output and status of one run."""

    def __init__(self, done):
        self.status = done.returncode
        self.out = done.stdout
        self.err = done.stderr

    @property
    def text(self):
        return self.out.decode("utf-8")

    @property
    def errors(self):
        return self.err.decode("utf-8")

    @property
    def json(self):
        lines = self.text.splitlines()
        assert len(lines) == 1, f"one line of JSON expected: {self.out!r} {self.err!r}"
        return json.loads(lines[0])

    def __repr__(self):
        return f"status {self.status}\nout {self.out!r}\nerr {self.err!r}"


class World(unittest.TestCase):
    """A scratch directory with a workspace `w`, a secret beside it, a home without files."""

    maxDiff = None

    def setUp(self):
        self.scratch = pathlib.Path(os.path.realpath(tempfile.mkdtemp(prefix="cordon-cli-")))
        self.addCleanup(self.remove_scratch)
        self.w = self.scratch / "w"
        self.home = self.scratch / "home"
        (self.w / "src").mkdir(parents=True)
        self.home.mkdir()
        (self.w / "src" / "main.cc").write_text("int main() {}\n")
        (self.w / ".env").write_text("KEY=secret\n")
        (self.scratch / "secret").write_text("secret\n")
        self.environment = {
            "HOME": str(self.home),
            "XDG_CONFIG_HOME": str(self.home / ".config"),
            "XDG_STATE_HOME": str(self.home / ".state"),
            "PATH": "/usr/bin:/bin",
        }
        for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "TSAN_OPTIONS"):
            if name in os.environ:
                self.environment[name] = os.environ[name]

    def remove_scratch(self):
        for directory, _, _ in os.walk(os.fsencode(self.scratch)):
            os.chmod(directory, 0o700)
        shutil.rmtree(os.fsencode(self.scratch))

    def run_cordon(self, *arguments, cwd=None, preexec=None, **environment):
        """Runs the binary; a keyword is an environment variable (None removes it)."""
        merged = dict(self.environment)
        for name, value in environment.items():
            merged.pop(name, None)
            if value is not None:
                merged[name] = value
        done = subprocess.run(
            [BINARY, *map(os.fsencode, arguments)],
            cwd=cwd or self.w,
            env=merged,
            preexec_fn=preexec,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            timeout=30,
            check=False,
        )
        answer = Answer(done)
        self.assertIn(answer.status, (0, 1, 2, 3), answer)
        return answer

    def check(self, operation, path, *more, root=None, **environment):
        return self.run_cordon(
            "check", "--root", root or self.w, "--op", operation, *more, "--", path, **environment)

    def check_json(self, operation, path, *more, **keywords):
        answer = self.check(operation, path, "--json", *more, **keywords)
        return answer.status, answer.json

    def assert_refused(self, operation, path, code, *more, **keywords):
        """Refused with `code`, in both forms and by both resolvers; returns the error object."""
        seen = []
        for resolver in RESOLVERS:
            status, result = self.check_json(operation, path, *more, CORDON_RESOLVER=resolver,
                                             **keywords)
            self.assertEqual(status, 1, (resolver, path, result))
            self.assertIs(result["success"], False)
            self.assertEqual(result["data"]["verdict"], "refused")
            self.assertEqual(result["error"]["code"], code, (resolver, path, result))
            self.assert_error_shape(result["error"])
            seen.append(result["error"])
        self.assertEqual(seen[0], seen[1], "the resolvers disagree")
        answer = self.check(operation, path, *more, **keywords)
        self.assertEqual(answer.status, 1, answer)
        self.assertTrue(answer.text.startswith(f"refused: {operation} "), answer)
        self.assertIn(f"({code})\n", answer.text)
        return seen[0]

    def assert_allowed(self, operation, path, *more, **keywords):
        """Allowed, in both forms and by both resolvers; returns the data object."""
        seen = []
        for resolver in RESOLVERS:
            status, result = self.check_json(operation, path, *more, CORDON_RESOLVER=resolver,
                                             **keywords)
            self.assertEqual(status, 0, (resolver, path, result))
            self.assertIs(result["success"], True)
            self.assertNotIn("error", result)
            data = result["data"]
            self.assertEqual(data["verdict"], "allowed")
            self.assertEqual(data["operation"], operation)
            self.assertEqual(data.pop("resolver"), resolver)
            seen.append(data)
        self.assertEqual(seen[0], seen[1], "the resolvers disagree")
        answer = self.check(operation, path, *more, **keywords)
        self.assertEqual(answer.status, 0, answer)
        self.assertTrue(answer.text.startswith(f"allowed: {operation} "), answer)
        return seen[0]

    def assert_error_shape(self, error):
        for key, kind in (("code", str), ("message", str), ("aiMessage", str),
                          ("securityViolation", bool), ("recoverable", bool)):
            self.assertIsInstance(error[key], kind, error)
        self.assertTrue(error["message"])
        self.assertTrue(error["aiMessage"])
        known = {"code", "message", "aiMessage", "securityViolation", "violation", "recoverable",
                 "rule", "component", "ruleEncoding", "componentEncoding", "argument"}
        self.assertLessEqual(set(error), known)

    def assert_safe_on_terminal(self, output):
        """Nothing but printable characters and the newlines that end our own lines."""
        text = output.decode("utf-8")
        odd = sorted({c for c in text if not c.isprintable()} - {"\n"})
        self.assertEqual(odd, [], f"in {text!r}" if odd else "")

    def snapshot(self):
        """Everything about the scratch tree but access times."""
        found = {}
        for directory, names, files in os.walk(os.fsencode(self.scratch)):
            for name in [b"."] + names + files:
                path = os.path.join(directory, name)
                stat = os.lstat(path)
                link = os.readlink(path) if os.path.islink(path) else None
                found[path] = (stat.st_mode, stat.st_ino, stat.st_size, stat.st_nlink,
                               stat.st_mtime_ns, stat.st_ctime_ns, link)
        return found


class Watcher:
    """Tells whether anything in a tree was opened, read or changed (inotify)."""

    EVERYTHING = 0x00000FFF

    def __init__(self, top):
        self.libc = ctypes.CDLL(None, use_errno=True)
        self.fd = self.libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC)
        if self.fd < 0:
            raise OSError(ctypes.get_errno(), "inotify_init1")
        for directory, _, files in os.walk(os.fsencode(top)):
            for path in [directory] + [os.path.join(directory, name) for name in files]:
                if self.libc.inotify_add_watch(self.fd, path, self.EVERYTHING | 0x02000000) < 0:
                    raise OSError(ctypes.get_errno(), "inotify_add_watch", path)
        self.events()  # what this walk itself has caused

    def events(self):
        """The masks and names seen since the last call."""
        seen = []
        try:
            data = os.read(self.fd, 1 << 20)
        except BlockingIOError:
            return seen
        while data:
            _, mask, _, length = struct.unpack_from("iIII", data)
            seen.append((hex(mask), data[16:16 + length].rstrip(b"\0")))
            data = data[16 + length:]
        return seen

    def close(self):
        os.close(self.fd)


def forbid_openat2():
    """For preexec: a kernel that does not know openat2 (it answers ENOSYS)."""
    load_number = struct.pack("HBBI", 0x20, 0, 0, 0)
    if_openat2 = struct.pack("HBBI", 0x15, 0, 1, 437)
    no_such_call = struct.pack("HBBI", 0x06, 0, 0, 0x00050000 | 38)
    allow = struct.pack("HBBI", 0x06, 0, 0, 0x7FFF0000)
    program = ctypes.create_string_buffer(load_number + if_openat2 + no_such_call + allow)
    header = ctypes.create_string_buffer(
        struct.pack("HxxxxxxQ" if struct.calcsize("P") == 8 else "HxxI", 4,
                    ctypes.addressof(program)))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, header, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
