"""Runs attempts behind the line and looks at what came of them."""

import fcntl
import json
import os
import pty
import re
import subprocess
import termios
import time
import tty

from arena import BURST, CORDON, ESCAPE, Arena, as_user
from attempts import BY_WAY

LAYERS = ["landlock", "syscall-filter", "supervisor", "user-namespace", "mount-namespace", "pid-namespace",
          "ipc-namespace", "uts-namespace", "network-namespace", "cgroup-namespace", "control-group",
          "no-new-privileges", "capabilities"]
BARE = "bare"  # in place of layers: without Cordon
PATIENCE = 25.0
FLAGS = {"forks": ["--processes", "40"], "memory": ["--memory", "100"],
         "hang-connecting": ["--timeout", "2"], "hang-opening": ["--timeout", "2"]}


class Seen:
    """What is known of one run, from outside."""

    def __init__(self, arena):
        self.arena = arena
        self.output = self.errors = self.loot = self.typed = ""
        self.signals = self.group_signals = 0
        self.overdue = False
        self.left = []
        self.missing = set()  # layers that the machine did not give
        self.status = None

    def output_of(self, name):
        parts = self.output.split(f"\n== {name}\n", 1)
        return parts[1].split("\n== ", 1)[0] if len(parts) == 2 else ""

    def complete(self):
        """All was tried; or nothing, since Cordon did not start it."""
        return "\n== end\n" in self.output or (not self.output and self.status in (2, 3))

    def look(self):
        arena = self.arena
        time.sleep(0.02)
        self.left = arena.left_over()
        arena.end_left_over()
        self.heard = arena.hear()
        self.victim = arena.victim_state()
        with open(BURST, encoding="utf-8") as file:
            self.burst = file.read()
        if os.path.exists(arena.work + "/loot"):
            with open(arena.work + "/loot", encoding="utf-8") as file:
                self.loot = file.read()
        arena.victim.stdin.close()
        self.signals = int(arena.victim.stdout.read() or 0)
        self.missing = set(re.findall(r"this machine has no ([a-z-]+);", self.errors))


def command_for(arena, names, without, flags):
    if without == BARE:
        return ["./escape", *names]
    words = [CORDON, "run", "--root", arena.work, "--ask", "none", "--deny", "vault/**", "--deny", "shelf/vault/**"]
    for place in (arena.work + "/nest/ro", arena.work + "/nest2/ro", arena.work + "/nest3/ro", arena.readable):
        words += ["--allow-read", place]
    for layer in without:
        words += ["--without", layer]
    if "syscall-filter" in without and "supervisor" not in without:
        words += ["--without", "supervisor"]  # which is a part of it
    return [*words, *flags, "--", "./escape", *names]


def environment_for(arena):
    return {"PATH": os.environ["PATH"], "HOME": arena.home, "XDG_STATE_HOME": arena.top + "/state", "LC_ALL": "C",
            "SECRET_TOKEN": arena.secret["environment"], "AWS_SECRET_ACCESS_KEY": arena.secret["environment"]}


def wait_for(process, seen, patience):
    try:
        seen.output, seen.errors = (text.decode(errors="replace") if text else ""
                                    for text in process.communicate(timeout=patience))
    except subprocess.TimeoutExpired:
        seen.overdue = True
        process.kill()
        seen.arena.end_left_over()
        seen.output, seen.errors = (text.decode(errors="replace") if text else "" for text in process.communicate())
    seen.status = process.returncode


def run_plain(arena, words, way, names, patience):
    seen = Seen(arena)
    stdin = subprocess.DEVNULL
    # Left open by whoever starts Cordon; none of a command's business.
    opened = [os.open(arena.outside, os.O_RDONLY | os.O_DIRECTORY)]
    stdout = subprocess.PIPE
    if way == "given-directory":
        stdin = os.open(arena.outside, os.O_RDONLY | os.O_DIRECTORY)
        opened.append(stdin)
    elif way.startswith("given-file"):
        stdin = os.open(f"{arena.outside}/{names[0]}", os.O_RDONLY)
        opened.append(stdin)
    elif way == "given-output":
        stdout = os.open(arena.outside + "/given-out", os.O_WRONLY | os.O_APPEND)
        opened.append(stdout)
    process = subprocess.Popen(words, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, cwd=arena.work,
                               env=environment_for(arena), preexec_fn=as_user(arena.user), start_new_session=True,
                               pass_fds=opened[:1])
    for descriptor in opened:
        os.close(descriptor)
    wait_for(process, seen, patience)
    return seen


def run_in_group(arena, words):
    """With somebody in the same process group who counts signals."""
    seen = Seen(arena)
    reading, writing = os.pipe()
    if arena.user is not None:
        os.fchown(reading, arena.user, arena.user)
    # Who cannot count yet would be ended by what it is to count: it says when it can.
    script = ('"$1" victim x "$2" "$3" <"/dev/fd/$4" >"$5" 2>/dev/null & '
              'for _ in $(seq 1000); do [ -s "$5" ] && break; sleep 0.02; done; shift 5; exec "$@"')
    counted = arena.outside + "/counted"
    process = subprocess.Popen(["sh", "-c", script, "sh", ESCAPE, arena.outside + "/secret",
                                arena.outside + "/change-proc-fd", str(reading), counted, *words],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               cwd=arena.work, env=environment_for(arena), preexec_fn=as_user(arena.user),
                               start_new_session=True, pass_fds=[reading])
    os.close(reading)
    wait_for(process, seen, PATIENCE)
    os.close(writing)
    deadline = time.monotonic() + PATIENCE
    lines = []
    while len(lines) < 2 and time.monotonic() < deadline:
        time.sleep(0.02)
        with open(counted, encoding="utf-8") as file:
            lines = file.read().splitlines()
    assert len(lines) == 2, f"who counts the signals said only {lines}"
    seen.group_signals = int(lines[1])
    return seen


def run_on_terminal(arena, words):
    """As a shell would: afterwards it reads what was typed meanwhile."""
    seen = Seen(arena)
    master, slave = pty.openpty()
    tty.setraw(slave)

    def become():
        os.setsid()
        fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
        as_user(arena.user)()
    if arena.user is not None:
        os.fchown(slave, arena.user, arena.user)
    # The one who owns the session outlives the command.
    shell = ["sh", "-c", '"$@"; sleep 0.1; timeout --foreground 0.3 cat > "$0"', arena.outside + "/typed", *words]
    process = subprocess.Popen(shell, stdin=slave, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=arena.work,
                               env=environment_for(arena), preexec_fn=become)
    wait_for(process, seen, PATIENCE)
    os.close(slave)
    os.close(master)
    with open(arena.outside + "/typed", encoding="utf-8", errors="replace") as file:
        seen.typed = file.read()
    return seen


def attempt(way, without=(), user=None, race=3.0, flags=()):
    """Runs all attempts of that way; {name: done} and what was seen."""
    attempts = BY_WAY[way]
    names = [each.name for each in attempts]
    arena = Arena(user, race, repositories=way == "together")
    try:
        words = command_for(arena, names, without, [*FLAGS.get(way, []), *flags])
        if way == "group":
            seen = run_in_group(arena, words)
        elif way.startswith("terminal"):
            seen = run_on_terminal(arena, words)
        else:
            patience = PATIENCE + 2 * (race + 1) * len(names) if way == "race" else PATIENCE
            if way == "together":
                patience = 150
            elif way.startswith("hang"):
                patience = 10
            seen = run_plain(arena, words, way, names, patience)
        seen.look()
        if way == "together":
            arena.use_git()
        return {each.name: each.done(seen, each.name) for each in attempts}, seen
    finally:
        arena.close()


def held_without(layers):
    """What the doctor says that the other layers hold."""
    words = [CORDON, "doctor", "--json"]
    for layer in sorted(layers):
        words += ["--without", layer]
    return json.loads(subprocess.run(words, check=True, capture_output=True).stdout)["held"]


def escapes(way, without=(), **more):
    """Attempts that were done although the doctor says that they are held: [(name, threat)]."""
    done, seen = attempt(way, without, **more)
    held = held_without(set(without) | seen.missing | ({"supervisor"} if "syscall-filter" in without else set()))
    return [(each.name, each.threat) for each in BY_WAY[way]
            if done[each.name] and held[each.threat]], seen
