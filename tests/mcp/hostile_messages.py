"""Messages of both eras, and what becomes of them by chance."""

import json

from hostile_support import stateless_meta

# Text of one line, what JSON-RPC calls it.
NO_MESSAGES = [
    (b"\xff\xfe", -32700), (b'{"a":"\xc3\x28"}', -32700), (b'{"a":"\xed\xa0\x80"}', -32700),
    (b'{"a":"\xc0\xaf"}', -32700), (b'{"a":"\xf4\x90\x80\x80"}', -32700),
    (b'{"a":"\\ud800"}', -32700), (b'{"a":"\x00"}', -32700), (b"\x00", -32700),
    (b'{"jsonrpc":"2.0","id":1,"method":"pi', -32700), (b"{", -32700), (b"}", -32700),
    (b'{"jsonrpc":"2.0","id":1,"method":"ping"}}', -32700), (b"nul", -32700), (b"NaN", -32700),
    (b"{'id':1}", -32700), (b'{"id":1,}', -32700), (b"// {}", -32700),
    (b'{"id":1}{"id":2}', -32700), (b"\xef\xbb\xbf{}", -32700),
    (b"[" * 65 + b"]" * 65, -32700), (b"[" * 100_000, -32700), (b'{"a":' * 100_000, -32700),
    (b"[" * 64 + b"]" * 64, -32600), (b"null", -32600), (b"1", -32600), (b'"ping"', -32600),
    (b"{}", -32600), (b'{"jsonrpc":"2.0"}', -32600), (b'{"jsonrpc":"2.0","result":{}}', -32600),
    (b'{"jsonrpc":2.0,"method":"ping"}', -32600), (b'{"method":"ping"}', -32600),
    (b"[]", -32600), (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600), (b"[1,2]", -32600),
]
# The same, with an id that can be read and comes back.
NO_REQUESTS = [
    (b'{"jsonrpc":"1.0","id":7,"method":"ping"}', -32600), (b'{"jsonrpc":"2.0","id":7}', -32600),
    (b'{"jsonrpc":"2.0","id":7,"method":1}', -32600),
    (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}', -32600),
    (b'{"jsonrpc":"2.0","id":7,"method":"ping","params":null}', -32600),
    (b'{"jsonrpc":"2.0","id":7,"result":{},"error":{}}', -32600),
    (b'{"jsonrpc":"2.0","id":7,"result":[]}', -32600),
]
GOOD_IDS = [0, -1, 7, 2**63 - 1, -2**63, 2**64 - 1, "", "7", "\u00e9\u0000\n", "x" * 1024]
BAD_IDS = [b"null", b"true", b"1.5", b"1e2", b"[]", b"{}", b"18446744073709551616",
           b'"' + b"x" * 1025 + b'"', b"[7]", b"-0.0"]


def bomb(piece, size):
    """Far more values than bytes: as pieces, so that there is one copy of it."""
    return [b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":[',
            piece * (size // len(piece)), b"0]}}"]


def messages(scratch):
    """One of each kind; ids are put in by who sends them."""
    requests = []
    for method, params in [
            ("ping", {}), ("tools/list", {}), ("tools/list", {"cursor": "x"}),
            ("tools/call", {"name": "read_file", "arguments": {"path": "a"}}),
            ("tools/call", {"name": "read_file", "arguments": {"path": str(scratch / "secret")}}),
            ("tools/call", {"name": "write_file", "arguments": {"path": "n", "content": "x\n"}}),
            ("tools/call", {"name": "list_directory", "arguments": {"path": "."}}),
            ("resources/list", {}), ("resources/templates/list", {}),
            ("resources/read", {"uri": (scratch / "w" / "a").as_uri()}),
            ("completion/complete", {"ref": {"type": "ref/resource", "uri": "file:///{+path}"},
                                     "argument": {"name": "path", "value": str(scratch)}})]:
        if method != "ping":
            meta = stateless_meta({"elicitation": {"form": {}}})
            requests.append({"jsonrpc": "2.0", "id": 0, "method": method,
                             "params": {"_meta": meta, **params}})
        requests.append({"jsonrpc": "2.0", "id": 0, "method": method, "params": params})
    requests.append({"jsonrpc": "2.0", "id": 0, "method": "resources/subscribe",
                     "params": {"uri": (scratch / "w" / "a").as_uri()}})
    requests.append({"jsonrpc": "2.0", "id": 0, "method": "server/discover",
                     "params": {"_meta": stateless_meta()}})
    requests.append({"jsonrpc": "2.0", "id": 0, "method": "tools/call", "params": {
        "name": "read_file", "arguments": {"path": "a"}, "requestState": "e30=.00",
        "inputResponses": {"k": {"action": "accept"}}, "_meta": stateless_meta()}})
    return requests


STRANGE = [None, True, -1, 1.5, 1e308, 2**64, "", "\u0000", "\ud83d\ude00", "x" * 5000, [], {},
           [[[[]]]], {"": {"": None}}, "../../..", "file:///%00", "2026-07-28", "tools/call"]


def mutate_value(chance, value, depth=0):
    """Another value somewhere in it, or one more, or one less."""
    if not isinstance(value, (dict, list)) or not value or (depth and chance.random() < 0.2):
        return chance.choice(STRANGE)
    copy = value.copy()
    key = chance.choice(list(copy) if isinstance(copy, dict) else range(len(copy)))
    fate = chance.random()
    if fate < 0.15:
        del copy[key]
    elif fate < 0.3 and isinstance(copy, dict):
        copy[chance.choice(["_meta", "params", "id", "name", "x", "requestState"])] = copy[key]
    else:
        copy[key] = mutate_value(chance, copy[key], depth + 1)
    return copy


def mutate_bytes(chance, line):
    line = bytearray(line)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(line) + 1)
        fate = chance.random()
        if fate < 0.3 and place < len(line):
            line[place] = chance.randrange(256)
        elif fate < 0.5:
            del line[place:place + chance.randint(1, 20)]
        elif fate < 0.8:
            line[place:place] = chance.choice([b'"', b"{", b"]", b"\\", b"\xff", b",", b"\\u0000",
                                               b"1e9", b"[" * 70, b"\x00", b'"id":5,'])
        else:
            line[place:place] = line[:place][-chance.randint(1, 40):]
    return bytes(line).replace(b"\n", b" ").replace(b"\r", b" ")


def mutant(chance, message):
    if chance.random() < 0.5:
        return json.dumps(mutate_value(chance, message)).encode()
    return mutate_bytes(chance, json.dumps(message).encode())


def strictly(pairs):
    """An object, without doubled names: of those it is open which counts where."""
    if len(dict(pairs)) != len(pairs):
        raise KeyError("doubled")
    return dict(pairs)


def nothing(_):
    raise ValueError


def verdict(line):
    """(kind, id): "request", "silent", "error", or "open" where readers of JSON may differ."""
    if not line.strip(b" \t"):
        return "silent", None
    try:
        value = json.loads(line.decode("utf-8"), object_pairs_hook=strictly,
                           parse_constant=nothing)
    except KeyError:
        return "open", None
    except ValueError:
        return "error", None
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except ValueError:  # half a surrogate pair, a number beyond all numbers
        return "open", None
    if not isinstance(value, dict):
        return "error", None
    name = value.get("id")
    number = isinstance(name, int) and not isinstance(name, bool) and -2**63 <= name < 2**64
    text = isinstance(name, str) and len(name.encode()) <= 1024
    if "id" in value and not (number or text):
        return "error", None
    if value.get("jsonrpc") != "2.0":
        return "error", name
    if "method" not in value:
        answers = "id" in value and ("result" in value) != ("error" in value)
        if answers and isinstance(value.get("result", {}), dict):
            return "silent", None
        return "error", name
    if not isinstance(value["method"], str) or not isinstance(value.get("params", {}), dict):
        return "error", name
    return ("request" if "id" in value else "silent"), name
