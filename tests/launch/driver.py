"""Speaks to cordon-launch as Cordon does; for the tests beside it."""

import array
import os
import select
import shutil
import socket
import stat
import struct
import tempfile
import time
import unittest

LAUNCH = os.environ["CORDON_LAUNCH"]
NOBODY = 65534
MAX_MESSAGE = 64 * 1024

LAYERS = ["landlock", "syscall-filter", "supervisor", "user-namespace", "mount-namespace", "pid-namespace",
          "ipc-namespace", "uts-namespace", "network-namespace", "cgroup-namespace", "control-group",
          "no-new-privileges", "capabilities"]
LIMITS = ["wall", "cpu", "memory", "processes", "open_files", "file_size", "written", "private_space"]
SPEC_LIMITS = ["wall", "grace", "cpu", "memory", "processes", "open_files", "file_size", "written", "processors",
               "private_space"]
REFUSE, ASK = 0, 1
NONE, PROXIED, FULL = 0, 1, 2
READ, READ_WRITE = 0, 1

SYSTEM = [path for path in ("/usr", "/bin", "/lib", "/lib64", "/sbin", "/etc/ld.so.cache", "/etc/passwd",
                            "/etc/alternatives", "/root/.pyenv") if os.path.exists(path)]


def bits(names):
    return sum(1 << LAYERS.index(name) for name in names)


def number(value):
    return struct.pack("<Q", value)


def text(value):
    value = os.fsencode(value)
    return number(len(value)) + value


def listed(values, each):
    return number(len(values)) + b"".join(each(value) for value in values)


def place(value):
    path, access, *inside = value
    return text(path) + number(access) + text(inside[0] if inside else "")


def encode(spec):
    limits = {"grace": 2000, **spec.get("limits", {})}
    return b"".join([
        listed(spec["arguments"], text),
        listed(spec.get("environment", ["PATH=/usr/bin:/bin"]), text),
        text(spec["directory"]),
        listed(spec["places"], place),
        listed([(path, READ) for path in spec.get("system", SYSTEM)], place),
        text(spec.get("home", "")),
        listed(spec.get("hidden", []), text),
        listed([], text),
        number(1),
        number(spec.get("outside", REFUSE)),
        number(0),
        number(spec.get("network", NONE)),
        number(1 if spec.get("terminal") else 0),
        *(number(limits.get(name, 0)) for name in SPEC_LIMITS),
        number(bits(spec.get("wanted", LAYERS))),
        number(bits(spec.get("required", [])))])


class Reader:
    def __init__(self, data):
        self.data = data

    def number(self):
        value, self.data = struct.unpack("<Q", self.data[:8])[0], self.data[8:]
        return value

    def text(self):
        size = self.number()
        value, self.data = self.data[:size], self.data[size:]
        return os.fsdecode(value)


def decode(data):
    reader = Reader(data)
    kind = ["ready", "failed", "refused", "refused_more", "ask", "limit", "ended"][reader.number()]
    if kind == "ready":
        held = reader.number()
        return kind, {"layers": [name for index, name in enumerate(LAYERS) if held >> index & 1]}
    if kind == "failed":
        return kind, {"stage": ["set-up", "required-layer", "program"][reader.number()], "what": reader.text(),
                      "errno": reader.number()}
    if kind == "limit":
        return kind, {"limit": LIMITS[reader.number()]}
    if kind == "ended":
        return kind, dict(zip(("status", "signal", "cpu", "memory", "written"),
                              (reader.number() for _ in range(5))))
    return kind, {"raw": reader.data}


class Run:
    """One launcher and its command."""

    def __init__(self, spec, user=None, stdin=None, before=()):
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        memory = os.memfd_create("spec", os.MFD_ALLOW_SEALING)
        os.write(memory, encode(spec))
        out_read, out_write = os.pipe()
        self.out = out_read
        self.output = b""
        self.reports = []
        self.descriptors = []
        self.process = os.fork()
        if self.process == 0:
            self.become_launcher(memory, theirs.fileno(), out_write, user, stdin, before)
        theirs.close()
        os.close(memory)
        os.close(out_write)

    @staticmethod
    def become_launcher(memory, control, out, user, stdin, before):
        try:
            null = os.open("/dev/null", os.O_RDONLY) if stdin is None else stdin
            high = [os.dup2(fd, 50 + index) for index, fd in enumerate((null, out, out, memory, control))]
            for index, fd in enumerate(high):
                os.dup2(fd, index, inheritable=True)
            if user is not None:
                os.fchown(1, user, user)
                os.setgroups([])
                os.setresgid(user, user, user)
                os.setresuid(user, user, user)
            # Whatever else is open must not reach the command; 50 to 54 are.
            command = [*before, LAUNCH]
            os.execvp(command[0], command)
        finally:
            os._exit(126)

    def receive(self, timeout=20):
        """The next report, or None at the end."""
        deadline = time.monotonic() + timeout
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise TimeoutError(f"no report after {self.reports}, output {self.output!r}")
            watched = [self.control] + ([self.out] if self.out is not None else [])
            ready, _, _ = select.select(watched, [], [], left)
            if self.out in ready:
                self.take_output()
            if self.control in ready:
                data, ancillary, _, _ = self.control.recvmsg(MAX_MESSAGE, socket.CMSG_SPACE(16))
                if not data:
                    return None
                for _, _, passed in ancillary:
                    fds = array.array("i")
                    fds.frombytes(passed[:len(passed) - len(passed) % fds.itemsize])
                    self.descriptors += fds
                self.reports.append(decode(data))
                return self.reports[-1]

    def take_output(self):
        data = os.read(self.out, 65536)
        self.output += data
        if not data:
            os.close(self.out)
            self.out = None

    def until(self, *kinds, timeout=20):
        while True:
            report = self.receive(timeout)
            if report is None or report[0] in kinds:
                return report

    def order(self, kind):
        self.control.send(number({"stop": 1, "kill": 2}[kind]))

    def wait(self, timeout=20):
        """Everything until the launcher has ended; the last report."""
        while self.receive(timeout) is not None:
            pass
        deadline = time.monotonic() + timeout
        while self.out is not None:
            ready, _, _ = select.select([self.out], [], [], max(0, deadline - time.monotonic()))
            if not ready:
                raise TimeoutError("the output stays open")
            self.take_output()
        self.reap()
        return self.reports[-1] if self.reports else None

    def reap(self):
        if self.process:
            _, status = os.waitpid(self.process, 0)
            self.process = 0
            self.launcher_status = status
        self.close()

    def close(self):
        self.control.close()
        for fd in self.descriptors:
            os.close(fd)
        self.descriptors = []
        if self.out is not None:
            os.close(self.out)
            self.out = None

    def first(self, kind):
        return next((value for name, value in self.reports if name == kind), None)


class LaunchTest(unittest.TestCase):
    """A workspace, and something beside it that is none of the command's business."""

    user = None
    wanted = LAYERS
    before = ()  # a program that starts the launcher

    def setUp(self):
        self.top = tempfile.mkdtemp(prefix="cordon-launch-", dir="/var/tmp")
        self.addCleanup(shutil.rmtree, self.top)
        self.work = os.path.join(self.top, "work")
        self.outside = os.path.join(self.top, "outside")
        os.mkdir(self.work)
        with open(self.outside, "w", encoding="utf-8") as file:
            file.write("secret")
        if self.user is not None:
            for path in (self.top, self.work, self.outside):
                os.chown(path, self.user, self.user)
        else:
            os.chmod(self.top, stat.S_IRWXU | stat.S_IRGRP | stat.S_IXGRP | stat.S_IROTH | stat.S_IXOTH)

    def spec(self, *arguments, **more):
        return {"arguments": list(arguments), "directory": self.work, "places": [(self.work, READ_WRITE)],
                "wanted": self.wanted, **more}

    def start(self, *arguments, **more):
        stdin = more.pop("stdin", None)
        run = Run(self.spec(*arguments, **more), user=self.user, stdin=stdin, before=self.before)

        def end():
            run.close()
            if run.process:
                os.waitpid(run.process, 0)
        self.addCleanup(end)
        return run

    def run_command(self, *arguments, **more):
        run = self.start(*arguments, **more)
        run.wait(90)  # other work may have the machine
        return run

    def shell(self, script, **more):
        return self.run_command("sh", "-c", script, **more)
