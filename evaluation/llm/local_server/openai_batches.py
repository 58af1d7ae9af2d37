"""Files and batches as OpenAI has them: requests are uploaded as lines, replies are files of lines."""

from __future__ import annotations

import json
import re
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from evaluation.llm.local_server.answering import Answering
from evaluation.llm.local_server.batching import Batch, Item, page_of
from evaluation.llm.local_server.protocols import OPENAI_PATH, RESPONSES_PATH
from evaluation.llm.local_server.wire import LINES_TYPE, Reply, Request, lines_of, refused, said
from evaluation.llm.protocol import JsonObject

FILES_PATH = "/v1/files"
BATCHES_PATH = "/v1/batches"
ENDPOINTS = (OPENAI_PATH, RESPONSES_PATH)
_DAY = 86_400
_NAME = re.compile(rb'name="(?P<name>[^"]*)"(?:;\s*filename="(?P<file>[^"]*)")?')


@dataclass(frozen=True)
class _File:
    name: str
    purpose: str
    content: bytes
    id: str = field(default_factory=lambda: f"file-{secrets.token_hex(12)}")
    created_at: float = field(default_factory=time.time)

    def as_json(self) -> JsonObject:
        return {
            "id": self.id,
            "object": "file",
            "bytes": len(self.content),
            "created_at": int(self.created_at),
            "filename": self.name,
            "purpose": self.purpose,
            "status": "processed",
        }


@dataclass
class _Kept:
    """A batch with what OpenAI says of it besides."""

    batch: Batch
    order: JsonObject
    errors: list[JsonObject]
    output: str | None = None
    error_file: str | None = None
    n_failed: int = 0


class OpenAIBatches:
    """Keeps files and batches in memory; `seconds` is how long a batch takes."""

    def __init__(self, answering: Answering, seconds: float) -> None:
        self._answering = answering
        self._seconds = seconds
        self._files: dict[str, _File] = {}
        self._kept: dict[str, _Kept] = {}
        self._lock = threading.Lock()

    def upload(self, request: Request) -> Reply:
        """POST /v1/files."""
        parts = _parts(request)
        name, content = parts.get("file", ("", b""))
        purpose = parts.get("purpose", ("", b""))[1].decode()
        if "file" not in parts or not purpose:
            return refused(request, 400, "A form with a file and its purpose is needed.")
        return said(self._store(_File(name, purpose, content)).as_json())

    def file(self, request: Request, name: str) -> Reply:
        """GET or DELETE /v1/files/{id}."""
        found = self._files.get(name)
        if found is None:
            return refused(request, 404, f"No such file: {name}.")
        if request.method == "DELETE":
            del self._files[name]
            return said({"id": name, "object": "file", "deleted": True})
        return said(found.as_json())

    def content(self, request: Request, name: str) -> Reply:
        """GET /v1/files/{id}/content."""
        found = self._files.get(name)
        if found is None:
            return refused(request, 404, f"No such file: {name}.")
        return Reply(200, found.content, {"content-type": LINES_TYPE})

    def create(self, request: Request) -> Reply:
        """POST /v1/batches; lines that cannot be read make the batch fail, as at OpenAI, not the request."""
        order = request.body or {}
        source = self._files.get(str(order.get("input_file_id")))
        endpoint = str(order.get("endpoint"))
        if source is None or endpoint not in ENDPOINTS:
            known = " or ".join(ENDPOINTS)
            return refused(request, 400, f"A batch needs an input_file_id that exists and the endpoint {known}.")
        items, errors = _items(source.content, endpoint)
        batch = Batch("batch_", [] if errors else items, self._seconds)
        with self._lock:
            self._kept[batch.id] = _Kept(batch, order, errors)
            return said(self._as_json(self._kept[batch.id]))

    def retrieve(self, request: Request, name: str) -> Reply:
        """GET /v1/batches/{id}."""
        return self._told(request, name, lambda _: None)

    def cancel(self, request: Request, name: str) -> Reply:
        """POST /v1/batches/{id}/cancel."""
        return self._told(request, name, lambda kept: kept.batch.cancel())

    def list(self, request: Request) -> Reply:
        """GET /v1/batches, newest first."""
        with self._lock:
            batches = [kept.batch for kept in self._kept.values()]
            page, has_more = page_of(batches, request.query.get("after", ""), request.query.get("limit", ""))
            data = [self._as_json(self._kept[batch.id]) for batch in page]
        ids: list[str | None] = [each["id"] for each in data] or [None]
        return said({"object": "list", "data": data, "first_id": ids[0], "last_id": ids[-1], "has_more": has_more})

    def _told(self, request: Request, name: str, change: Callable[[_Kept], None]) -> Reply:
        with self._lock:
            if (kept := self._kept.get(name)) is None:
                return refused(request, 404, f"No batch found with id '{name}'.")
            change(kept)
            return said(self._as_json(kept))

    def _store(self, file: _File) -> _File:
        self._files[file.id] = file
        return file

    def _as_json(self, kept: _Kept) -> JsonObject:
        batch = kept.batch
        self._settle(kept)
        ended = {"failed": "failed_at", "completed": "completed_at", "cancelled": "cancelled_at"}
        status = _status(kept)
        n_done = batch.n_done - kept.n_failed if batch.has_ended else batch.n_done
        moments = {moment: int(batch.ends_at) if status == name else None for name, moment in ended.items()}
        return {
            "id": batch.id,
            "object": "batch",
            "endpoint": kept.order.get("endpoint"),
            "input_file_id": kept.order.get("input_file_id"),
            "completion_window": kept.order.get("completion_window", "24h"),
            "metadata": kept.order.get("metadata"),
            "status": status,
            "errors": {"object": "list", "data": kept.errors} if kept.errors else None,
            "output_file_id": kept.output,
            "error_file_id": kept.error_file,
            "created_at": int(batch.created_at),
            "in_progress_at": None if kept.errors else int(batch.created_at),
            "expires_at": int(batch.created_at) + _DAY,
            **moments,
            "cancelling_at": None if batch.cancelled_at is None else int(batch.cancelled_at),
            "request_counts": {"total": len(batch.items), "completed": n_done, "failed": kept.n_failed},
        }

    def _settle(self, kept: _Kept) -> None:
        """Answer a batch whose time has come and keep its two files."""
        was_open = not kept.batch.has_ended
        if kept.errors or not kept.batch.settle(self._answering) or not was_open:
            return
        good: list[JsonObject] = []
        bad: list[JsonObject] = []
        for custom_id, outcome in kept.batch.shuffled():
            row: JsonObject = {"id": f"batch_req_{secrets.token_hex(8)}", "custom_id": custom_id, "error": None}
            if outcome is None:
                continue
            if outcome.step.done == "expired":
                error = {"code": "batch_expired", "message": "This request could not be executed before it expired."}
                bad.append({**row, "response": None, "error": error})
                continue
            status = outcome.step.status
            response = {"status_code": status, "request_id": "req_local", "body": json.loads(outcome.content)}
            (good if status == 200 else bad).append({**row, "response": response})
        kept.n_failed = len(bad)
        for rows, name in ((good, "output"), (bad, "error_file")):
            if rows:
                file = self._store(_File(f"{kept.batch.id}_{name}.jsonl", "batch_output", lines_of(rows)))
                setattr(kept, name, file.id)


def _status(kept: _Kept) -> str:
    if kept.errors:
        return "failed"
    if kept.batch.has_ended:
        return "completed" if kept.batch.cancelled_at is None else "cancelled"
    return "in_progress" if kept.batch.cancelled_at is None else "cancelling"


def _items(content: bytes, endpoint: str) -> tuple[list[Item], list[JsonObject]]:
    """Read the lines of an input file; one that is wrong is reported with its number."""
    items: dict[str, Item] = {}
    errors: list[JsonObject] = []
    for number, line in enumerate(content.splitlines(), start=1):
        try:
            row = json.loads(line)
            custom_id, path, body = str(row["custom_id"]), row["url"], row["body"]
        except (ValueError, KeyError, TypeError):
            errors.append(_error("invalid_json_line", "This line is no request of a batch.", number))
            continue
        if custom_id in items:
            errors.append(_error("duplicate_custom_id", f"The custom_id {custom_id} is used twice.", number))
        elif path != endpoint or not isinstance(body, dict):
            errors.append(_error("mismatched_endpoint", f"The url is {path}, but must be {endpoint}.", number))
        else:
            items[custom_id] = Item(custom_id, endpoint, body)
    if not items and not errors:
        errors.append(_error("empty_file", "The input file has no line.", None))
    return list(items.values()), errors


def _error(code: str, message: str, line: int | None) -> JsonObject:
    return {"code": code, "message": message, "param": None, "line": line}


def _parts(request: Request) -> dict[str, tuple[str, bytes]]:
    """Return the parts of a form by name: the name of a file, and the content."""
    _, _, boundary = request.headers.get("content-type", "").partition("boundary=")
    found: dict[str, tuple[str, bytes]] = {}
    if not boundary:
        return found
    for part in request.content.split(b"--" + boundary.strip('"').encode()):
        head, _, content = part.partition(b"\r\n\r\n")
        if named := _NAME.search(head):
            found[named["name"].decode()] = ((named["file"] or b"").decode(), content.removesuffix(b"\r\n"))
    return found
