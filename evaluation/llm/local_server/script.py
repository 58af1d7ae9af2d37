"""What the local server is told to do with one request, and what it remembers of one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from evaluation.llm.protocol import JsonObject


class Cut(StrEnum):
    """Where a connection breaks off."""

    NOWHERE = ""
    BEFORE_REPLY = "before"
    WITHIN_REPLY = "within"


@dataclass(frozen=True)
class Step:
    """One scripted answer.

    Without `text`, `answer` and `raw` the built-in rule judges. `answer` is sent as structured output the way the
    protocol does it, `text` as plain text, `raw` as the whole body. `finish` is stop, length or refused; `delay` is
    the wait in seconds before the first byte.
    """

    text: str | None = None
    answer: JsonObject | None = None
    raw: bytes | None = None
    status: int = 200
    message: str = "scripted failure"
    finish: str = "stop"
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    cut: Cut = Cut.NOWHERE


@dataclass(frozen=True)
class Received:
    """One request as it came in; header names are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: JsonObject
