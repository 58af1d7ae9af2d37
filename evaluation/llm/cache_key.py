"""The key under which an answered call may be reused."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict

from evaluation.llm.protocol import ChatRequest
from evaluation.schemas import JudgeSettings, RubricText


def cache_key(judge: JudgeSettings, request: ChatRequest, *, sample: int = 0) -> str:
    """Return the key of a request: equal keys mean that the same judge is asked the same.

    Parameters
    ----------
    judge : JudgeSettings
        Gives provider and address; its name does not count.
    request : ChatRequest
        Gives model, parameters, token limit, schema, prompt file, the system text (persona, question, labels,
        guidelines) and the subject, which is the content before fencing.
    sample : int, optional
        Which of several samples of a voter is asked for, counted from 0: each needs a reply of its own.

    Returns
    -------
    str
        64 hexadecimal digits.

    Notes
    -----
    Fences are left out, so that a new secret keeps the cache. Every rubric entry shown counts by its hash; an entry
    that is not shown does not, though the prompt names it. Parameters count in any order; 1 and 1.0 are two values.
    """
    subject = asdict(request.subject) | {"rubric": [rubric_hash(entry) for entry in request.subject.rubric]}
    del subject["rubric_left_out"]
    matter = {
        "provider": judge.provider,
        "base_url": judge.base_url,
        "model": request.model,
        "parameters": dict(request.parameters),
        "max_tokens": request.max_tokens,
        "schema": request.schema,
        "prompt": request.prompt.sha256 if request.prompt else None,
        "system": [asdict(part) for message in request.messages if message.role == "system" for part in message.parts],
        "subject": subject,
        "sample": sample,
    }
    return _sha256(matter)


def rubric_hash(entry: RubricText) -> str:
    """Return the hash of a rubric entry as judges read it: identity, version and every text."""
    return _sha256(asdict(entry))


def _sha256(matter: object) -> str:
    text = json.dumps(matter, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
