#!/usr/bin/env python3
"""Writes docs/dialects.md from the declarations and the list of differences."""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import support

DOCUMENT = pathlib.Path(__file__).resolve().parents[2] / "docs" / "dialects.md"
DIFFERENCES = pathlib.Path(__file__).parent / "differences.json"

BEGINNING = """# Dialects

The same tools under the names, parameters and result texts that other agents' models know. A dialect is a table in `src/tools/dialects/`: each of its tools is said in terms of one of ours, and every call goes through the same checks, rules, questions and records. Levels in `[[tool]]` and names in records are those of our own tools.

Choose one with `--dialect`: `cordon tool --list --dialect gemini`.

This file is written by `tests/dialects/document.py` from the tables; a test compares it. `bash`, which Lighthouse and Lace have too, is not there yet.
"""

# What a dialect is, and what of its original it does not have or does otherwise.
ABOUT = {
    "mcp-filesystem": ("The 14 tools of the npm package `@modelcontextprotocol/server-filesystem` 2026.8.31, so that a client needs nothing but another command in its configuration, and `delete_file` besides. Measured against a recording of the real server (`tests/dialects/recorded`); what differs is listed at the end.", [
        "At most 10 MiB of text are told by one call, at most 200000 entries are listed; more is an error, and nothing is cut. Trees are shown 1024 levels deep."]),
    "gemini": ("The file tools of Gemini CLI; `search_file_content` is the older name of `grep_search`.", [
        "`case_sensitive` and `respect_gemini_ignore` of `glob`, `file_filtering_options` of `list_directory`, and `max_matches_per_file` of `grep_search` are not there and refused as unknown.",
        "As many lines are shown before a match as behind it: the largest of `context`, `after` and `before`.",
        "Regular expressions are RE2's: no look-around and no back references.",
        "An edit that does not match exactly is tried with other white space and other quotes, never by likeness."]),
    "lighthouse": ("The tools of Lighthouse Chat IDE (its decision 011): results and codes of errors are its own, which are ours.", [
        "`bash` is not there yet."]),
    "lace": ("The tools of Lace that write.", ["`bash` is not there yet.", "`file_write` always makes missing directories."]),
    "claude": ("The file tools of Claude Code.", [
        "`type` of `Grep` and `pages` of `Read` are not there and refused as unknown.",
        "As many lines are shown before a match as behind it: the largest of `-A`, `-B` and `-C`. Lines always have their numbers.",
        "A file need not have been read before it is edited: an edit names what it replaces, and fails if that is not there."]),
    "openhands": ("`str_replace_editor` of OpenHands with its five commands.", [
        "`undo_edit` takes back the last change of the file, whoever made it through these tools, as often as the journal goes back; a file that somebody else has changed since stays as it is.",
        "At most 2000 lines are shown at once."]),
}


def type_of(schema):
    if "enum" in schema:
        return " \\| ".join(f"`{choice}`" for choice in schema["enum"])
    if schema["type"] == "array":
        items = schema["items"]
        if items["type"] != "object":
            return f"list of {items['type']}"
        return "list of {" + ", ".join(items["properties"]) + "}"
    return schema["type"]


def parameters(tool):
    schema = tool["inputSchema"]
    told = []
    for name, one in schema["properties"].items():
        if name.endswith("_encoding"):  # beside every path
            continue
        need = "" if name in schema.get("required", []) else "?"
        told.append(f"`{name}`{need} {type_of(one)}")
    return "<br>".join(told) or "none"


def table(dialect):
    lines = ["| tool | parameters (`?`: may be left out) | what it does |", "|---|---|---|"]
    for tool in support.declarations(dialect):
        lines.append(f"| `{tool['name']}` | {parameters(tool)} | {tool['description']} |")
    return "\n".join(lines)


def shown(call):
    tool, arguments = call.split(" ", 1)
    return f"`{tool}` `{json.dumps(json.loads(arguments), ensure_ascii=False)}`"


def differences():
    told = ["## Where mcp-filesystem differs from the real server", "",
            "Measured under the profile `strict`. Each is on purpose; a call that differs and is not "
            "listed fails the test, as does one that is listed and does not differ.", "",
            "Besides, `head` and `tail` are declared as whole numbers where the server says numbers; "
            "the hints of each tool also say what the server leaves unsaid; and "
            "`read_media_file` declares one form for what the server declares as a choice of two.", ""]
    for reason, calls in json.loads(DIFFERENCES.read_text(encoding="utf-8")).items():
        told.append(f"- {reason}")
        told += [f"  - {shown(call)}" for call in calls]
    return "\n".join(told)


def document():
    parts = [BEGINNING]
    for dialect, (about, notes) in ABOUT.items():
        part = f"## {dialect}\n\n{about}\n\n{table(dialect)}\n"
        if notes:
            part += "\n" + "\n".join(f"- {note}" for note in notes) + "\n"
        parts.append(part)
    return "\n".join(parts + [differences() + "\n"])


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
    print(f"{DOCUMENT.name} written")
