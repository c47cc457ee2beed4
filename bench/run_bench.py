#!/usr/bin/env python3
"""run_bench.py --cordon PROGRAM [--packages DIR] [--json FILE] [--enforce] [--rounds N] [--only NAME]...

What a command costs more behind the line: `cordon run -- true` against bubblewrap with the same
namespaces and mounts and against what two agents ship for the same, a C++ build and `git status`
against the same before the line. The contestants take turns, so that whatever else the machine
does meets all; the median of the rounds' ratios is held against what must hold.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

SOURCES = 8
SOURCE = """#include <algorithm>
#include <map>
#include <string>
#include <vector>
std::map<std::string, std::vector<int>> all%d;
int f%d(int n) { auto& v = all%d[std::to_string(n)]; v.push_back(n); std::sort(v.begin(), v.end()); return v.front(); }
"""


class Place:
    """Outside /tmp, which is private behind every one of the lines."""

    def __init__(self):
        self.top = os.path.realpath(tempfile.mkdtemp(prefix="cordon-bench-", dir="/var/tmp"))
        self.work = self.top + "/work"
        for name in ("work", "home", "state", "home/.codex"):
            os.mkdir(f"{self.top}/{name}")
        self.environment = {"PATH": "/usr/bin:/bin", "HOME": self.top + "/home", "LANG": "C.UTF-8", "TERM": "xterm",
                            "TMPDIR": "/tmp", "XDG_STATE_HOME": self.top + "/state"}

    def inner_seconds(self, command):
        """What the command says that it took: it ends with two times in nanoseconds."""
        status, said = self.run(command)
        if status != 0:
            raise RuntimeError(f"{command[0]}: status {status}: {said[-500:]}")
        began, ended = said.split()[-2:]
        return (int(ended) - int(began)) / 1e9

    def run(self, command):
        done = subprocess.run(command, cwd=self.work, env=self.environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False, timeout=600)
        return done.returncode, (done.stderr + done.stdout).strip()

    def seconds(self, command):
        began = time.monotonic()
        status, said = self.run(command)
        taken = time.monotonic() - began
        if status != 0:
            raise RuntimeError(f"{command[0]}: status {status}: {said[-500:]}")
        return taken


def bubblewrap(place):
    system = [path for path in ("/usr", "/etc", "/opt", "/nix") if os.path.isdir(path)]
    links = [path for path in ("/bin", "/lib", "/lib32", "/lib64", "/sbin") if os.path.islink(path)]
    command = ["bwrap", "--unshare-all", "--die-with-parent", "--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp",
               "--tmpfs", place.top + "/home", "--ro-bind", "/sys/devices/system", "/sys/devices/system"]
    for path in system:
        command += ["--ro-bind", path, path]
    for path in links:
        command += ["--symlink", os.readlink(path), path]
    return command + ["--bind", place.work, place.work, "--chdir", place.work]


def cordon(place, program):
    return [program, "run", "--root", place.work, "--ask", "none", "--"]


def tried(place, contestants):
    """Those that run here, and what the others say."""
    able, unable = {}, {}
    for name, command in contestants.items():
        try:
            status, said = place.run(command)
        except OSError as error:
            status, said = 127, str(error)
        if status == 0:
            able[name] = command
        else:
            unable[name] = said[-300:]
    return able, unable


def measure(place, contestants, rounds, rare=(), before=lambda: None):
    """Seconds by name and round; the rare ones take turns only in each fifth round."""
    taken = {name: {} for name in contestants}
    for turn in range(rounds):
        for name, command in contestants.items():
            if name in rare and turn % 5:
                continue
            before()
            taken[name][turn] = place.seconds(command)
    return taken


def ratio(taken, ours, theirs):
    both = sorted(set(taken[ours]) & set(taken[theirs]))
    return statistics.median(taken[ours][turn] / taken[theirs][turn] for turn in both)


def start(place, options):
    contestants = {"cordon": cordon(place, options.cordon) + ["true"], "bubblewrap": bubblewrap(place) + ["true"]}
    if options.packages:
        commands = os.path.abspath(options.packages) + "/.bin/"
        contestants["codex"] = [commands + "codex", "sandbox", "--", "true"]
        contestants["srt"] = [commands + "srt", "true"]
    able, unable = tried(place, contestants)
    if "cordon" in unable:
        raise RuntimeError(unable["cordon"])
    taken = measure(place, able, options.rounds, rare=("codex", "srt"))
    bounds = {"bubblewrap": 1.25, "codex": 1 / 5, "srt": 1 / 30}
    return taken, unable, [(f"start / {name}", ratio(taken, "cordon", name), bounds[name])
                           for name in bounds if name in taken]


def build(place, options):
    for number in range(SOURCES):
        with open(f"{place.work}/{number}.cc", "w", encoding="utf-8") as file:
            file.write(SOURCE % (number, number, number))
    with open(place.work + "/Makefile", "w", encoding="utf-8") as file:
        objects = " ".join(f"{number}.o" for number in range(SOURCES))
        file.write(f"lib.so: {objects}\n\tg++ -shared -o $@ $^\n%.o: %.cc\n\tg++ -O1 -fPIC -c -o $@ $<\n"
                   f"clean:\n\trm -f {objects} lib.so\n")
    make = ["make", "-s", f"-j{os.cpu_count()}"]
    taken = measure(place, {"plain": make, "cordon": cordon(place, options.cordon) + make}, max(3, options.rounds // 4),
                    before=lambda: place.seconds(["make", "-s", "clean"]))
    return taken, {}, [("build / before the line", ratio(taken, "cordon", "plain"), 1.10)]


def status(place, options):
    tree = place.work + "/tree"
    for folder in range(1250):
        path = f"{tree}/{folder // 50}/{folder}"
        os.makedirs(path)
        for number in range(16):
            with open(f"{path}/{number}", "w", encoding="utf-8") as file:
                file.write(f"{folder} {number}\n")
    for command in (["init", "-q"], ["add", "-A"],
                    ["-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "all"], ["status"]):
        place.seconds(["git", "-C", tree, *command])
    git = ["git", "-C", tree, "status", "--porcelain"]
    # The start is measured elsewhere: here ten in a row, timed by the shell that runs them. What a
    # run of the ten takes with its start is told as well.
    many = ["sh", "-c", "a=$(date +%s%N); for i in 1 2 3 4 5 6 7 8 9 10; do " + " ".join(git) +
            "; done; b=$(date +%s%N); echo $a $b"]
    commands = {"plain": many, "cordon": cordon(place, options.cordon) + many}
    taken = {"plain": {}, "cordon": {}, "plain, whole": {}, "cordon, whole": {}}
    # The difference is of the size of what this varies by from turn to turn: many turns, and nobody always goes first.
    for turn in range(max(3, options.rounds)):
        for name, command in list(commands.items())[::-1 if turn % 2 else 1]:
            began = time.monotonic()
            taken[name][turn] = place.inner_seconds(command)
            taken[name + ", whole"][turn] = time.monotonic() - began
    return taken, {}, [("git status / before the line", ratio(taken, "cordon", "plain"), 1.10)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cordon", required=True, type=os.path.abspath)
    parser.add_argument("--packages")
    parser.add_argument("--json")
    parser.add_argument("--enforce", action="store_true")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--only", action="append", choices=["start", "build", "status"])
    options = parser.parse_args()
    report = {"rounds": options.rounds, "milliseconds": {}, "cannot_run_here": {}, "limits": []}
    for part in (start, build, status):
        if options.only and part.__name__ not in options.only:
            continue
        place = Place()
        try:
            taken, unable, limits = part(place, options)
        finally:
            shutil.rmtree(place.top, ignore_errors=True)
        report["milliseconds"][part.__name__] = {
            name: round(1000 * statistics.median(turns.values()), 3) for name, turns in taken.items()}
        report["cannot_run_here"].update(unable)
        report["limits"] += [{"text": text, "measured": round(measured, 4), "bound": round(bound, 4),
                              "met": measured <= bound} for text, measured, bound in limits]
        for name, median in report["milliseconds"][part.__name__].items():
            print(f"{part.__name__:8} {name:12} {median:10.2f} ms")
        for name, said in unable.items():
            print(f"{part.__name__:8} {name:12} cannot run here: {said}")
    for limit in report["limits"]:
        print(f"{'met ' if limit['met'] else 'MISSED'} {limit['text']}: {limit['measured']} (at most {limit['bound']})")
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(report, file, indent=2)
    return 1 if options.enforce and not all(limit["met"] for limit in report["limits"]) else 0


if __name__ == "__main__":
    sys.exit(main())
