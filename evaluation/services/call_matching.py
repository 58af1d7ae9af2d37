"""Compares the ledger with the log of the local server, call by call: what was sent, what came, and in which order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from django.db.models import QuerySet

from evaluation.llm.local_server.journal import Entry
from evaluation.llm.local_server.reading import digest_of_text
from evaluation.models import Call, Job, Run

Key = tuple[str, tuple[str, ...]]

_FINISHES = {"truncated": "length", "refused": "refused"}
_REASONS = {
    "rate_limited": {"rate_limit"},
    "malformed_body": {"server", "parse"},
    "cut": {"server", "timeout"},
    "server_error": {"server", "timeout"},
    "error": {"server", "timeout", "auth", "config", "context_length"},
}
_IN_ORDER = {"answered": "stop", "wrong_shape": "stop", "malformed_text": "stop", **_FINISHES}


def calls_of(run: Run) -> QuerySet[Call]:
    """The calls of a run for which something was sent, with what they were about."""
    sent = Call.objects.filter(job__run=run, source=None).select_related("judge", "job__response")
    return sent.prefetch_related("job__claims").order_by("pk")


def disagreements(*, calls: Iterable[Call], log: Iterable[Entry]) -> list[str]:
    """What ledger and server tell differently, as sentences; none where they agree.

    Calls are told apart by their model and by the texts they are about. For each of these the two must have the same
    calls in the same order, each with a state, reason and usage that follow from what the server did. A call that the
    ledger has as sent or unconfirmed may be in the log or not: its worker died between the commit and the reply.
    """
    ledger: dict[Key, list[Call]] = defaultdict(list)
    for call in calls:
        ledger[_key(call)].append(call)
    server: dict[Key, list[Entry]] = defaultdict(list)
    for entry in sorted(log, key=lambda each: each.number):
        server[(entry.model, entry.about)].append(entry)
    return [
        f"{key[0]}, {'+'.join(key[1]) or 'no text'}: the ledger has {_told(ledger[key])}, "
        f"the server {', '.join(entry.done for entry in server[key]) or 'nothing'}."
        for key in sorted({*ledger, *server})
        if not _agree(ledger[key], server[key])
    ]


def _key(call: Call) -> Key:
    job = call.job
    if job.task == Job.Task.DECOMPOSE and job.response is not None:
        return call.judge.model, (digest_of_text(job.response.text),)
    claims = sorted(job.claims.all(), key=lambda claim: (claim.position, claim.pk))
    return call.judge.model, tuple(digest_of_text(claim.text) for claim in claims)


def _agree(calls: Sequence[Call], entries: Sequence[Entry]) -> bool:
    """Whether every entry is some call, in order, and every call but lost ones is some entry."""
    reached = {0}
    for call in calls:
        is_lost = call.state in (Call.State.SENT, Call.State.UNCONFIRMED)
        further = {n + 1 for n in reached if n < len(entries) and (is_lost or _fits(call, entries[n]))}
        reached = further | (reached if is_lost else set())
    return len(entries) in reached


def _fits(call: Call, entry: Entry) -> bool:
    if call.state == Call.State.FAILED:
        return entry.done in ("expired", "cancelled") or call.reason in _REASONS.get(entry.done, ())
    if call.state != Call.State.ANSWERED or call.finish_reason != _IN_ORDER.get(entry.done):
        return False
    return (call.input_tokens, call.output_tokens) == (entry.input_tokens, entry.output_tokens)


def _told(calls: Sequence[Call]) -> str:
    return ", ".join(f"{call.state} {call.reason or call.finish_reason}".strip() for call in calls) or "nothing"
