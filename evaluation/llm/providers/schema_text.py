"""Tells a schema in words, for servers that know no structured output."""

from __future__ import annotations

import json
from dataclasses import replace

from evaluation.llm.protocol import JsonObject, Message, TextPart

_DEMAND = "Answer with one JSON object that fits this JSON schema, and with nothing else:"


def told_schema(messages: tuple[Message, ...], schema: JsonObject | None) -> tuple[Message, ...]:
    """Return the messages with the schema as text at the end of the last user message; as they are without one."""
    if schema is None:
        return messages
    told = TextPart(f"{_DEMAND}\n{json.dumps(schema, ensure_ascii=False)}")
    last = max((place for place, message in enumerate(messages) if message.role == "user"), default=None)
    if last is None:
        return (*messages, Message("user", (told,)))
    asked = messages[last]
    return (*messages[:last], replace(asked, parts=(*asked.parts, told)), *messages[last + 1 :])
