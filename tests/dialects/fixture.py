"""The tree on which calls are recorded and replayed: made anew before every call."""

import hashlib
import os
import shutil
import stat

PNG = bytes.fromhex("89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
                    "0000000d49444154789c63f8ffff3f0005fe02fea7358d990000000049454e44ae426082")
PYTHON = """def greet(name):
    if name:
        print("hello " + name)
    else:
        print("hello")


def main():
    greet("world")
    greet("world")
    return 0
"""

FILES = {
    "README.md": "# Project\n\nA small one.\n\n```sh\nmake\n```\n",
    "empty.txt": "",
    "ten.txt": "".join(f"line {n}\n" for n in range(1, 11)),
    "open.txt": "first\nsecond\nthird",
    "crlf.txt": "one\r\ntwo\r\nthree\r\n",
    "mixed.txt": "one\r\ntwo\nthree\r\nfour\n",
    "mark.txt": "\ufeffmarked\nsecond\n",
    "unicode.txt": "gr\u00fc\u00df dich\n\u65e5\u672c\u8a9e\n\U0001f600 smile\n",
    "twice.txt": "same\nother\nsame\n",
    "big.txt": "".join(f"{n:06d} {'x' * 73}\n" for n in range(1, 4001)),
    "long_line.txt": "y" * 5000 + "\nshort\n",
    "latin.txt": b"caf\xe9\nplain\n",
    "binary.bin": bytes(range(256)),
    "image.png": PNG,
    "drawing.svg": "<svg xmlns=\"http://www.w3.org/2000/svg\"/>\n",
    "sound.wav": b"RIFF\x24\0\0\0WAVEfmt \x10\0\0\0",
    "script.sh": "#!/bin/sh\necho hi\n",
    "src/main.py": PYTHON,
    "src/util/tool.py": "VALUE = 1\n",
    "src/util/deep/end.txt": "end\n",
    "src/app.log": "log\n",
    "notes/a b.txt": "spaces\n",
    "notes/caf\u00e9.txt": "composed\n",
    "notes/\u65e5\u672c.txt": "name\n",
    "notes/.hidden": "hidden\n",
    "sorted/Banana": "b" * 3,
    "sorted/apple": "a" * 20000,
    "sorted/cherry.txt": "c" * 9000,
    "sorted/10.txt": "t" * 12,
    "sorted/2.txt": "",
    "sorted/_under": "u",
    "sorted/Apple": "A" * 1500000,
    "node_modules/pkg/index.js": "x\n",
    "node_modules/pkg/lib/a.js": "x\n",
    "top.log": "log\n",
}
DIRECTORIES = ("hollow", "sorted/folder", "src/util/none")
LINKS = {
    "link_to_file": "ten.txt",
    "link_to_directory": "src",
    "link_out": "../outside/secret.txt",
    "link_out_directory": "../outside",
    "link_nowhere": "missing.txt",
    "links/to_file": "../ten.txt",
}
OUTSIDE = {"secret.txt": "SECRET OUTSIDE\n", "twin.txt": "SECRET TWIN\n"}


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    path.chmod(0o644)


def clear(directory):
    """Keeps the directory itself: a server may hold it open."""
    for entry in directory.iterdir():
        if entry.is_dir() and not entry.is_symlink():
            shutil.rmtree(entry)
        else:
            entry.unlink()


def make(base):
    """Makes `base`/root and `base`/outside what they are before every call."""
    os.umask(0o022)  # what servers make has the same permissions everywhere
    root, outside = base / "root", base / "outside"
    for directory in (root, outside):
        directory.mkdir(parents=True, exist_ok=True)
        clear(directory)
    for name, content in OUTSIDE.items():
        write(outside / name, content)
    for name, content in FILES.items():
        write(root / name, content)
    for name in DIRECTORIES:
        (root / name).mkdir(parents=True)
    (root / "script.sh").chmod(0o755)
    for name, target in LINKS.items():
        (root / name).parent.mkdir(exist_ok=True)
        (root / name).symlink_to(target)
    os.link(outside / "twin.txt", root / "hard_link_out.txt")
    return root


def facts(path):
    """What is at a path, in a line: kind, permissions, content."""
    found = path.lstat()
    if stat.S_ISLNK(found.st_mode):
        return f"link {os.readlink(path)}"
    if stat.S_ISDIR(found.st_mode):
        return "directory"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()[:16]
    return f"file {stat.S_IMODE(found.st_mode):04o} {digest}"


def snapshot(base):
    """Every name below `base` with its facts."""
    found = {}
    for directory, names, files in os.walk(base):
        for name in names + files:
            path = type(base)(directory) / name
            found[path.relative_to(base).as_posix()] = facts(path)
    return found


def changes(before, after):
    """What a call did to the tree; null: gone."""
    return {name: after.get(name) for name in sorted(before.keys() | after.keys())
            if before.get(name) != after.get(name)}
