"""What a request of any of the three protocols says: its texts, the schema it asks for, and the claims it is about."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator

from evaluation.llm.fence import read_fenced, unfenced
from evaluation.llm.protocol import JsonObject

_CHARACTERS_PER_TOKEN = 4
_SCHEMA_START = re.compile(r"\{\s*\"")


def prompt_text(body: JsonObject) -> str:
    """Return every text of a request, one after the other."""
    return "\n\n".join(text for _, text in _turns(body))


def told_text(body: JsonObject) -> str:
    """Return every text of a request that the judge did not say itself."""
    return "\n\n".join(text for role, text in _turns(body) if role != "assistant")


def tokens_of(text: str) -> int:
    """Return a rough count of the tokens of a text."""
    return -(-len(text) // _CHARACTERS_PER_TOKEN)


def schema_of(body: JsonObject, prompt: str) -> JsonObject:
    """Return the schema asked for, wherever it stands: in a field, in a tool, or in the text for plain servers."""
    places = (
        _within(body, "response_format", "json_schema", "schema"),
        _within(body, "text", "format", "schema"),
        _within(body, "output_config", "format", "schema"),
        (tool_of(body) or {}).get("input_schema"),
    )
    return next((found for found in places if isinstance(found, dict)), None) or _written_out(prompt)


def tool_of(body: JsonObject) -> JsonObject | None:
    """Return the first tool of a request that takes input of a schema, as the Anthropic protocol writes it."""
    tools = body.get("tools")
    named = [tool for tool in tools if isinstance(tool, dict)] if isinstance(tools, list) else []
    return next((tool for tool in named if isinstance(tool.get("input_schema"), dict)), None)


def about(schema: JsonObject, prompt: str) -> tuple[str, ...]:
    """Return what a request is about: a digest of each claim it asks about, or of the response it wants cut."""
    wanted = schema.get("properties", {})
    if wanted and not {"verdicts", "claims"} & set(wanted):
        return ()
    blocks = read_fenced(prompt)
    asked = _within(schema, "properties", "verdicts", "items", "properties", "claim", "enum")
    names = {f"claim {ref}" for ref in asked} if isinstance(asked, list) else None
    shown = [block for block in blocks if block.name.startswith("claim ") and (names is None or block.name in names)]
    shown = shown or [block for block in blocks if block.name == "response"]
    return tuple(digest_of_text(block.content) for block in shown)


def digest_of_text(text: str) -> str:
    """Return a short digest by which the log names a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _turns(body: JsonObject) -> Iterator[tuple[str, str]]:
    for name in ("system", "instructions"):
        if text := _flat(body.get(name, "")):
            yield "system", text
    turns = body.get("messages", body.get("input", []))
    if isinstance(turns, str):
        yield "user", turns
    for turn in turns if isinstance(turns, list) else []:
        if isinstance(turn, dict):
            yield str(turn.get("role", "user")), _flat(turn.get("content", ""))


def _flat(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return ""


def _within(value: object, *names: str) -> object:
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _written_out(prompt: str) -> JsonObject:
    """Find a schema among the prompt's own words; what is fenced is not ours."""
    words, decoder = unfenced(prompt), json.JSONDecoder()
    if '"properties"' not in words:
        return {}
    for start in _SCHEMA_START.finditer(words):
        try:
            found, _ = decoder.raw_decode(words, start.start())
        except ValueError:
            continue
        if isinstance(found, dict) and isinstance(found.get("properties"), dict):
            return found
    return {}
