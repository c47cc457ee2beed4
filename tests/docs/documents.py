"""Reads the fenced blocks of a Markdown document, and runs those that show a terminal.

A `console` block is a session: lines "$ command" ("> " goes on with it), and below each
exactly what it prints, errors included. A `toml` block is a file; its first line names it:
"# NAME". All blocks of a document share one scratch directory, which stands in the
document as /home/you.
"""

import pathlib
import re
import subprocess

FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
HOME = "/home/you"


def blocks(text):
    """(language, content) of every fenced block, in order."""
    return [match.groups() for match in FENCE.finditer(text)]


def session(block):
    """(command, expected output) of every command of a console block."""
    steps = []
    for line in block.splitlines():
        if line.startswith("$ "):
            steps.append([line[2:], ""])
        elif not steps:
            raise ValueError(f"output before any command: {line}")
        elif line.startswith("> ") and not steps[-1][1]:
            steps[-1][0] += "\n" + line[2:]
        else:
            steps[-1][1] += line + "\n"
    return [tuple(step) for step in steps]


def run(command, scratch, binary):
    environment = {"HOME": str(scratch), "PATH": f"{binary.parent}:/usr/bin:/bin",
                   "LC_ALL": "C.UTF-8"}
    done = subprocess.run(["sh", "-c", command], cwd=scratch, env=environment, timeout=60,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    output = done.stdout.decode().replace(str(scratch), HOME)
    # Which of the two is there depends on the kernel, not on the document.
    return re.sub(r'(resolver +|"resolver":")walk\b', r"\1openat2", output)


def complaints(text, scratch, binary):
    """What a document shows and the program does not do; the number of commands run."""
    found, count = [], 0
    for language, content in blocks(text):
        if language == "toml":
            named = re.match(r"# ([\w./-]+)\n", content)
            if not named:
                found.append(f"a toml block whose first line names no file:\n{content}")
                continue
            path = scratch / named.group(1)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content.replace(HOME, str(scratch)))
        elif language == "console":
            for command, expected in session(content):
                count += 1
                output = run(command, scratch, pathlib.Path(binary))
                if output != expected:
                    found.append(f"$ {command}\n--- shown\n{expected}--- printed\n{output}")
    return found, count
