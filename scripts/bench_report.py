#!/usr/bin/env python3
"""bench_report.py [--results DIR] [FILE]...: the tables of `make bench` in documents, from its JSON.

In each FILE (default: README.md) everything between the lines `<!-- bench -->` and
`<!-- /bench -->` is replaced. Says machine and date; what was not met is said, too.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import sys

BEGIN, END = "<!-- bench -->", "<!-- /bench -->"
ROOT = pathlib.Path(__file__).resolve().parent.parent
TITLES = {
    "cordon_bench": "Opening a file, against plain open(2)",
    "audit_bench": "Audit log",
    "search_bench": "Searching, against ripgrep and fd",
    "mcp_bench": "MCP over stdio, against the official filesystem server",
    "run_bench": "Commands, against bubblewrap, codex and srt",
    "provision_bench": "Sandboxes, against docker run",
    "preview_bench": "Previews, against nginx",
}


def processor() -> str:
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def number(value: float) -> str:
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def table(name: str, results: dict) -> list[str]:
    lines = [f"**{TITLES.get(name, name)}**", "", "| | measured | must be | |", "|---|---|---|---|"]
    for limit in results["limits"]:
        what = limit.get("text") or limit.get("what") or limit["name"]
        measured = limit.get("measured", limit.get("ratio"))
        bound = limit["bound"]
        # A bound is a ceiling or a floor; which one, its being met tells.
        least = (measured >= bound) == limit["met"] and measured != bound
        word = "at least" if least else "at most"
        lines.append(f"| {what} | {number(measured)} | {word} {number(bound)} | "
                     f"{'met' if limit['met'] else 'NOT MET'} |")
    return lines + [""]


def report(results: pathlib.Path) -> str:
    when = 0.0
    tables: list[str] = []
    for name in TITLES:
        file = results / f"{name}.json"
        if not file.exists():
            continue
        when = max(when, file.stat().st_mtime)
        tables += table(name, json.loads(file.read_text()))
    if not tables:
        raise SystemExit(f"bench_report: {results} has no results; run make bench")
    day = datetime.date.fromtimestamp(when)
    head = (f"{processor()}, {os.cpu_count()} processors, Linux {platform.release().split('-')[0]}, "
            f"{day}. Ratios are of times taken in turns in one run; less is better unless a floor is given.")
    return "\n".join([head, "", *tables]).rstrip()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--results", type=pathlib.Path, default=ROOT / "out" / "bench")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    text = report(options.results)
    for file in options.files or [ROOT / "README.md"]:
        whole = file.read_text(encoding="utf-8")
        before, begin, rest = whole.partition(BEGIN)
        _, end, after = rest.partition(END)
        if not begin or not end:
            print(f"bench_report: {file} has no place for it", file=sys.stderr)
            return 1
        file.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
