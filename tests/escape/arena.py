"""A workspace, what lies outside of it, and whoever is there to be got at."""

import ctypes
import os
import secrets
import select
import shutil
import socket
import stat
import struct
import subprocess
import tempfile
import threading
import time

CORDON = os.environ["CORDON"]
ESCAPE = os.environ["CORDON_ESCAPE"]
NOBODY = 65534
BURST = "/proc/sys/kernel/printk_ratelimit_burst"
REPOSITORIES = ["repo%d" % number for number in (*range(2, 12), *range(13, 16))]

libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p


def write(path, text, mode=0o644):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, mode)


def state_of(path):
    """All of a file that somebody could change; None if it is not there."""
    try:
        info = os.lstat(path)
    except OSError:
        return None
    content = attributes = flags = None
    if stat.S_ISREG(info.st_mode):
        with open(path, "rb") as file:
            content = file.read()
            flags = flags_of(file.fileno())
        attributes = sorted(os.listxattr(path))
    return (info.st_mode, info.st_uid, info.st_mtime_ns, info.st_ino, content, attributes, flags)


def flags_of(descriptor):
    import fcntl
    try:
        return fcntl.ioctl(descriptor, 0x80086601, b"\0" * 8)
    except OSError:
        return None


def as_user(user):
    """What the child of Popen does first."""
    def become():
        if user is not None:
            os.setgroups([])
            os.setresgid(user, user, user)
            os.setresuid(user, user, user)
    return become


class Arena:
    """Everything is fresh; close() ends and removes it all."""

    def __init__(self, user=None, race=3.0, repositories=True):
        self.user = user
        self.top = tempfile.mkdtemp(prefix="cordon-escape-", dir="/var/tmp")
        os.chmod(self.top, 0o755)
        self.work, self.outside, self.home = (os.path.join(self.top, name) for name in ("work", "outside", "home"))
        self.readable = os.path.join(self.top, "readable")
        self.secret = {name: f"{name}-{secrets.token_hex(12)}" for name in
                       ("outside", "env", "memory", "environment", "segment", "shared_file", "queue", "key",
                        "theirs", "beacon", "given")}
        self.mark = "mark-" + secrets.token_hex(8)
        self.facts = {"race": race, "mark": self.mark, "outside": self.outside}
        self.sockets = []
        self.heard = {}
        self.stop = threading.Event()
        self.make_files()
        if repositories:
            self.make_repositories()
        self.own_all()
        self.start_victim()
        self.listen()
        self.share()
        self.write_facts()
        self.before = {}
        self.remember()
        write(f"{self.outside}/{self.secret['beacon']}", "x")
        self.beacon = threading.Thread(target=self.shine)
        self.beacon.start()

    # Files.

    def make_files(self):
        for path in ("work/sub", "work/vault", "work/shelf/vault", "work/nest/ro", "work/nest2/ro", "work/nest3/ro", "outside", "home",
                     "readable", "state"):
            os.makedirs(os.path.join(self.top, path))
        work = self.work
        write(work + "/ok.txt", "ok")
        for name in ("ok2.txt", "ok-r.txt", "ok-t.txt", "ok-c.txt", "ok-o.txt"):
            write(f"{work}/{name}", "ok")
        for name in (".env", "sub/.env", "vault/key.txt", "shelf/vault/key.txt", ".env.race-r", ".env.race-t",
                     ".env.env-rename", ".env.env-exchange"):
            write(f"{work}/{name}", self.secret["env"] + "\n")
        for how in ("truncate", "remove", "over", "write", "mode"):
            write(f"{work}/.env.env-gone-{how}", self.secret["env"] + "\n")
        for name in ("write", "link", "mode", "times", "remove", "flags", "remount", "truncate", "attribute"):
            write(f"{work}/nest/ro/{name}", "untouched")
        write(work + "/nest2/ro/parent", "untouched")
        write(self.outside + "/secret", self.secret["outside"] + "\n")
        write(self.outside + "/leak.sh", f"#!/bin/sh\necho {self.secret['outside']}\n", 0o755)
        write(self.outside + "/given-out", self.secret["given"] + "\n")
        write(self.readable + "/times", "untouched")
        write(self.top + "/pwn.sh", f'#!/bin/sh\n: > "{self.outside}/pwn-$1"\n', 0o755)
        os.symlink("../outside", work + "/link-out")
        os.symlink(".", work + "/link-self")
        shutil.copy(ESCAPE, work + "/escape")
        from attempts import ATTEMPTS
        for attempt in ATTEMPTS:
            if attempt.name.startswith(("change-", "warden-")):
                write(f"{self.outside}/{attempt.name}", "untouched")

    def make_repositories(self):
        first = self.work
        environment = self.git_environment()
        git = ["git", "-C", first, "-c", "user.name=x", "-c", "user.email=x@example.invalid"]
        subprocess.run(["git", "init", "-q", "--template=", "-b", "main", first], check=True, env=environment)
        subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "x"], check=True, env=environment)
        os.mkdir(f"{first}/.git/hooks")
        for name in REPOSITORIES + ["store"]:
            target = f"{self.work}/{name}" + ("" if name == "store" else "/.git")
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copytree(f"{first}/.git", target, symlinks=True)
        os.mkdir(f"{self.work}/repo12")
        os.symlink("../store", f"{self.work}/repo12/.git")
        worktree = f"{self.work}/repo15/.git/worktrees/w"
        os.makedirs(worktree)
        for name, text in (("HEAD", "ref: refs/heads/w\n"), ("commondir", "../..\n"), ("gitdir", "/nowhere/.git\n")):
            write(f"{worktree}/{name}", text)

    def own_all(self):
        if self.user is not None:
            subprocess.run(["chown", "-hR", f"{self.user}:{self.user}", self.top], check=True)
        other = 0 if self.user else NOBODY
        self.facts["other_user"] = other
        for name in ("set-user", "with-capability"):
            shutil.copy(ESCAPE, f"{self.work}/{name}")
        os.chown(self.work + "/set-user", other, other)
        os.chmod(self.work + "/set-user", 0o4755)
        os.setxattr(self.work + "/with-capability", "security.capability",
                    struct.pack("<IIIII", 0x02000001, 1 << 2, 0, 0, 0))  # reading everything
        write(self.work + "/their-secret", self.secret["theirs"] + "\n", 0o600)
        os.chown(self.work + "/their-secret", other, other)

    # Whoever is outside.

    def start_victim(self):
        self.victim = subprocess.Popen(
            [ESCAPE, "victim", self.secret["memory"], self.outside + "/secret", self.outside + "/change-proc-fd"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, preexec_fn=as_user(self.user),
            env={"SECRET_TOKEN": self.secret["environment"]}, cwd=self.outside, start_new_session=True)
        pid, address, reads, writes = self.victim.stdout.readline().split()
        self.facts.update(victim=pid, victim_address=address, victim_reads=reads, victim_writes=writes)
        self.victim_before = self.victim_state()

    def victim_state(self):
        pid = self.victim.pid
        with open(f"/proc/{pid}/limits", encoding="utf-8") as file:
            limits = file.read()
        return {"limits": limits,
                "priority": os.getpriority(os.PRIO_PROCESS, pid), "affinity": os.sched_getaffinity(pid)}

    def listen(self):
        name = "cordon-escape-" + secrets.token_hex(6)
        self.facts.update(abstract=name, abstract_datagram=name + "-d")
        self.open_socket(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + name)
        self.open_socket(socket.AF_UNIX, socket.SOCK_DGRAM, "\0" + name + "-d")
        for kind, path in ((socket.SOCK_STREAM, "stream"), (socket.SOCK_DGRAM, "datagram")):
            self.open_socket(socket.AF_UNIX, kind, f"{self.outside}/{path}")
            os.chmod(f"{self.outside}/{path}", 0o777)
        self.facts["tcp"] = self.open_socket(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)).getsockname()[1]
        self.facts["udp"] = self.open_socket(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)).getsockname()[1]
        try:
            machine = self.open_socket(socket.AF_VSOCK, socket.SOCK_STREAM, (0xffffffff, 0xffffffff))
            self.facts["vsock"] = machine.getsockname()[1]
        except OSError:
            self.facts["vsock"] = 0  # this machine has none

    def open_socket(self, family, kind, address):
        made = socket.socket(family, kind)
        self.sockets.append(made)
        made.bind(address)
        if kind == socket.SOCK_STREAM:
            made.listen(64)
        made.setblocking(False)
        return made

    def hear(self):
        """Who has come through to a listener."""
        names = set()
        for each in self.sockets:
            while select.select([each], [], [], 0)[0]:
                try:
                    if each.type == socket.SOCK_STREAM:
                        connection, _ = each.accept()
                        connection.settimeout(0.5)
                        with connection:
                            names.add(connection.recv(100).decode() or "somebody")
                    else:
                        names.add(each.recv(100).decode())
                except OSError:
                    break
        return names

    def share(self):
        self.segment = libc.shmget(0, 4096, 0o1666)
        memory = libc.shmat(self.segment, None, 0)
        ctypes.memmove(memory, self.secret["segment"].encode(), len(self.secret["segment"]))
        libc.shmdt(ctypes.c_void_p(memory))
        self.shared_file = "cordon-escape-" + secrets.token_hex(6)
        write("/dev/shm/" + self.shared_file, self.secret["shared_file"])
        self.queue = b"/cordon-escape-" + secrets.token_hex(6).encode()
        old = os.umask(0)
        queue = libc.mq_open(self.queue, os.O_CREAT | os.O_RDWR, 0o666, None)
        os.umask(old)
        libc.mq_send(queue, self.secret["queue"].encode(), len(self.secret["queue"]), 1)
        os.close(queue)
        key = libc.syscall(248, b"user", self.mark.encode(), self.secret["key"].encode(), len(self.secret["key"]), -4)
        libc.syscall(250, 5, key, 0x3f3f3f3f)  # everybody may read it
        self.key = key
        self.facts.update(segment=self.segment, shared_file=self.shared_file, queue=self.queue.decode(), key=key)

    def shine(self):
        path = f"{self.outside}/{self.secret['beacon']}"
        while not self.stop.wait(0.05):
            write(path, "x")

    def write_facts(self):
        handle, _ = handle_of(self.outside + "/secret")
        device = os.stat(self.top).st_dev
        with open(BURST, encoding="utf-8") as file:
            self.burst = file.read()
        self.facts.update(handle=handle, disk=device, readable=self.readable + "/times", pwn=self.top + "/pwn.sh",
                          burst=int(self.burst) + 1)
        write(self.work + "/arena", "".join(f"{key}={value}\n" for key, value in self.facts.items()))
        if self.user is not None:
            os.chown(self.work + "/arena", self.user, self.user)

    # What has changed.

    def remember(self):
        for directory in (self.outside, self.work, self.work + "/nest/ro", self.work + "/nest2/ro", self.work + "/nest3", self.readable):
            for name in os.listdir(directory):
                path = f"{directory}/{name}"
                self.before[path] = state_of(path)

    def changed(self, path):
        return state_of(path) != self.before.get(path)

    def git_environment(self):
        return {"PATH": os.environ["PATH"], "HOME": self.home, "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}

    def use_git(self):
        """What a person does with the workspace afterwards."""
        who = ["-c", "user.name=x", "-c", "user.email=x@example.invalid"]
        commands = [["status"], ["commit", "--allow-empty", "-m", "y"]]
        places = {"": commands, "sub/repo": commands, "repo12": commands, **{name: commands for name in REPOSITORIES}}
        places.update({name: commands for name in ("own1", "own2", "own3")})
        places["deep/a/w"] = [["fetch", "origin"]]
        places["repo8"] = commands + [["push", "origin"]]
        places["repo9"] = commands + [["push"]]
        for place, all_of in places.items():
            if not os.path.isdir(f"{self.work}/{place}"):
                continue
            for words in all_of:
                subprocess.run(["git", *who, *words], cwd=f"{self.work}/{place}", env=self.git_environment(),
                               preexec_fn=as_user(self.user), stdin=subprocess.DEVNULL, check=False,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=20)

    def close(self):
        self.stop.set()
        self.beacon.join()
        if self.victim.poll() is None:
            self.victim.kill()
        self.victim.wait()
        self.victim.stdin.close()
        self.victim.stdout.close()
        for each in self.sockets:
            each.close()
        libc.shmctl(self.segment, 0, None)
        libc.mq_unlink(self.queue)
        libc.syscall(250, 9, self.key, -4)
        os.unlink("/dev/shm/" + self.shared_file)
        with open(BURST, "w", encoding="utf-8") as file:
            file.write(self.burst)
        self.end_left_over()
        shutil.rmtree(self.top, ignore_errors=True)

    def left_over(self):
        """Processes that still work in the arena, or carry its mark."""
        found = []
        for name in os.listdir("/proc"):
            if not name.isdigit() or int(name) in (os.getpid(), self.victim.pid):
                continue
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    marked = self.mark.encode() in file.read()
                if marked or os.readlink(f"/proc/{name}/cwd").startswith(self.work):
                    found.append(int(name))
            except OSError:
                pass
        return found

    def end_left_over(self):
        for _ in range(20):
            left = self.left_over()
            for pid in left:
                try:
                    os.kill(pid, 9)
                except OSError:
                    pass
            if not left:
                return
            time.sleep(0.05)


def handle_of(path):
    """How the kernel numbers a file, whatever it is called."""
    buffer = ctypes.create_string_buffer(8 + 128)
    struct.pack_into("<I", buffer, 0, 128)
    mount = ctypes.c_int()
    if libc.name_to_handle_at(-100, path.encode(), buffer, ctypes.byref(mount), 0) != 0:
        return "0:", 0
    size, kind = struct.unpack_from("<Ii", buffer, 0)
    return f"{kind}:{buffer.raw[8:8 + size].hex()}", mount.value
