"""Whether data is what a schema of ours declares: the few words our schemas use."""

TYPES = {"string": str, "integer": int, "boolean": bool, "array": list, "object": dict}


def faults(schema, value, place="data"):
    kind = TYPES[schema["type"]]
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        return [f"{place} is no {schema['type']}"]
    if "enum" in schema and value not in schema["enum"]:
        return [f"{place} is none of {schema['enum']}"]
    found = []
    if kind is list:
        for index, one in enumerate(value):
            found += faults(schema["items"], one, f"{place}[{index}]")
    if kind is dict:
        for name in schema.get("required", []):
            if name not in value:
                found.append(f"{place}.{name} is missing")
        for name, one in value.items():
            if name in schema["properties"]:
                found += faults(schema["properties"][name], one, f"{place}.{name}")
            elif schema.get("additionalProperties") is False:
                found.append(f"{place}.{name} is not declared")
    return found
