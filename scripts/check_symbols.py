#!/usr/bin/env python3
"""Proves from the object files that only confine and platform can open a path.

Usage: check_symbols.py MANIFEST; each line of it is "room object-file".
The include check reads what sources say; this reads what the compiler made of them, so
it also sees a function declared by hand or reached through somebody's header.
"""

import re
import subprocess
import sys

# Rooms that are the boundary, and rooms whose work is to start programs.
OPENERS = {"confine", "platform"}
STARTERS = {"sandbox", "launch"}

EXEC = re.compile(r"(exec[lv]p?e?|execvpe|fexecve|execveat|posix_spawnp?|system|popen)")
FORBIDDEN = re.compile(r"""
    (__)?(libc_)?open(64)?(_2)? | (__)?openat(64)?(_2)? | openat2 | creat(64)? | open_by_handle_at
  | open_tree | fsopen | fspick | move_mount | (u?mount2?) | pivot_root | ch(dir|root) | syscall
  | f(re)?open(64)? | _IO_(f(ile_f)?open) | tmp(file|nam)(64)?(_r)? | tempnam | mk(s|os|d)temps?(64)? | mktemp
  | opendir | scandir(at)?(64)? | n?ftw(64)? | fts(64)?_open | glob(64)?
  | mk(dir|nod|fifo)(at)? | __xmknod(at)? | unlink(at)? | rmdir | remove | rename(at2?)?
  | (sym)?link(at)? | (l|fstatat|new)?stat(64)? | fstatat(64)? | newfstatat | statx
  | __(l|f)?xstat(at)?(64)? | stat(v)?fs(64)? | truncate(64)? | l?chmod | fchmodat
  | l?chown | fchownat | l?utimes? | (utimens|futimes)at | f?access(at)? | e(uid)?access
  | (__)?realpath(_chk)? | canonicalize_file_name | (__)?readlink(at)?(_chk)?
  | (inotify_add_watch | fanotify_mark) | (shm|sem|mq)_open | l?(get|set|list|remove)xattr
  | dlm?open | io_uring_.* | acct | swapon | bindtextdomain
""", re.VERBOSE)
# fopen and the like in their C++ forms.
FORBIDDEN_CXX = re.compile(
    r"std::filesystem::|std::experimental::filesystem::|boost::filesystem::"
    r"|std::(__\w+::)?basic_(filebuf|fstream|ifstream|ofstream)<|std::(__\w+::)?__basic_file<"
    r"|for std::(__\w+::)?basic_(filebuf|fstream|ifstream|ofstream)<")
# Of platform, what a room above may touch: nothing that takes a name.
PLATFORM = re.compile(r"cordon::platform::")
PLATFORM_HARMLESS = re.compile(
    r"cordon::platform::(UniqueFd::|File(Stat|Identity)\b|Attribute\b|StatDescriptor\(|BirthTimeOf\(|MountIdOf\("
    r"|DescribeStandardOutput\(|OutputWatch\b|StandardStreams\b|Watcher\b|RandomNumber\(|HasNameServices\("
    r"|MakePipe\(|OpenNullDevice\(|Read\(int, std::span|Standard(StreamsAre|ErrorIs)Terminals?\(|OwnTerminal\b|TerminalRelay\b"
    r"|IgnoreInterrupts\(|Own(Program|Environment)\b|SpawnedProcess::~?SpawnedProcess\(|WriteAll\(int, |Duplicate\(int\))")
PLATFORM_USERS = {"audit", "auth", "consent", "undo", "store", "net", "sandbox", "inside", "warden",
                  "launch", "preview", "provision", "remote"}
# What the person at the command line names is theirs: `cordon sandbox cp`, and where a server is;
# and the program that takes over is our own.
OWN_FILES = {"cli": re.compile(r"cordon::platform::(OpenHost(File|Directory)|ReadWhole(\[abi:cxx11\])?|Become)\(")}


def run(*command, text=None):
    return subprocess.run(command, input=text, check=True, capture_output=True, text=True).stdout


def undefined(path):
    """Symbols the object needs from elsewhere, without their version."""
    names = []
    for line in run("nm", "--undefined-only", "--format=posix", path).splitlines():
        fields = line.split()
        if len(fields) >= 2 and fields[1] in {"U", "w", "v"}:
            names.append(fields[0].split("@")[0])
    return names


def demangle(names):
    return dict(zip(names, run("c++filt", text="\n".join(names) + "\n").splitlines())) if names else {}


def is_forbidden(room, name, plain):
    if plain.startswith("typeinfo "):  # a name, kept by sanitizers; opens nothing
        return False
    if EXEC.fullmatch(name):
        return room not in STARTERS
    if FORBIDDEN.fullmatch(name) or FORBIDDEN_CXX.search(plain):
        return True
    if room in OWN_FILES and OWN_FILES[room].match(plain):
        return False
    return bool(PLATFORM.match(plain) and room not in PLATFORM_USERS
                and not PLATFORM_HARMLESS.match(plain))


def references(path):
    """Pairs of (section, symbol): what each function's code refers to, defined here or not."""
    section = ""
    for line in run("objdump", "--reloc", "--wide", path).splitlines():
        fields = line.split()
        if line.startswith("RELOCATION RECORDS FOR ["):
            section = line[line.index("[") + 1:line.rindex("]")]
        elif len(fields) == 3 and not section.startswith((".debug", ".eh_frame", ".group")):
            yield section, re.split(r"[-+]0x|@", fields[2])[0]


def function_of(section):
    return re.sub(r"^\.text\.((unlikely|startup|hot|exit)\.)?", "", section)


def is_library_code(function):
    """The command-line parser is all headers and can read files; its code lands in our
    objects. Only its own functions, and the standard library's, may refer to openers:
    a function of ours that calls one of the latter is itself seen referring to it."""
    return "cordon::" not in function and bool(
        re.match(r"(guard variable for |(bool|void|auto|decltype\S*) )?(CLI|std)::", function))


# Functions of ours that ask a thread to stop, or wait to be asked, and into which the compiler
# has put the sleeping.
INLINED_STOPS = ("cordon::guard::CommandRun::Quiet()", "cordon::guard::CommandQuestions::~CommandQuestions()",
                 "cordon::preview::Previews::~Previews()", "cordon::mcp::WaitingRoom::Enter(",
                 "std::stop_callback<cordon::mcp::WaitingRoom::", "cordon::mcp::Task::Stop()",
                 "cordon::provision::DiskWatch::Close()", "cordon::serve::Terminals::~Terminals()",
                 "std::_Function_handler<void (), cordon::serve::(anonymous namespace)::CallTool(")


def is_futex_wait(function):
    """How the standard library's stop tokens and semaphores sleep: a system call by number,
    but always the same one. Code of ours that it was inlined into is still seen."""
    if any(function.startswith(known) for known in INLINED_STOPS):
        return True
    return "cordon::" not in function and bool(re.match(
        r"(bool |void )?std::(__detail::__platform_(wait|notify)|__atomic_wait_address_bare"
        r"|__atomic_semaphore::|stop_token::_Stop_state_t::_M_request_stop|jthread::~jthread)", function))


def check_object(room, path):
    if room in OPENERS:
        return []
    users = {name: set() for name in undefined(path)}
    for section, name in references(path):
        users.setdefault(name, set()).add(function_of(section))
    plain = demangle(sorted(users.keys() | set().union(*users.values())))
    complaints = []
    for name in sorted(users):
        if not is_forbidden(room, name, plain[name]):
            continue
        by = {plain[user] for user in users[name]}
        if room == "cli" and by:
            by = {user for user in by if not is_library_code(user)}
            if not by:
                continue
        if name == "syscall" and by and all(map(is_futex_wait, by)):
            continue
        where = f" in {'; '.join(sorted(by))}" if by else ""
        complaints.append(f"{room}: {path}: refers to {plain[name]}{where}")
    return complaints


def main(arguments):
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    with open(arguments[0], encoding="utf-8") as manifest:
        entries = [line.rstrip("\n").split(" ", 1) for line in manifest if line.strip()]
    complaints = []
    checked = 0
    for room, path in entries:
        checked += room not in OPENERS
        complaints += check_object(room, path)
    if not checked:
        complaints.append("no objects to check")
    for complaint in complaints:
        print(complaint)
    print(f"symbols: {checked} objects, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
