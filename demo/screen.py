"""What the person in front of the demonstration sees."""

import os
import textwrap
from typing import TextIO

WIDTH = 112
TRIED = 52


class Screen:
    def __init__(self, out: TextIO):
        self._out = out
        self._failures = 0
        self._colour = out.isatty() and "NO_COLOR" not in os.environ

    def _paint(self, code: str, text: str) -> str:
        return f"\033[{code}m{text}\033[0m" if self._colour else text

    def title(self, text: str) -> None:
        self._out.write("\n" + self._paint("1", text) + "\n")
        self._out.flush()

    def line(self, tried: str, told: str, *, good: bool, record: int | None = None) -> None:
        """One thing that was tried, and what came of it. Anything but good is a failure."""
        mark = self._paint("32", "ok") if good else self._paint("31", "NOT AS CLAIMED")
        self._failures += not good
        where = f"  #{record}" if record is not None else ""
        tried = textwrap.shorten(tried, TRIED - 1, placeholder="…")
        told = textwrap.shorten(told, WIDTH - TRIED - len(where), placeholder=" …")
        room = " " * (WIDTH - TRIED - len(told) - len(where))
        self._out.write(f"  {tried:<{TRIED}}{told}{room}{self._paint('2', where)}  [{mark}]\n")
        self._out.flush()

    def verdict(self) -> int:
        if self._failures:
            self._out.write("\n" + self._paint("31", f"{self._failures} not as claimed") + "\n")
            return 1
        self.title("Everything as claimed.")
        return 0
