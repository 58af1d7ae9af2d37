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
class Tokens:
    """The usage that a reply states; nobody checks it, so it may be a lie and need not even be a number."""

    input: int | str | None
    output: int | str | None
    cached: int | str | None = 0
    written: int | str | None = 0


@dataclass(frozen=True)
class Step:
    """One scripted answer.

    Without `text`, `answer` and `raw` the built-in rule judges. `answer` is sent as structured output the way the
    protocol does it, `text` as plain text, `raw` as the whole body; with `is_halved` the second half of the text is
    missing. `finish` is stop, length or refused. `tokens` is the usage stated, None the one counted. `delay` is the
    wait in seconds before the first byte, `drip` the seconds over which the body trickles in. `did` is the word for
    it in the log.
    """

    text: str | None = None
    answer: JsonObject | None = None
    raw: bytes | None = None
    status: int = 200
    message: str = "scripted failure"
    finish: str = "stop"
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0
    cut: Cut = Cut.NOWHERE
    tokens: Tokens | None = None
    is_halved: bool = False
    did: str = ""

    @property
    def done(self) -> str:
        """What the log says was done: `did`, else what follows from the fields."""
        if self.did:
            return self.did
        if self.cut:
            return "cut"
        if self.status != 200:
            return "rate_limited" if self.status == 429 else "error"
        return {"length": "truncated", "refused": "refused"}.get(self.finish, "answered")


@dataclass(frozen=True)
class Received:
    """One request as it came in; header names are in lower case."""

    path: str
    headers: Mapping[str, str]
    body: JsonObject
