"""Batches as Anthropic has them: requests come in one body, results are lines under an address of their own."""

from __future__ import annotations

import json
import re
import threading
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime

from evaluation.llm.local_server.answering import Answering, Outcome
from evaluation.llm.local_server.batching import Batch, Item, page_of
from evaluation.llm.local_server.protocols import ANTHROPIC_PATH
from evaluation.llm.local_server.wire import Reply, Request, lines, refused, said
from evaluation.llm.protocol import JsonObject

BATCHES_PATH = f"{ANTHROPIC_PATH}/batches"
_CUSTOM_ID = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_DAY = 86_400


class AnthropicBatches:
    """Keeps batches in memory; `seconds` is how long one takes."""

    def __init__(self, answering: Answering, seconds: float) -> None:
        self._answering = answering
        self._seconds = seconds
        self._batches: dict[str, Batch] = {}
        self._lock = threading.Lock()

    def create(self, request: Request) -> Reply:
        """POST /v1/messages/batches; one bad id refuses the whole batch, as at Anthropic."""
        rows = (request.body or {}).get("requests")
        items = [_item(row) for row in rows] if isinstance(rows, list) else []
        ids = Counter(item.custom_id for item in items if item is not None)
        if not items or None in items or len(ids) < len(items):
            said_of_ids = "with a custom_id of their own (letters, digits, - and _, at most 64) and params"
            return refused(request, 400, f"requests: a list is needed, each {said_of_ids}.")
        batch = Batch("msgbatch_", [item for item in items if item is not None], self._seconds)
        with self._lock:
            self._batches[batch.id] = batch
            return said(self._as_json(batch, request.url))

    def retrieve(self, request: Request, name: str) -> Reply:
        """GET or DELETE /v1/messages/batches/{id}; only one that has ended can be deleted."""
        if request.method == "GET":
            return self._told(request, name, lambda _: None)
        with self._lock:
            batch = self._batches.get(name)
            if batch is None or not batch.settle(self._answering):
                return refused(request, 404 if batch is None else 400, f"Batch {name} is unknown or has not ended.")
            del self._batches[name]
        return said({"id": name, "type": "message_batch_deleted"})

    def cancel(self, request: Request, name: str) -> Reply:
        """POST /v1/messages/batches/{id}/cancel."""
        return self._told(request, name, Batch.cancel)

    def results(self, request: Request, name: str) -> Reply:
        """GET /v1/messages/batches/{id}/results."""
        with self._lock:
            batch = self._batches.get(name)
            if batch is None or not batch.settle(self._answering):
                return refused(request, 404, f"Batch {name} has no results: it is unknown or has not ended.")
            return lines([{"custom_id": custom_id, "result": _result(each)} for custom_id, each in batch.shuffled()])

    def list(self, request: Request) -> Reply:
        """GET /v1/messages/batches, newest first."""
        with self._lock:
            batches = list(self._batches.values())
            page, has_more = page_of(batches, request.query.get("after_id", ""), request.query.get("limit", ""))
            data = [self._as_json(batch, request.url) for batch in page]
        ids: list[str | None] = [each["id"] for each in data] or [None]
        return said({"data": data, "has_more": has_more, "first_id": ids[0], "last_id": ids[-1]})

    def _told(self, request: Request, name: str, change: Callable[[Batch], None]) -> Reply:
        with self._lock:
            if (batch := self._batches.get(name)) is None:
                return refused(request, 404, f"Batch {name} is unknown.")
            change(batch)
            return said(self._as_json(batch, request.url))

    def _as_json(self, batch: Batch, url: str) -> JsonObject:
        has_ended = batch.settle(self._answering)
        status = "ended" if has_ended else "in_progress" if batch.cancelled_at is None else "canceling"
        kinds = Counter(str(_result(each)["type"]) for each in batch.outcomes.values())
        counts = {kind: kinds[kind] for kind in ("succeeded", "errored", "canceled", "expired")}
        return {
            "id": batch.id,
            "type": "message_batch",
            "processing_status": status,
            "request_counts": {"processing": 0 if has_ended else len(batch.items), **counts},
            "created_at": _moment(batch.created_at),
            "expires_at": _moment(batch.created_at + _DAY),
            "ended_at": _moment(batch.ends_at) if has_ended else None,
            "archived_at": None,
            "cancel_initiated_at": None if batch.cancelled_at is None else _moment(batch.cancelled_at),
            "results_url": f"{url}{BATCHES_PATH}/{batch.id}/results" if has_ended else None,
        }


def _item(row: object) -> Item | None:
    if not isinstance(row, dict) or not isinstance(row.get("params"), dict):
        return None
    custom_id = str(row.get("custom_id"))
    return Item(custom_id, ANTHROPIC_PATH, row["params"]) if _CUSTOM_ID.fullmatch(custom_id) else None


def _result(outcome: Outcome | None) -> JsonObject:
    if outcome is None:
        return {"type": "canceled"}
    if outcome.step.done == "expired":
        return {"type": "expired"}
    body = json.loads(outcome.content)
    return {"type": "succeeded", "message": body} if outcome.step.status == 200 else {"type": "errored", "error": body}


def _moment(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat()
