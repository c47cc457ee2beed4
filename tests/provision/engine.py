"""A Docker engine of the tests' own: private socket, data and cgroups; the host's network and any
other engine are left alone.

Prints one line of JSON, {"socket": …, "folder": …} or {"why": …}, and runs until its input ends:
also when whoever started it was killed. Then everything of it is removed. What an earlier one left
that was killed itself is removed first.
"""

import ctypes
import glob
import http.client
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

PREFIX = "/tmp/cordon-docker-"
IMAGE = "cordon-test:1"
# gVisor without KVM, which machines without nested virtualisation do not have. It takes newer
# kernels' network namespaces for the host's, so it is told that there is no network.
RUNSC = '#!/bin/sh\nexec runsc --platform=ptrace --network=none "$@"\n'


class Connection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost", timeout=60)
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.settimeout(60)
        self.sock.connect(self.path)


def ask(folder, method, target, body=None, headers=None):
    connection = Connection(f"{folder}/engine.sock")
    try:
        connection.request(method, target, body, headers or {})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def start(folder):
    """The engine's process, or why there is none."""
    runsc = pathlib.Path(folder, "runsc")
    runsc.write_text(RUNSC)
    runsc.chmod(0o755)
    pathlib.Path(folder, "none.json").write_text("{}")
    arguments = ["dockerd", f"--host=unix://{folder}/engine.sock", f"--data-root={folder}/data",
                 f"--exec-root={folder}/exec", f"--pidfile={folder}/pid",
                 f"--config-file={folder}/none.json", f"--cgroup-parent=/{os.path.basename(folder)}",
                 "--bridge=none", "--iptables=false", "--ip6tables=false", "--ip-forward=false",
                 "--ip-masq=false", "--userland-proxy=false"]
    if shutil.which("runsc"):
        arguments.append(f"--add-runtime=runsc={folder}/runsc")
    with open(f"{folder}/log", "ab") as log:
        process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    for _ in range(600):
        try:
            if ask(folder, "GET", "/_ping") == (200, b"OK"):
                return process, import_image(folder)
        except OSError:
            pass
        if process.poll() is not None:
            break
        time.sleep(0.1)
    lines = pathlib.Path(folder, "log").read_text(errors="replace").splitlines() or [""]
    return process, "dockerd does not start: " + lines[-1]


def import_image(folder):
    root = pathlib.Path(folder, "root")
    for one in ("bin", "etc", "proc", "sys", "dev", "tmp", "home", "workspace", "usr"):
        (root / one).mkdir(parents=True)
    busybox = shutil.which("busybox")
    shutil.copy(busybox, root / "bin/busybox")
    (root / "usr/bin").symlink_to("../bin")
    (root / "etc/passwd").write_text("root:x:0:0::/root:/bin/sh\n"
                                     "cordon:x:1000:1000::/home/cordon:/bin/sh\n")
    (root / "bin/bash").write_text('#!/bin/sh\nexec sh "$@"\n')  # near enough
    (root / "bin/bash").chmod(0o755)
    for one in os.environ.get("CORDON_IN_IMAGE", "").split():
        shutil.copy(one, root / "bin")
    names = subprocess.run([busybox, "--list"], capture_output=True, text=True, check=True).stdout
    for name in names.split():
        if not (root / "bin" / name).exists():
            (root / "bin" / name).symlink_to("busybox")
    tar = subprocess.run(["tar", "-C", str(root), "-c", "."], capture_output=True, check=True).stdout
    status, body = ask(folder, "POST", "/images/create?fromSrc=-&repo=cordon-test&tag=1", tar,
                       {"Content-Type": "application/x-tar"})
    return None if status == 200 else f"the image cannot be imported: {body!r}"


def processes_of(folder):
    """All that name the folder in their arguments: engine, shims, sandboxes of gVisor; and all in
    its cgroups."""
    found = set()
    for path in glob.glob("/proc/[0-9]*/cmdline"):
        try:
            if folder.encode() in pathlib.Path(path).read_bytes():
                found.add(int(path.split("/")[2]))
        except OSError:
            pass
    for group in cgroups_of(folder):
        try:
            found.update(int(one) for one in (group / "cgroup.procs").read_text().split())
        except OSError:
            pass
    found.discard(os.getpid())
    return found


def cgroups_of(folder):
    """The deepest first."""
    name = os.path.basename(folder)
    tops = [pathlib.Path("/sys/fs/cgroup", name),
            *(pathlib.Path(one) for one in glob.glob(f"/sys/fs/cgroup/*/{name}"))]
    found = []
    for top in tops:
        if top.is_dir():
            found += [pathlib.Path(one[0]) for one in os.walk(top)]
    return sorted(found, key=lambda one: -len(one.parts))


def end_processes(folder):
    for _ in range(100):
        left = processes_of(folder)
        if not left:
            return
        for one in left:
            try:
                os.kill(one, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.1)


def remove(folder, process=None):
    """Everything, whether it was ended in order or not."""
    try:
        status, body = ask(folder, "GET", "/containers/json?all=1")
        for one in json.loads(body) if status == 200 else []:
            ask(folder, "DELETE", f"/containers/{one['Id']}?force=1&v=1")
    except (OSError, ValueError, http.client.HTTPException):
        pass
    if process is not None and process.poll() is None:
        process.terminate()
        try:
            process.wait(30)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    end_processes(folder)
    mounts = [line.split()[4] for line in open("/proc/self/mountinfo")]
    libc = ctypes.CDLL(None)
    for mount in sorted((one for one in mounts if one.startswith(folder + "/")), reverse=True):
        libc.umount2(mount.encode(), 2)  # lazily
    for group in cgroups_of(folder):
        try:
            group.rmdir()
        except OSError:
            pass
    shutil.rmtree(folder, ignore_errors=True)


def remove_forgotten():
    for folder in glob.glob(PREFIX + "*"):
        keeper = pathlib.Path(folder, "keeper")
        try:
            number, started = keeper.read_text().split()
            alive = pathlib.Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()[19]
            if alive == started:
                continue
        except FileNotFoundError:
            if not keeper.exists():
                continue  # just being made, or not ours
        except (OSError, ValueError, IndexError):
            pass
        remove(folder)


def main():
    if os.geteuid() != 0:
        return print(json.dumps({"why": "it needs root"}))
    for program in ("dockerd", "containerd", "runc", "busybox", "tar"):
        if not shutil.which(program):
            return print(json.dumps({"why": program + " is not installed"}))
    for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
        signal.signal(number, lambda *_: None)  # its input says when it is over
    remove_forgotten()
    folder = tempfile.mkdtemp(prefix=PREFIX)
    started = pathlib.Path("/proc/self/stat").read_text().rsplit(")", 1)[1].split()[19]
    pathlib.Path(folder, "keeper").write_text(f"{os.getpid()} {started}")
    process = None
    try:
        process, why = start(folder)
        said = {"why": why} if why else {"socket": f"{folder}/engine.sock", "folder": folder}
        try:
            print(json.dumps(said), flush=True)
        except BrokenPipeError:
            why = "nobody waits for it any more"
        if not why:
            while os.read(0, 4096):
                pass
    finally:
        remove(folder, process)


if __name__ == "__main__":
    sys.exit(main())
