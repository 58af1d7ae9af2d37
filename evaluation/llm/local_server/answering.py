"""Decides what each request gets: the next step of a script, what the limits and faults say, or the rule's answer."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from evaluation.llm.local_server.faults import Faults
from evaluation.llm.local_server.journal import Entry, Journal
from evaluation.llm.local_server.judging import Question, answered
from evaluation.llm.local_server.obedient import obeyed
from evaluation.llm.local_server.protocols import ANTHROPIC_PATH, REPLIES, error_body, said
from evaluation.llm.local_server.quota import Quota
from evaluation.llm.local_server.reading import about, prompt_text, schema_of, tokens_of, told_text
from evaluation.llm.local_server.script import Step, Tokens
from evaluation.llm.protocol import JsonObject

_IN_BATCHES = {"rate_limited": "answered", "cut": "answered", "malformed_body": "malformed_text"}


@dataclass(frozen=True)
class Behaviour:
    """How the server behaves where nothing is scripted; `batch_seconds` is how long a batch takes."""

    faults: Faults = field(default_factory=Faults)
    quota: Quota = field(default_factory=Quota)
    is_obedient: bool = False
    batch_seconds: float = 0.0


@dataclass(frozen=True)
class Outcome:
    """What a request gets: the step that was chosen and the body that is sent for it."""

    step: Step
    content: bytes


class Answering:
    """Answers judging requests, single ones and those of batches, and keeps the journal; safe in many threads."""

    def __init__(self, behaviour: Behaviour, journal: Journal) -> None:
        self.steps: deque[Step] = deque()
        self.batch_steps: deque[Step] = deque()
        self._behaviour = behaviour
        self._journal = journal
        self._lock = threading.Lock()
        self._asked: Counter[str] = Counter()
        self._number = 0

    def single(self, path: str, body: JsonObject) -> Outcome:
        """Answer a request that came by itself."""
        asked = _Asked.of(path, body)
        with self._lock:
            step = self.steps.popleft() if self.steps else None
        if step is None:
            step = self._let_through(asked)
        if step.done == "expired":  # only what is in a batch expires
            step = replace(step, did="answered")
        return self._given(asked, step, "")

    def batched(self, path: str, body: JsonObject, batch: str) -> Outcome:
        """Answer a request of a batch: what only befalls connections does not befall it."""
        asked = _Asked.of(path, body)
        with self._lock:
            step = self.batch_steps.popleft() if self.batch_steps else None
        if step is None:
            step = self._drawn(asked)
            if instead := _IN_BATCHES.get(step.done):
                step = Step(did=instead, text="No answer." if instead == "malformed_text" else None)
        return self._given(asked, replace(step, headers={}), batch)

    def left_undone(self, path: str, body: JsonObject, batch: str) -> None:
        """Note that a request of a batch was cancelled before it was answered."""
        self._given(_Asked.of(path, body), Step(status=499, did="cancelled"), batch)

    def _let_through(self, asked: _Asked) -> Step:
        """Let the limits speak, then chance; either way the limits are announced."""
        standing = self._behaviour.quota.take(asked.model, tokens_of(asked.prompt))
        is_anthropic = asked.path == ANTHROPIC_PATH
        headers = standing.anthropic_headers(datetime.now(UTC)) if is_anthropic else standing.openai_headers()
        if standing.wait:
            return Step(status=429, message="Rate limit per minute reached.", headers=headers, did="rate_limited")
        step = self._drawn(asked)
        return replace(step, headers={**headers, **step.headers}) if headers else step

    def _drawn(self, asked: _Asked) -> Step:
        with self._lock:
            nth = self._asked[asked.digest]
            self._asked[asked.digest] += 1
        return self._behaviour.faults.step(asked.digest, nth)

    def _given(self, asked: _Asked, step: Step, batch: str) -> Outcome:
        content, tokens = self._written(asked, step)
        with self._lock:
            self._number += 1
            entry = Entry(
                number=self._number,
                at=time.time(),
                path=asked.path,
                model=asked.model,
                digest=asked.digest,
                about=asked.about,
                done=step.done,
                status=0 if step.cut else step.status,
                input_tokens=tokens.input,
                output_tokens=tokens.output,
                batch=batch,
            )
            self._journal.write(entry)
        return Outcome(step, content)

    def _written(self, asked: _Asked, step: Step) -> tuple[bytes, Tokens]:
        if step.raw is not None:
            return step.raw, Tokens(0, 0)
        if step.status != 200:
            return json.dumps(error_body(asked.path, step.status, step.message)).encode(), Tokens(0, 0)
        reply = said(step, asked.prompt, lambda: self._judged(asked))
        return json.dumps(REPLIES[asked.path](asked.body, reply)).encode(), reply.tokens

    def _judged(self, asked: _Asked) -> JsonObject:
        verdict = obeyed(told_text(asked.body)) if self._behaviour.is_obedient else None
        return answered(Question(asked.model, asked.prompt, asked.schema, verdict))


@dataclass(frozen=True)
class _Asked:
    """A request with what is read from it."""

    path: str
    body: JsonObject
    model: str
    prompt: str
    schema: JsonObject
    about: tuple[str, ...]
    digest: str

    @classmethod
    def of(cls, path: str, body: JsonObject) -> _Asked:
        prompt = prompt_text(body)
        schema = schema_of(body, prompt)
        return cls(path, body, str(body.get("model", "")), prompt, schema, about(schema, prompt), digest_of(path, body))


def digest_of(path: str, body: Mapping[str, object]) -> str:
    """Return a digest of a request, whatever the order of its keys."""
    text = json.dumps(body, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(f"{path}\n{text}".encode()).hexdigest()[:16]
