"""A race: another process swaps a directory for a link to outside, as fast as it can."""

import ctypes
import multiprocessing
import os
import pathlib
import time

from conversation import Conversation
from screen import Screen

SECONDS = 2.0
MOST_SECONDS = 30.0  # until the guard of others was led outside once: a busy machine swaps seldom
RENAME_EXCHANGE = 2
AT_FDCWD = -100


def swap_for_ever(one: bytes, other: bytes) -> None:
    libc = ctypes.CDLL(None)
    while True:
        libc.renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE)


def read_as_others_do(project: pathlib.Path, path: str) -> str | None:
    """Resolves, compares as text, and then opens by name."""
    asked = project / path
    try:
        if not os.path.realpath(asked).startswith(str(project) + "/"):
            return None
        return asked.read_text()
    except OSError:
        return None


def led_outside(read, most: float) -> tuple[int, int]:
    """For some seconds, or `most` if it never was."""
    outside = tries = 0
    begun = time.monotonic()
    while time.monotonic() - begun < (SECONDS if outside else most):
        tries += 1
        outside += "the secret" in (read() or "")
    return outside, tries


def show(screen: Screen, agent: Conversation, project: pathlib.Path, scratch: pathlib.Path) -> None:
    screen.title("A process swaps a directory for a link to outside while files are read through it")
    (project / "d").mkdir()
    (project / "d" / "file").write_text("ordinary content\n")
    (scratch / "outside").mkdir()
    (scratch / "outside" / "file").write_text("the secret\n")
    (project / "other").symlink_to(scratch / "outside")
    swapper = multiprocessing.Process(target=swap_for_ever, daemon=True, args=(
        bytes(project / "d"), bytes(project / "other")))
    swapper.start()
    try:
        outside, tries = led_outside(lambda: read_as_others_do(project, "d/file"), MOST_SECONDS)
        screen.line("a guard that checks a path, then opens it",
                    f"led outside {outside:,} times of {tries:,}", good=outside > 0)
        outside, tries = led_outside(lambda: agent.call("read_file", path="d/file").text, SECONDS)
        screen.line("read_file of Cordon", f"led outside {outside:,} times of {tries:,}",
                    good=outside == 0 and tries > 0)
    finally:
        swapper.terminate()
        swapper.join()
