"""The audit log's format, once more and independently: a writer and a checker.

A line is {"seq":…,"time":…,"event":…, … ,"prev":…,"hash":…}; the hash is HMAC-SHA-256 of
everything before `,"hash"`, the previous record's hash is "prev". Text is percent-encoded
where it is not printable UTF-8, or `"`, `\\` or `%`.
"""

import hashlib
import hmac
import json
import re
import time
import unicodedata

ORDER = ("seq", "time", "event", "phase", "begun", "session", "conversation", "sandbox", "actor",
         "tool", "operation", "path", "target", "decision", "rule", "tier", "error", "violation",
         "question", "choice", "channel", "lost", "protection", "duration_ns", "prev", "hash")
ALWAYS = {"seq", "time", "event", "duration_ns", "prev", "hash"}


def encode(name):
    """Bytes as the log writes them. Only what these tests use is printable here."""
    if isinstance(name, str):
        name = name.encode()
    out = ""
    for character in name.decode("utf-8", "surrogateescape"):
        odd = unicodedata.category(character)[0] in "C" or character in '"\\%\u2028\u2029'
        if odd:
            raw = character.encode("utf-8", "surrogateescape")
            out += "".join(f"%{byte:02X}" for byte in raw)
        else:
            out += character
    return out


def decode(text):
    return re.sub(rb"%([0-9A-F]{2})", lambda m: bytes([int(m.group(1), 16)]), text.encode())


def timestamp(ns):
    whole, rest = divmod(ns, 10**9)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + f".{rest:09d}Z"


class LogWriter:
    """Writes a log's lines; numbers, times and hashes go on by themselves."""

    def __init__(self, path, key=b"k" * 32, start_ns=1794750133123456789):
        self.path = path
        self.key = key
        self.seq = 0
        self.prev = "0" * 64
        self.now = start_ns

    def line(self, event, asked=None, resolved=None, **fields):
        self.seq += 1
        values = {"seq": self.seq, "time": timestamp(self.now), "event": event, "duration_ns": 5,
                  "prev": self.prev}
        self.now += 10**9
        path = {key: encode(value)
                for key, value in (("asked", asked), ("resolved", resolved)) if value}
        if path:
            values["path"] = path
        for key, value in fields.items():
            values[key] = value if isinstance(value, int) else encode(value)
        text = json.dumps({key: values[key] for key in ORDER if key in values},
                          ensure_ascii=False, separators=(",", ":"))
        covered = text[:-1].encode()
        self.prev = hmac.new(self.key, covered, hashlib.sha256).hexdigest()
        return covered + f',"hash":"{self.prev}"}}\n'.encode()

    def add(self, event, asked=None, resolved=None, **fields):
        line = self.line(event, asked, resolved, **fields)
        with open(self.path, "ab") as log:
            log.write(line)
        return line

    def rotate(self, number):
        self.path.rename(f"{self.path}.{number:06d}")


def problems(files, key):
    """What is wrong with a log, read without any of the program's code."""
    found, seq, prev = [], 0, None
    for path in files:
        for line in path.read_bytes().splitlines(keepends=True):
            seq += 1
            where = f"{path.name}: record {seq}"
            if not line.endswith(b"\n"):
                found.append(f"{where}: no newline")
                continue
            pairs = json.loads(line, object_pairs_hook=list)
            names = [name for name, _ in pairs]
            values = dict(pairs)
            if names != [name for name in ORDER if name in values]:
                found.append(f"{where}: fields {names}")
            if not ALWAYS <= set(names):
                found.append(f"{where}: something is missing")
            if values["seq"] != seq:
                found.append(f"{where}: number {values['seq']}")
            if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z", values["time"]):
                found.append(f"{where}: time {values['time']}")
            if prev is not None and values["prev"] != prev:
                found.append(f"{where}: not chained to the one before")
            covered = line[:line.rindex(b',"hash":"')]
            if hmac.new(key, covered, hashlib.sha256).hexdigest() != values["hash"]:
                found.append(f"{where}: wrong hash")
            prev = values["hash"]
    return found, seq
