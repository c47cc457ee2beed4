#!/usr/bin/env python3
"""record_demo.py OUT.svg -- COMMAND...: a command's run on a terminal, as a picture that moves.

Each line appears when it was printed, pauses shortened; where nothing moves, all of it is seen.
"""

import html
import os
import pty
import re
import select
import sys
import time

COLUMNS = 130
LINE = 18
LETTER = 8.4
MARGIN = 16
LONGEST_PAUSE = 0.8
SHORTEST_PAUSE = 0.12
STYLES = {"1": "bold", "2": "dim", "31": "red", "32": "green"}


def record(command: list[str]) -> tuple[list[tuple[float, str]], int]:
    """Lines with the times at which they were whole, and the command's status."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ.pop("NO_COLOR", None)
        os.execvp(command[0], command)
    lines, rest, begun = [], b"", time.monotonic()
    while True:
        if not select.select([terminal], [], [], 300)[0]:
            break
        try:
            piece = os.read(terminal, 65536)
        except OSError:  # how a terminal ends on Linux
            break
        if not piece:
            break
        *whole, rest = (rest + piece).split(b"\n")
        now = time.monotonic() - begun
        lines += [(now, line.rstrip(b"\r").decode(errors="replace")) for line in whole]
    return lines, os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def shortened(lines: list[tuple[float, str]]) -> list[tuple[float, str]]:
    told, at, before = [], 0.0, 0.0
    for when, text in lines:
        at += min(max(when - before, SHORTEST_PAUSE), LONGEST_PAUSE)
        before = when
        told.append((at, text))
    return told


def spans(text: str) -> str:
    """The line with its colours as classes."""
    out, style = "", ""
    for part in re.split(r"(\x1b\[[0-9;]*m)", text):
        if part.startswith("\x1b["):
            style = STYLES.get(part[2:-1], "")
        elif part:
            escaped = html.escape(part).replace(" ", "\u00a0")
            out += f'<tspan class="{style}">{escaped}</tspan>' if style else escaped
    return out


def picture(lines: list[tuple[float, str]]) -> str:
    width = int(COLUMNS * LETTER + 2 * MARGIN)
    height = len(lines) * LINE + 2 * MARGIN
    rows = "\n".join(
        f'<text x="{MARGIN}" y="{MARGIN + LINE * (row + 1) - 5}" '
        f'style="animation-delay:{at:.2f}s">{spans(text)}</text>'
        for row, (at, text) in enumerate(lines) if text)
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" aria-label="A run of make demo">
<style>
text {{ font: 14px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #d7dce2; animation: come 1ms both; }}
.bold {{ font-weight: 700; fill: #fff; }} .dim {{ fill: #8b95a1; }} .red {{ fill: #ff7b72; }} .green {{ fill: #56d364; }}
@keyframes come {{ from {{ visibility: hidden; }} to {{ visibility: visible; }} }}
@media (prefers-reduced-motion: reduce) {{ text {{ animation: none; }} }}
</style>
<rect width="{width}" height="{height}" rx="10" fill="#12161c"/>
{rows}
</svg>
"""


def main() -> int:
    if len(sys.argv) < 4 or sys.argv[2] != "--":
        print(__doc__.splitlines()[0], file=sys.stderr)
        return 2
    lines, status = record(sys.argv[3:])
    if status != 0:
        print(f"record_demo: the command ended with {status}; nothing written", file=sys.stderr)
        return 1
    while lines and not lines[0][1]:
        lines.pop(0)
    with open(sys.argv[1], "w", encoding="utf-8") as out:
        out.write(picture(shortened(lines)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
