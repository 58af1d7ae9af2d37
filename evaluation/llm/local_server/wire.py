"""Requests and replies between the HTTP server and what answers them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from evaluation.llm.local_server.protocols import error_body
from evaluation.llm.local_server.script import Cut
from evaluation.llm.protocol import JsonObject

JSON_TYPE = "application/json"
LINES_TYPE = "application/x-jsonl"


@dataclass(frozen=True)
class Request:
    """A request as it came in; header names are in lower case, `url` is the server's own address."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    content: bytes
    url: str

    @cached_property
    def body(self) -> JsonObject | None:
        """The content as a JSON object, None where it is none."""
        try:
            body = json.loads(self.content)
        except ValueError:
            return None
        return body if isinstance(body, dict) else None


@dataclass(frozen=True)
class Reply:
    """What goes back; `delay`, `drip` and `cut` as in a scripted step."""

    status: int
    content: bytes
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0
    cut: Cut = Cut.NOWHERE


def said(body: object) -> Reply:
    """Return a reply with JSON."""
    return Reply(200, json.dumps(body).encode())


def lines(rows: list[JsonObject]) -> Reply:
    """Return a reply with a line of JSON for each row."""
    return Reply(200, lines_of(rows), {"content-type": LINES_TYPE})


def lines_of(rows: list[JsonObject]) -> bytes:
    """Return rows as lines of JSON."""
    return "".join(f"{json.dumps(row)}\n" for row in rows).encode()


def refused(request: Request, status: int, message: str) -> Reply:
    """Return an error as the protocol of the request words it."""
    return Reply(status, json.dumps(error_body(request.path, status, message)).encode())
