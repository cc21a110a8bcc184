"""Lines to objects by plain ``json``: what a line holds, whatever state it is in."""

import json
import re

EDGES = " \t\r\n\x0b\x0c\x00"
RECORD_STARTS = re.compile(r'\{"(?:parentUuid|type|sessionId|uuid|timestamp|isSidechain|message)"')


def parse_int(text):
    """An integer, or None for one no machine means."""
    return int(text) if len(text) < 400 else None


def parse_float(text):
    """A finite number, or None."""
    value = float(text)
    return None if value in (float("inf"), float("-inf")) else value


DECODER = json.JSONDecoder(strict=False, parse_int=parse_int, parse_float=parse_float, parse_constant=lambda _: None)


def decode_at(text, at):
    """The value at a place and where it ends, or None."""
    try:
        return DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return None


def read_line(raw):
    """(records and damages in order, flaw) of one line of bytes."""
    text = raw.decode("utf-8", "replace").strip(EDGES)
    while text.startswith("\ufeff"):
        text = text[1:].strip(EDGES)
    if not text:
        return [], ""
    flaw = "nul" if b"\0" in raw else ""
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        flaw = "invalid_utf8"
    escaped = re.search(r"\\u[dD][89a-fA-F]", text)
    return [cleaned(part) if escaped else part for part in split(text)], flaw


def cleaned(part):
    """The part without lone surrogates, a damage where it is nested too deep for that."""
    try:
        return clean(part)
    except RecursionError:
        return "not_json"


def split(text):
    """The objects of a line; "not_json" or "not_object" for what is none."""
    if text[0] != "{":
        whole = decode_at(text, 0)
        if whole is not None and not text[whole[1] :].strip(EDGES):
            return ["not_object"]
        start = glued_start(text, 0)
        return ["not_json"] + (split(text[start:]) if start is not None else [])
    parts = []
    while text:
        found = decode_at(text, 0)
        if found is not None:
            parts.append(found[0])
            text = text[found[1] :].lstrip(" \t\r\n\x00")
            if not text or text[0] == "{":
                continue
            start = glued_start(text, 0)
        else:
            start = glued_start(text, 1)
        parts.append("not_json")
        text = text[start:] if start is not None else ""
    return parts


def glued_start(text, at):
    """Where a whole record begins from which on the line is whole records to its end."""
    for found in list(RECORD_STARTS.finditer(text, at))[:64]:
        rest = text[found.start() :]
        while rest:
            decoded = decode_at(rest, 0)
            if decoded is None or not isinstance(decoded[0], dict) or not {"uuid", "sessionId"} & set(decoded[0]):
                break
            rest = rest[decoded[1] :].lstrip(" \t\r\n\x00")
        else:
            return found.start()
    return None


def clean(value):
    """The value without lone surrogates."""
    if isinstance(value, str):
        return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in value)
    if isinstance(value, list):
        return [clean(item) for item in value]
    if isinstance(value, dict):
        return {clean(key): clean(item) for key, item in value.items()}
    return value
