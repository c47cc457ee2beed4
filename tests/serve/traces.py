"""What a server and its sandboxes have of the machine: processes, namespaces, mounts, control
groups, directories, ports. Found without asking the server."""

import os
import pathlib
import re
import signal

# Not under a sanitizer, which keeps what was freed.
MEMORY_COUNTS = os.environ.get("CORDON_MEMORY_SAYS") != "nothing"
NAMESPACES = ("mnt", "pid", "net", "ipc", "uts", "user", "cgroup")


def read(path):
    try:
        return pathlib.Path(path).read_text(errors="replace")
    except OSError:
        return ""


class Traces:
    """`state`: where the server keeps everything."""

    def __init__(self, state):
        self.state = str(state)
        self.groups_before = self.groups()

    @staticmethod
    def processes():
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]

    @staticmethod
    def resident_bytes(process):
        for line in read(f"/proc/{process}/status").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
        return 0

    @staticmethod
    def descriptors(process):
        return len(os.listdir(f"/proc/{process}/fd"))

    @staticmethod
    def threads(process):
        return len(os.listdir(f"/proc/{process}/task"))

    @staticmethod
    def groups():
        """Control groups of sandboxes, of whoever they are."""
        # Others come and go meanwhile, which os.walk does not mind.
        return {os.path.join(folder, name) for folder, names, _ in os.walk("/sys/fs/cgroup")
                for name in names if re.fullmatch(r"cordon-\d+", name)}

    def home_in(self, text):
        """Whose directory is named there, if any is."""
        found = re.search(re.escape(self.state) + r"/sandboxes/([a-z0-9]+)", text)
        return found.group(1) if found else None

    def mounted(self):
        """Processes in whose mounts something of ours stands, which are those of sandboxes alone,
        by the sandbox."""
        homes = {process: self.home_in(read(f"/proc/{process}/mountinfo"))
                 for process in self.processes()}
        return {process: home for process, home in homes.items() if home}

    def launchers(self):
        """Processes outside that belong to a sandbox, whose epitaph they hold open; by it."""
        found = {}
        for process in self.processes():
            if not read(f"/proc/{process}/comm").startswith("cordon-launch"):
                continue
            held = ""
            try:
                for one in os.listdir(f"/proc/{process}/fd"):
                    held += os.readlink(f"/proc/{process}/fd/{one}") + "\n"
            except OSError:
                pass  # it goes just now
            if home := self.home_in(held):
                found[process] = home
        return found

    def launcher_of(self, sandbox):
        return next(process for process, home in self.launchers().items() if home == sandbox)

    def end_all(self):
        """Sandboxes end with their launchers."""
        for process in self.launchers():
            try:
                os.kill(process, signal.SIGKILL)
            except ProcessLookupError:
                pass

    def homes(self):
        """Directories of sandboxes."""
        place = pathlib.Path(self.state) / "sandboxes"
        return sorted(path.name for path in place.iterdir()) if place.exists() else []

    def namespaces(self):
        """Of what belongs to us, those that nobody else is in."""
        own = set()
        for process in set(self.mounted()) | set(self.launchers()):
            for kind in NAMESPACES:
                try:
                    own.add(os.readlink(f"/proc/{process}/ns/{kind}"))
                except OSError:
                    pass
        return {one for one in own
                if one not in {os.readlink(f"/proc/self/ns/{kind}") for kind in NAMESPACES}}

    def abandoned_groups(self):
        """Groups that came since the start, whose maker has gone."""
        return [path for path in self.groups() - self.groups_before
                if not os.path.exists("/proc/" + path.rsplit("-", 1)[1])]

    def beside(self, alive):
        """Everything that is there beside what these sandboxes need, and what they lack, in words."""
        mounted, launchers, homes = self.mounted(), self.launchers(), self.homes()
        return ([f"process {one} of {home}" for one, home in mounted.items() if home not in alive] +
                [f"launcher {one} of {home}" for one, home in launchers.items() if home not in alive] +
                [f"directory {home}" for home in homes if home not in alive] +
                [f"group {one}" for one in self.abandoned_groups()] +
                [f"no directory {one}" for one in alive if one not in homes] +
                [f"not one launcher of {one}" for one in alive
                 if list(launchers.values()).count(one) != 1])

    def of_sandboxes(self):
        """Everything there is of sandboxes, in words."""
        return self.beside(set()) + [f"namespace {one}" for one in self.namespaces()]
