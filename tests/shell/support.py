"""Asks the real binary what a command line would do, and puts the answer into lines."""

import json
import os
import subprocess

BINARY = os.environ.get("CORDON_BINARY", "build/cordon")


def explain(command):
    done = subprocess.run([BINARY, "shell-explain", "--json", "--", command], check=True,
                          capture_output=True, timeout=60)
    answer = json.loads(done.stdout)
    assert answer["success"] is True, answer
    return answer["data"]


def told(text, encoding=None):
    return ("%:" if encoding else "") + text.replace("\n", "\\n")


def file_line(use):
    marks = []
    if use["extent"] != "itself":
        marks.append(use["extent"])
    if use["exactness"] != "exact":
        marks.append(use["exactness"])
    if use["start"] == "home":
        marks.append("home")
    if use["start"] == "unknown":
        marks.append("nowhere")
    if use["start"] == "root":
        assert use["path"].startswith("/"), use
    word = use["access"] + (f"[{','.join(marks)}]" if marks else "")
    return f"{word} {told(use['path'], use.get('pathEncoding'))}"


def lines_of(data):
    """One line per fact; what is read, written and so on is sorted, as the order says little."""
    names = []
    for program in data["programs"]:
        name = told(program["name"]["text"])
        names.append("/".join([*program["through"], name]))
    lines = [f"runs {' '.join(names)}"] if names else []
    lines += sorted({file_line(use) for use in data["files"]})
    lines += sorted({f"network {told(use['target'])}".rstrip() +
                     ("" if use["exactness"] == "exact" else f" ({use['exactness']})")
                     for use in data["network"]})
    lines += sorted({f"unknown {told(thing['text'])}".rstrip() for thing in data["unknown"]})
    codes = sorted({reason["code"] for reason in data["reasons"]})
    lines.append(f"risk {data['risk']}" + (f": {' '.join(codes)}" if codes else ""))
    return lines


def read_cases(path):
    """Records with empty lines between them: "$ COMMAND", "> MORE LINES", then the answer."""
    cases = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if line.startswith("# ") or not line:
                continue
            if line.startswith("$ "):
                cases.append((number, [line[2:]], []))
            elif line.startswith("> ") or line == ">":
                cases[-1][1].append(line[2:])
            else:
                cases[-1][2].append(line)
    return [(number, "\n".join(command), expected) for number, command, expected in cases]
