"""What is tried, against which claim, and how it is seen from outside that it was done."""

from collections import namedtuple

READ, CHANGE, DENIED, READ_ONLY, PROCESSES, ABSTRACT, PATHS, NETWORK, SHARED, RIGHTS, KERNEL, TERMINAL, SURVIVAL, \
    MACHINE = ("reading outside", "changing outside", "denied names", "changing read-only places", "other processes",
               "abstract sockets", "sockets by path", "network", "shared memory", "privileges", "kernel surface",
               "terminal injection", "outliving the line", "taking over the machine")

# done(seen): whether it was, see run.Seen. `way`: how it is run; those of the same way run together.
Attempt = namedtuple("Attempt", "name threat done way")


def says(secret):
    return lambda seen, name: seen.arena.secret[secret] in seen.output_of(name)


def reached(seen, name):
    return "REACHED" in seen.output_of(name)


def changed(*paths):
    """Of the arena; {} is the attempt's name."""
    def look(seen, name):
        return any(seen.arena.changed(f"{seen.arena.top}/{path.format(name)}") for path in paths)
    return look


def heard(seen, name):
    return name in seen.heard


def git_ran(seen, name):
    return seen.arena.changed(f"{seen.arena.outside}/pwn-{name}")


def config_has(repository, text):
    def look(seen, _):
        with open(f"{seen.arena.work}/{repository}/.git/config", encoding="utf-8") as file:
            return text in file.read().lower()
    return look


def victim_differs(key):
    return lambda seen, _: seen.victim[key] != seen.arena.victim_before[key]


def signalled(seen, _):
    return seen.signals > 0


def setting_changed(seen, _):
    return seen.burst != seen.arena.burst


def group(threat, done, *names, way="together"):
    return [Attempt(name, threat, done, way) for name in names]


ATTEMPTS = [
    *group(READ, says("outside"), "read-direct", "read-dotdot", "read-own-symlink", "read-relative-symlink",
           "read-given-symlink", "read-given-symlink-dotdot", "read-hard-link", "read-proc-self-root",
           "read-proc-roots", "read-proc-cwds", "read-proc-fd", "read-proc-root-descriptor", "read-openat2",
           "read-chdir", "read-path-descriptor", "read-path-reopened", "read-execute", "read-handle",
           "read-new-mounts", "read-chroot", "read-other-mounts", "read-ring", "read-32-bit"),
    *group(READ, says("beacon"), "read-listing", "read-watched"),
    *group(READ, says("outside"), "read-inherited", way="together"),
    *group(READ, says("outside"), "read-given-directory", "read-given-directory-above", way="given-directory"),
    *group(READ, lambda seen, _: seen.arena.secret["given"] in seen.loot, "read-given-file", way="given-output"),
    *group(PROCESSES, says("environment"), "read-environment", "read-environments"),
    *group(CHANGE, changed("outside/{}"), "change-direct", "change-append", "change-symlink", "change-hard-link",
           "change-truncate", "change-mode", "change-mode-at", "change-times", "change-times-descriptor",
           "change-attribute", "change-remove", "change-rename", "change-move-out", "change-exchange",
           "change-proc-fd", "change-ring", "change-32-bit"),
    *group(CHANGE, changed("outside/made-by-dangling"), "change-dangling-symlink"),
    *group(CHANGE, changed("outside/made-by-given"), "change-given-symlink"),
    *group(CHANGE, changed("outside/made-directory", "outside/made-node", "outside/made-symlink"), "change-make"),
    *group(CHANGE, changed("outside/made-link"), "change-link-out"),
    *group(CHANGE, changed("outside/made-temporary", "outside/made-temporary2"), "change-temporary"),
    *group(CHANGE, changed("outside/made-socket"), "change-socket"),
    *group(CHANGE, setting_changed, "change-kernel-setting"),
    *group(CHANGE, reached, "change-device"),
    *group(CHANGE, changed("outside/{}"), "change-given-file", way="given-file"),
    *group(CHANGE, changed("outside/{}"), "change-given-file-mode", way="given-file-mode"),
    *group(CHANGE, changed("outside/{}"), "change-given-file-times", way="given-file-times"),
    *group(READ_ONLY, changed("readable/times"), "change-readable-times"),
    *group(READ_ONLY, changed("work/nest/ro/created"), "ro-create"),
    *(attempt for what in ("write", "link", "mode", "times", "remove", "flags", "remount", "truncate", "attribute")
      for attempt in group(READ_ONLY, changed("work/nest/ro/" + what), "ro-" + what)),
    *group(READ_ONLY, changed("work/nest3/moved"), "ro-move"),
    *group(READ_ONLY, changed("work/nest2/ro/parent"), "ro-parent"),
    *group(DENIED, says("env"), "env-direct", "env-spelled", "env-openat2", "env-open", "env-reference", "env-flags",
           "env-symlink", "env-hard-link", "env-rename", "env-exchange", "env-from-within",
           "env-bound", "env-long-path", "env-passed", "env-sibling", "env-shared-directory", "env-ring",
           "env-32-bit", "env-x32", "env-x32-openat", "env-anchored"),
    *group(DENIED, reached, "env-deep"),
    *group(DENIED, changed("work/.env.{}"), "env-made-create", "env-made-rename", "env-made-link",
           "env-made-symlink", "env-made-directory", "env-made-node", "env-made-socket", "env-made-temporary",
           "env-made-dangling", "env-gone-truncate", "env-gone-remove", "env-gone-over", "env-gone-write",
           "env-gone-mode"),
    *group(DENIED, changed("work/.cordon.toml", "work/sub/.cordon.toml"), "env-rules"),
    *group(DENIED, git_ran, "git-hook", "git-hook-renamed", "git-hook-linked", "git-hook-symlinked",
           "git-hooks-exchanged", "git-directory-renamed", "git-directory-kept", "git-config", "git-config-lock",
           "git-config-kept", "git-config-included", "git-remote", "git-push-remote", "git-pointed-elsewhere",
           "git-common-directory", "git-worktree-config", "git-linked-directory", "git-own-repository",
           "git-own-settings-kept", "git-own-moved", "git-own-worktree"),
    *group(DENIED, config_has("repo7", "recentobjectshook"), "git-config-gc"),
    *group(PROCESSES, says("memory"), "process-memory", "process-memory-file", "process-trace"),
    *group(PROCESSES, signalled, "process-signals", way="signals"),
    *group(PROCESSES, signalled, "process-signal-by-descriptor", way="signals-by-descriptor"),
    *group(PROCESSES, says("outside"), "process-descriptor"),
    *(attempt for key in ("limits", "priority", "affinity")
      for attempt in group(PROCESSES, victim_differs(key), "process-" + key)),
    *group(PROCESSES, lambda seen, _: seen.group_signals > 0, "process-group", way="group"),
    *group(DENIED, says("env"), "warden-end", way="warden"),
    *group(DENIED, reached, "warden-memory", "warden-descriptors"),
    *group(ABSTRACT, heard, "abstract-stream", "abstract-datagram", "abstract-raw"),
    *group(PATHS, heard, "socket-stream", "socket-datagram", "socket-raw", "socket-raw-connected", "socket-pair",
           "socket-symlink", "socket-path-descriptor", "socket-message"),
    *group(NETWORK, heard, "net-tcp", "net-tcp-fast", "net-tcp6", "net-tcp-multipath", "net-udp", "net-high-bits",
           "net-virtual-machine"),
    *group(SHARED, says("segment"), "shared-segment"),
    *group(SHARED, says("shared_file"), "shared-file"),
    *group(SHARED, says("queue"), "shared-queue"),
    *group(KERNEL, says("key"), "kernel-key"),
    *group(KERNEL, reached, "kernel-ring", "kernel-32-bit", "kernel-bpf", "kernel-faults", "kernel-keys",
           "kernel-performance", "kernel-user-namespace", "kernel-cloned-namespace", "kernel-cloned3-namespace",
           "kernel-mount", "kernel-new-mount", "kernel-listener", "kernel-personality",
           "kernel-notify"),
    *group(RIGHTS, says("theirs"), "rights-set-user", "rights-preloaded", "rights-file", "rights-become"),
    *group(TERMINAL, lambda seen, _: "injected" in seen.typed, "terminal-inject", way="terminal"),
    *group(TERMINAL, lambda seen, _: "injected" in seen.typed, "terminal-high-bits", way="terminal-high-bits"),
    *group(TERMINAL, lambda seen, _: "injected" in seen.typed, "terminal-opened", way="terminal-opened"),
    *group(SURVIVAL, lambda seen, _: bool(seen.left), "survive", way="survive"),
    *group(MACHINE, reached, "forks", way="forks"),
    *group(MACHINE, reached, "memory", way="memory"),
    *group(MACHINE, lambda seen, _: seen.overdue, "hang-connecting", way="hang-connecting"),
    *group(MACHINE, lambda seen, _: seen.overdue, "hang-opening", way="hang-opening"),
    *group(DENIED, says("env"), "race-argument-read", "race-argument-link", "race-parent", "race-symlink",
           "race-descriptor", "race-numbers", "race-flood", way="race"),
    *group(DENIED, changed("work/.env.race-c"), "race-argument-create", way="race"),
    *group(DENIED, changed("work/.env.race-r"), "race-argument-rename", way="race"),
    *group(DENIED, changed("work/.env.race-t"), "race-argument-truncate", way="race"),
    *group(CHANGE, changed("outside/race-arg"), "race-argument-outside", way="race"),
    *group(READ, says("outside"), "race-swapped-read", way="race"),
    *group(CHANGE, changed("outside/made-by-race", "outside/made-by-race-d", "outside/made-by-race-r"),
           "race-swapped-write", way="race"),
]
BY_WAY = {}
for each in ATTEMPTS:
    BY_WAY.setdefault(each.way, []).append(each)
