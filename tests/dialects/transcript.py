"""What a recording holds: calls, what came back, what changed on the disk."""

import json
import pathlib
import re

import calls
import fixture

RECORDED = pathlib.Path(__file__).parent / "recorded" / "mcp-filesystem.json"
RANDOM = re.compile(r"\.[0-9a-f]{32}\.tmp")
TIME = re.compile(r"\b\w{3} \w{3} \d\d \d{4} \d\d:\d\d:\d\d GMT\+0000 \(Coordinated Universal Time\)")
# Longer texts are kept as their ends and a digest.
KEPT = 4000


def below(value, change):
    """`value` with every text in it changed."""
    if isinstance(value, str):
        return change(value)
    if isinstance(value, list):
        return [below(one, change) for one in value]
    if isinstance(value, dict):
        return {key: below(one, change) for key, one in value.items()}
    return value


def placed(value, base):
    """With $ROOT and $BASE replaced by where they are."""
    return below(value, lambda text: text.replace("$ROOT", f"{base}/root").replace("$BASE", str(base)))


def shortened(text):
    if len(text) <= KEPT:
        return text
    digest = fixture.hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{text[:200]} ... {len(text)} characters, {digest} ... {text[-200:]}"


def normal(value, base):
    """The same on every machine and at every time."""
    def change(text):
        text = text.replace(f"{base}/root", "$ROOT").replace(str(base), "$BASE")
        return shortened(RANDOM.sub(".$RANDOM.tmp", TIME.sub("$TIME", text)))
    return below(value, change)


def play(base, call):
    """Every call on a fresh tree; `call` gives {"content", "isError"}."""
    entries = []
    for number, (name, arguments) in enumerate(calls.ALL):
        fixture.make(base)
        before = fixture.snapshot(base)
        answer = call(name, placed(arguments, base))
        changed = fixture.changes(before, fixture.snapshot(base))
        entries.append({"number": number, "tool": name, "arguments": arguments,
                        "content": normal(answer["content"], base),
                        "isError": answer.get("isError", False), "changes": changed})
    return entries


def visible_schema(tool):
    """What a client sees of a declaration, without its words."""
    def bare(schema):
        if isinstance(schema, dict):
            return {key: bare(value) for key, value in schema.items()
                    if key not in ("$schema", "description") or isinstance(value, dict)}
        return schema
    return {"name": tool["name"], "title": tool["title"], "annotations": tool["annotations"],
            "inputSchema": bare(tool["inputSchema"]), "outputSchema": bare(tool["outputSchema"])}


def load():
    return json.loads(RECORDED.read_text(encoding="utf-8"))
