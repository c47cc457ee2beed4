#!/usr/bin/env python3
"""Checks that includes point downwards and that only few places can name host paths.

Usage: check_layers.py [TREE]; prints one line per complaint and exits 1 if there is any.
Whatever the tables below do not know is a complaint, so a new room or a new system
header is a decision made here and not an accident.
"""

import pathlib
import re
import sys

# Headers that carry values only, for rooms that may not have the machinery behind them.
PLATFORM_VALUES = ["platform/attribute.h", "platform/file_stat.h", "platform/unique_fd.h",
                   "platform/watcher.h"]
CONFINE_VALUES = ["confine/file.h", "confine/replacement.h", "confine/search.h"]
# What a search is led by: it is handed names and bytes, and can ask for nothing else.
SEARCH_SEAM = ["confine/search_visitor.h", "platform/file_stat.h"]

# Room: the rooms, or single headers, it may include besides its own and include/cordon.
ROOMS = {
    "base": [],
    "path": ["base"],
    "policy": ["base", "path"],
    "platform": ["base", "path/name_rules.h"],
    "confine": ["base", "path", "policy", "platform"],
    "store": ["base", "platform"],
    "audit": ["base", "path", "policy", "platform", "confine"],
    "consent": ["base", "path", "policy", "platform", "store"],
    "undo": ["base", "path", "policy", "platform", "confine"],
    "shell": ["base", "path", "policy"],
    "search": ["base", *SEARCH_SEAM],
    "net": ["base", "path", "policy", "platform"],
    "sandbox": ["base", "path", "policy", "platform", "confine"],
    # What stands in a sandbox, and what is said to it.
    "inside": ["base", "path", "policy", "platform", "confine"],
    "warden": ["base", "path", "policy", "platform", "sandbox"],
    "launch": ["base", "path", "policy", "platform", "sandbox", "warden"],
    "provision": ["base", "path", "policy", "platform", "confine", "sandbox", "inside", "store",
                  "net"],
    "guard": ["base", "path", "policy", "confine", "consent", "audit", "undo", "shell",
              "sandbox", "provision", "store", "platform/file_io.h", "platform/pipe.h",
              *PLATFORM_VALUES],
    "tools": ["base", "path", "policy", "shell", "undo", "guard", "search",
              "platform/file_stat.h", "sandbox/message.h",
              *CONFINE_VALUES],
    "auth": ["base", "platform"],
    # The protocol knows nothing of files.
    "mcp": ["base", "auth", "net", "platform/host.h"],
    "mcp_tools": ["base", "path", "policy", "consent", "audit", "undo", "guard", "search", "tools",
                  "mcp", "platform/file_stat.h", "platform/watcher.h", *CONFINE_VALUES],
    "hook": ["base", "path", "policy", "shell", "audit", "guard"],
    "preview": ["base", "path", "policy", "platform", "store", "net", "provision"],
    "api": ["base", "path", "policy", "confine", "consent", "audit", "guard", *PLATFORM_VALUES],
    "serve": ["base", "path", "policy", "confine", "consent", "audit", "undo", "shell", "guard", "tools", "net",
              "auth", "mcp", "mcp_tools", "preview", "provision", "store", "api"],
    # A client of the server: knows its HTTP API and nothing of how it is done.
    "remote": ["base", "platform", "net"],
    "cli": ["base", "path", "policy", "confine", "consent", "audit", "undo", "shell", "guard",
            "tools", "sandbox", "provision", "net", "auth", "mcp", "mcp_tools", "hook", "preview", "store",
            "serve", "api", "remote", "platform/own_terminal.h", "platform/terminal.h",
            "platform/host.h", "platform/standard_output.h", "platform/standard_streams.h",
            "platform/inherited.h", "platform/become.h", "platform/name_services.h", "platform/terminal_relay.h",
            *PLATFORM_VALUES],
}

# Third-party headers by how their name begins, and the rooms that wrap them.
LIBRARIES = {
    "tl/expected.hpp": ["public"],
    "utf8proc.h": ["base", "path"],
    "openssl/": ["base", "preview"],
    "re2/": ["search", "tools"],
    "tree_sitter/": ["shell"],
    "cpuid.h": ["search"],
    "immintrin.h": ["search"],
    "toml++/": ["policy"],
    "boost/json": ["policy", "audit", "consent", "undo", "provision", "tools", "auth", "mcp",
                   "mcp_tools", "hook", "shell", "api", "serve", "remote", "cli"],
    "boost/asio": ["consent", "net", "preview"],
    "boost/beast": ["net", "preview"],
    "boost/url": ["net", "mcp_tools"],
    "cjose/": ["auth"],
    "CLI/": ["cli"],
    "seccomp.h": ["platform"],
    "sqlite3.h": ["store"],
}

# Standard headers that open files by name, and who may have them.
OPENERS = {"filesystem": {"confine", "platform"}, "fstream": {"confine", "platform"}}
NOT_IN_TOOLS = {"cstdio", "iostream"}

OS_MACRO = re.compile(r"\b(__linux__|__linux|linux|__gnu_linux__|__unix__|__APPLE__|__MACH__|"
                      r"_WIN32|_WIN64|__CYGWIN__|__FreeBSD__|__OpenBSD__|__NetBSD__|__ANDROID__)\b")
ASSEMBLY = re.compile(r"\b(asm|__asm|__asm__)\b")
# Parts of the command-line parser that touch files.
PARSER_FILES = re.compile(r"\b(Existing(File|Directory|Path)|NonexistentPath|FileOnDefaultPath|"
                          r"set_config)\b")
AMBIENT_HEADER = "confine/ambient_authority.h"
AMBIENT_CALL = re.compile(r"\bOfThisProcess\b")
# Folders that decide where a boundary is drawn.
AMBIENT_ROOMS = {"api", "cli", "inside", "serve"}
AMBIENT_PASSES = {"src/guard/boundary.h", "src/guard/boundary.cc", "src/guard/opener.h",
                  "src/guard/opener.cc",
                  "src/audit/log.h", "src/audit/log.cc", "src/audit/files.h", "src/audit/files.cc",
                  "src/audit/verify.h", "src/audit/verify.cc", "src/audit/reader.h",
                  "src/audit/reader.cc", "src/undo/journal.h", "src/undo/journal.cc"}
OUTER = {"tests", "bench", "demo", "examples"}

TOKEN = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)|R"(?P<tag>[^()\\\s]{0,16})\(.*?\)(?P=tag)"|'
    r'"(?:\\.|[^"\\\n])*"|(?P<number>\b\d[\w\']*)|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
INCLUDE = re.compile(r"^[ \t]*(?:#|%:|\?\?=)[ \t]*(?:include|include_next|import)\b[ \t]*(.*)$", re.MULTILINE)


def without_comments(text):
    text = re.sub(r"\\\r?\n", "", text)
    return TOKEN.sub(lambda m: " " if m.group("comment") else m.group(0), text)


def without_literals(code):
    return TOKEN.sub(lambda m: m.group(0) if m.group("number") else '""', code)


class File:
    def __init__(self, tree, path):
        self.name = path.relative_to(tree).as_posix()
        parts = self.name.split("/")
        self.outer = parts[0]
        self.room = "public" if parts[0] == "include" else parts[1] if parts[0] == "src" else None
        self.is_test = parts[0] == "tests" or path.stem.endswith("_test")
        self.code = without_comments(path.read_text(encoding="utf-8", errors="surrogateescape"))
        self.complaints = []

    def complain(self, text):
        self.complaints.append(f"{self.name}: {text}")

    def check(self):
        if self.outer == "src" and self.room not in ROOMS:
            self.complain(f"is in no known room; add it to {pathlib.Path(__file__).name}")
            return
        for match in INCLUDE.finditer(self.code):
            self.check_include(match.group(1).strip())
        bare = without_literals(self.code)
        if self.room and self.room != "platform" and not self.is_test:
            for match in OS_MACRO.finditer(bare):
                self.complain(f"asks for {match.group(0)}; only src/platform may")
            if ASSEMBLY.search(bare):
                self.complain("has assembly; only src/platform may")
            for match in PARSER_FILES.finditer(bare):
                self.complain(f"has the parser look at files through {match.group(0)}")
        if AMBIENT_CALL.search(bare) and not self.may_take_authority():
            if self.name != "src/" + AMBIENT_HEADER:
                self.complain("takes AmbientAuthority::OfThisProcess")

    def may_take_authority(self):
        return self.is_test or self.outer in OUTER or self.room in AMBIENT_ROOMS

    def check_include(self, target):
        if re.fullmatch(r'"[^"]*"', target):
            self.check_own(target.strip('"'))
        elif re.fullmatch(r"<[^>]*>", target):
            self.check_foreign(target.strip("<>"))
        else:
            self.complain(f"includes {target}, which cannot be checked")

    def check_own(self, header):
        if ".." in header.split("/") or header.startswith(("/", "./")):
            self.complain(f'includes "{header}"; name it from src/ or include/')
            return
        if header == AMBIENT_HEADER and not (
                self.may_take_authority() or self.room == "confine"
                or self.name in AMBIENT_PASSES):
            self.complain(f'includes "{header}"; it may not name host paths')
            return
        room = header.split("/")[0]
        if room == "cordon" or self.outer in {"tests", "bench"} or (self.is_test and room == "tests"):
            return
        if self.room is None or self.room == "public":
            self.complain(f'includes "{header}"; only "cordon/..." is public')
        elif room != self.room and room not in ROOMS[self.room] and header not in ROOMS[self.room]:
            self.complain(f'includes "{header}"; {self.room} may not include {room}')

    def check_foreign(self, header):
        if header.split("/")[0] in ROOMS.keys() | {"cordon"}:
            self.check_own(header)
            return
        if self.room is None or self.is_test:
            return
        for prefix, rooms in LIBRARIES.items():
            if header.startswith(prefix):
                if self.room not in rooms:
                    self.complain(f"includes <{header}>; only {', '.join(rooms)} may")
                return
        if "." in header or "/" in header:
            if self.room != "platform":
                self.complain(f"includes <{header}>; only src/platform may have system headers")
        elif self.room not in OPENERS.get(header, {self.room}):
            self.complain(f"includes <{header}>, which opens files by name")
        elif self.room == "tools" and header in NOT_IN_TOOLS:
            self.complain(f"includes <{header}>; tools speak through the guard")


def check_tree(tree):
    complaints = []
    seen = 0
    for folder in ("include", "src", "tests", "bench", "demo", "examples"):
        for path in sorted((tree / folder).rglob("*")):
            if path.suffix in {".h", ".cc", ".hpp", ".cpp", ".c", ".inc", ".ipp", ".cxx"}:
                seen += 1
                file = File(tree, path)
                file.check()
                complaints += file.complaints
    if not seen:
        complaints.append(f"{tree}: no sources found")
    return complaints, seen


def main(arguments):
    default = pathlib.Path(__file__).resolve().parent.parent
    tree = pathlib.Path(arguments[0]) if arguments else default
    complaints, seen = check_tree(tree)
    for complaint in complaints:
        print(complaint)
    print(f"layers: {seen} files, {len(complaints)} complaints")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
