"""Speaks to a launcher that stays; for the tests beside it."""

import array
import os
import select
import shutil
import socket
import tempfile
import time
import unittest

from driver import LAUNCH, LAYERS, MAX_MESSAGE, READ_WRITE, Reader, decode, encode, listed, number, text

EXECUTE, DIAL, LOOK, FREEZE, THAW, SIGNAL, VANISH, WATCH, HAND_OUT = range(9)
ATTACHED, DETACHED = 0, 1
MAX_REPLY = 160 * 1024


def pass_on(sock, data, fds=()):
    ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
    sock.sendmsg([data], ancillary)


def take(sock, size=MAX_REPLY, timeout=30):
    if not select.select([sock], [], [], timeout)[0]:
        raise TimeoutError("no answer")
    data, ancillary, _, _ = sock.recvmsg(size, socket.CMSG_SPACE(16))
    fds = array.array("i")
    for _, _, passed in ancillary:
        fds.frombytes(passed[:len(passed) - len(passed) % fds.itemsize])
    return data, list(fds)


def execute(arguments, environment=(), directory="", terminal=False, bond=ATTACHED, wall=0, grace=2000):
    return b"".join([number(EXECUTE), listed(list(arguments), text), listed(list(environment), text), text(directory),
                     number(1 if terminal else 0), number(24), number(80), number(bond), number(wall), number(grace)])


def read_seen(reader):
    seen = dict(zip(("state", "cpu", "memory", "peak", "oom", "held_memory", "held_processes", "held_processors",
                     "layers"), (reader.number() for _ in range(9))))
    seen["processes"] = [{"process": reader.number(), "parent": reader.number(), "program": reader.text(),
                          "arguments": reader.text(), "memory": reader.number(), "cpu": reader.number()}
                         for _ in range(reader.number())]
    seen["ports"] = [reader.number() for _ in range(reader.number())]
    return seen


class Exec:
    """One program in a resident."""

    def __init__(self, resident, request, terminal=False, stdin=None):
        self.connection = resident.connect()
        self.output, self.reports, self.out = b"", [], None
        fds = []
        if not terminal:
            null = os.open("/dev/null", os.O_RDONLY) if stdin is None else stdin
            self.out, write = os.pipe()
            fds = [null, write, write]
        pass_on(self.connection, request, fds)
        if not terminal:
            os.close(write)
            if stdin is None:
                os.close(null)
        data, passed = take(self.connection, MAX_MESSAGE)
        self.reports.append(decode(data) if data else ("gone", {}))
        self.terminal = passed[0] if passed else None

    def wait(self, timeout=30):
        """Everything until the connection closes; the last report."""
        deadline = time.monotonic() + timeout
        while True:
            watched = [self.connection] + ([self.out] if self.out is not None else [])
            ready = select.select(watched, [], [], max(0, deadline - time.monotonic()))[0]
            if not ready:
                raise TimeoutError(f"{self.reports} {self.output!r}")
            if self.out in ready:
                data = os.read(self.out, 65536)
                self.output += data
                if not data:
                    os.close(self.out)
                    self.out = None
            elif self.connection in ready:
                data, _ = take(self.connection, MAX_MESSAGE)
                if not data:
                    break
                self.reports.append(decode(data))
        self.connection.close()
        return self.reports[-1]

    def rest(self, timeout=10):
        """What is written until all who could have ended."""
        deadline = time.monotonic() + timeout
        while self.out is not None:
            if not select.select([self.out], [], [], max(0, deadline - time.monotonic()))[0]:
                raise TimeoutError("the output stays open")
            data = os.read(self.out, 65536)
            self.output += data
            if not data:
                os.close(self.out)
                self.out = None
        return self.output

    def close(self):
        self.connection.close()
        if self.out is not None:
            os.close(self.out)
            self.out = None
        if self.terminal is not None:
            os.close(self.terminal)
            self.terminal = None

    def first(self, kind):
        return next((value for name, value in self.reports if name == kind), None)


class Resident:
    """A launcher that stays, started by a process that may go."""

    def __init__(self, spec, directory, user=None):
        self.path = os.path.join(directory, "socket")
        self.user = user
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        listener.bind(self.path)
        if user is not None:
            os.chown(self.path, user, user)
        listener.listen(16)
        self.control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        memory = os.memfd_create("spec", os.MFD_ALLOW_SEALING)
        os.write(memory, encode(spec))
        epitaph = os.open(os.path.join(directory, "epitaph"), os.O_RDWR | os.O_CREAT, 0o600)
        starter = os.fork()
        if starter == 0:
            try:
                null = os.open("/dev/null", os.O_RDWR)
                given = (null, null, null, memory, theirs.fileno(), listener.fileno(), epitaph)
                high = [os.dup2(fd, 50 + index) for index, fd in enumerate(given)]
                for index, fd in enumerate(high):
                    os.dup2(fd, index, inheritable=True)
                if user is not None:
                    os.setgroups([])
                    os.setresgid(user, user, user)
                    os.setresuid(user, user, user)
                os.execv(LAUNCH, ["cordon-launch", "--resident"])
            finally:
                os._exit(126)
        for one in (theirs, listener):
            one.close()
        os.close(memory)
        os.close(epitaph)
        os.waitpid(starter, 0)
        data, self.handed_out = take(self.control, MAX_MESSAGE)
        self.first_report = decode(data) if data else ("gone", {})

    def connect(self):
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        own = os.geteuid()
        os.seteuid(own if self.user is None else self.user)  # only its owner is let in
        try:
            connection.connect(self.path)
        finally:
            os.seteuid(own)
        return connection

    def launcher(self):
        """The launcher's process, as the kernel tells who listens."""
        with self.connect() as connection:
            return int.from_bytes(connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12)[:4], "little")

    def ask(self, request):
        with self.connect() as connection:
            connection.send(request)
            data, fds = take(connection)
        reader = Reader(data)
        kind = reader.number()
        return (read_seen(reader) if kind == 2 else reader.number()), fds

    def look(self):
        return self.ask(number(LOOK))[0]

    def vanish(self):
        """Returns when nothing is left."""
        with self.connect() as connection:
            connection.send(number(VANISH))
            return take(connection)[0]


class ResidentTest(unittest.TestCase):
    user = None
    more = {}

    def setUp(self):
        self.top = tempfile.mkdtemp(prefix="cordon-resident-", dir="/var/tmp")
        self.addCleanup(shutil.rmtree, self.top)
        self.residents = []
        self.addCleanup(self.end_all)

    def own(self, path):
        if self.user is not None:
            os.chown(path, self.user, self.user)

    def begin(self, name="one", **more):
        top = os.path.join(self.top, name)
        work, control = os.path.join(top, "work"), os.path.join(top, "control")
        os.chmod(self.top, 0o755)
        for path in (top, work, control):
            os.mkdir(path)
            self.own(path)
        os.chmod(control, 0o700)
        spec = {"arguments": [], "directory": "/workspace", "places": [(work, READ_WRITE, "/workspace")],
                "home": "/home/agent", "wanted": LAYERS, **self.more, **more}
        resident = Resident(spec, control, self.user)
        resident.work, resident.control_directory = work, control
        self.residents.append(resident)
        return resident

    def end_all(self):
        for resident in self.residents:
            try:
                resident.vanish()
            except OSError:
                pass
            resident.control.close()

    def run_in(self, resident, *arguments, **more):
        run = Exec(resident, execute(arguments, **more))
        self.addCleanup(run.close)
        run.wait()
        return run

    def shell(self, resident, script, **more):
        return self.run_in(resident, "sh", "-c", script, **more)
