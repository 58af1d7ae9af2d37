"""Stores opinions as verdicts and keeps one of them current per voter and claim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from evaluation.models import Call, Claim, Judge, Run, Verdict
from evaluation.schemas import Opinion, PromptStamp, VerdictState

Answered = frozenset[tuple[int, int, str, int]]


@dataclass(frozen=True)
class Asked:
    """How opinions came about: by which run, judge, order, prompt and rubric, and in which call."""

    run: Run
    judge: Judge
    order: str = "as_given"
    sample: int = 0
    purpose: str = Verdict.Purpose.VOTE
    prompt: PromptStamp | None = None
    rubric: tuple[tuple[int, int], ...] = ()  # (entry id, version) of each entry shown
    rubric_version: int | None = None  # that of the project when it was asked; None: the present one
    call: Call | None = None


def store(*, asked: Asked, opinions: Mapping[int, Opinion]) -> list[Verdict]:
    """Store one opinion per claim id, once per run; a cast vote takes over, a failed one never does."""
    return store_all(cast=[(asked, opinions)])


def store_all(*, cast: Sequence[tuple[Asked, Mapping[int, Opinion]]]) -> list[Verdict]:
    """Store the opinions of several askings of one run together; returns their rows, those there were included.

    The caller holds the project, so that nobody stores the same in between.
    """
    wanted = {_asking_of(each): each for each in _verdicts(cast)}
    if not wanted:
        return []
    rows = list(wanted.values())
    with transaction.atomic():
        there = Verdict.objects.filter(
            run=rows[0].run_id, claim__in={row.claim_id for row in rows}, judge__in={row.judge_id for row in rows}
        )
        known = [row for row in there.select_related("judge", "claim__outcome") if _asking_of(row) in wanted]
        for row in known:
            del wanted[_asking_of(row)]
        stored = [*known, *Verdict.objects.bulk_create(list(wanted.values()))]
        make_current([row for row in stored if row.purpose == Verdict.Purpose.VOTE])
    return stored


def _verdicts(cast: Sequence[tuple[Asked, Mapping[int, Opinion]]]) -> Iterator[Verdict]:
    for asked, opinions in cast:
        for claim_id, opinion in opinions.items():
            yield _verdict(asked, claim_id, opinion)


def _asking_of(verdict: Verdict) -> tuple[int, int, str, int, str]:
    return verdict.claim_id, verdict.judge_id, verdict.order, verdict.sample, verdict.purpose


def _verdict(asked: Asked, claim_id: int, opinion: Opinion) -> Verdict:
    temperature = asked.judge.parameters.get("temperature")
    prompt = asked.prompt
    return Verdict(
        claim_id=claim_id,
        judge=asked.judge,
        run=asked.run,
        order=asked.order,
        sample=asked.sample,
        purpose=asked.purpose,
        state=opinion.state.value,
        label=opinion.label.value if opinion.label and opinion.state is VerdictState.CAST else "",
        confidence=opinion.confidence,
        rationale=opinion.rationale,
        failure_reason=opinion.failure_reason[:200],
        flags=list(opinion.flags),
        call=asked.call,
        prompt_name=prompt.name if prompt else "",
        prompt_version=prompt.version if prompt else 0,
        prompt_hash=prompt.sha256 if prompt else "",
        model_name=asked.call.model if asked.call else asked.judge.model,
        temperature=float(temperature) if temperature is not None else None,
        rubric_version=_rubric_version(asked),
        rubric_entries=[list(pair) for pair in asked.rubric],
        precedent_entry=opinion.precedent_entry,
    )


def _rubric_version(asked: Asked) -> int:
    return asked.run.project.rubric_version if asked.rubric_version is None else asked.rubric_version


def make_current(verdicts: Sequence[Verdict]) -> None:
    """Let each of these verdicts take over from the current one of its voter, where it may."""
    if not verdicts:
        return
    claims = {verdict.claim_id for verdict in verdicts}
    current = {
        _voter(row): row
        for row in Verdict.objects.filter(claim__in=claims, is_current=True, purpose=Verdict.Purpose.VOTE)
    }
    taking_over = [verdict for verdict in verdicts if _takes_over(verdict, current.get(_voter(verdict)))]
    replaced = [current[_voter(verdict)].pk for verdict in taking_over if _voter(verdict) in current]
    Verdict.objects.filter(pk__in=replaced).update(is_current=False)
    Verdict.objects.filter(pk__in=[verdict.pk for verdict in taking_over]).update(is_current=True)


def _voter(verdict: Verdict) -> tuple[int, int, str, int]:
    return verdict.claim_id, verdict.judge_id, verdict.order, verdict.sample


def _takes_over(new: Verdict, old: Verdict | None) -> bool:
    if old is None:
        return True
    if new.pk == old.pk:
        return False
    if new.state == Verdict.State.FAILED:
        return old.state == Verdict.State.FAILED  # what failed last says what to mend now
    return new.state == Verdict.State.CAST or old.state != Verdict.State.CAST


def answered(claims: QuerySet[Claim] | Sequence[Claim]) -> Answered:
    """Claim, judge, order and sample of every current vote or abstention on these claims; a failed answer is none."""
    current = Verdict.objects.filter(claim__in=claims, is_current=True).exclude(state=Verdict.State.FAILED)
    return frozenset(current.order_by().values_list("claim_id", "judge_id", "order", "sample"))
