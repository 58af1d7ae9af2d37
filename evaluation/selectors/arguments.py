"""What the judges said about a claim, grouped by answer; who said it only where names may be seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.models import Claim, RubricEntry, Verdict
from evaluation.schemas import ClaimKind, Label, PresentationOrder, VerdictState
from evaluation.selectors.answers import Shown

_FAILURES = {
    "timeout": "time-out",
    "rate_limit": "the provider was busy",
    "refusal": "the model refused",
    "refused": "the model refused",
    "invalid_output": "its answer could not be read",
    "cut_off": "its answer was cut off",
}


@dataclass(frozen=True)
class Argument:
    """A judge's reason; `judge` is empty while names are hidden."""

    rationale: str
    judge: str
    is_swapped: bool
    rule_id: int | None


@dataclass(frozen=True)
class Side:
    """All arguments for one answer."""

    title: str
    shown: Shown
    arguments: tuple[Argument, ...]


@dataclass(frozen=True)
class Trace:
    """A vote's provenance for an audit; shown only with names."""

    judge: str
    order: str
    said: str
    confidence: float | None
    model: str
    prompt: str
    rubric_version: int


@dataclass(frozen=True)
class Arguments:
    """Arguments by answer, judges that did not vote in words, and the rules that the judges were shown."""

    sides: tuple[Side, ...]
    silent: tuple[str, ...]
    rules: tuple[RubricEntry, ...]
    traces: tuple[Trace, ...]
    n_judges: int
    n_voted: int
    is_offline: bool


def arguments_on(claim: Claim, words: Mapping[str, Shown], *, names_shown: bool) -> Arguments:
    """Read the current votes on a claim; two queries."""
    votes = claim.verdicts.filter(is_current=True, purpose=Verdict.Purpose.VOTE)
    verdicts = list(votes.select_related("judge"))
    cast = [verdict for verdict in verdicts if verdict.state == VerdictState.CAST]
    return Arguments(
        sides=_sides(claim.kind, cast, words, names_shown=names_shown),
        silent=_silent([v for v in verdicts if v.state != VerdictState.CAST], names_shown=names_shown),
        rules=_rules(claim, verdicts),
        traces=tuple(_trace(verdict, words) for verdict in verdicts) if names_shown else (),
        n_judges=len({verdict.judge_id for verdict in verdicts}),
        n_voted=len({verdict.judge_id for verdict in cast}),
        is_offline=bool(verdicts) and all(verdict.judge.is_offline for verdict in verdicts),
    )


def _sides(kind: str, cast: Sequence[Verdict], words: Mapping[str, Shown], *, names_shown: bool) -> tuple[Side, ...]:
    shown = sorted(words.items(), key=lambda item: item[1].slot)
    found = ((label, [verdict for verdict in cast if verdict.label == stored]) for stored, label in shown)
    return tuple(
        Side(_title(kind, label), label, tuple(_argument(verdict, names_shown=names_shown) for verdict in verdicts))
        for label, verdicts in found
        if verdicts
    )


def _title(kind: str, label: Shown) -> str:
    if kind == ClaimKind.PREFERENCE:
        return f"For “{label.words}”"
    titles = {Label.ACCEPT: "For", Label.REJECT: "Against", Label.UNCERTAIN: "Undecided"}
    return f"{titles[Label(label.value)]}: “{label.words}”"


def _argument(verdict: Verdict, *, names_shown: bool) -> Argument:
    return Argument(
        rationale=verdict.rationale,
        judge=verdict.judge.name if names_shown else "",
        is_swapped=names_shown and verdict.order == PresentationOrder.SWAPPED,
        rule_id=verdict.precedent_entry,
    )


def _silent(verdicts: Sequence[Verdict], *, names_shown: bool) -> tuple[str, ...]:
    """One sentence a reason; with names each judge has its own."""
    if names_shown:
        return tuple(f"{verdict.judge.name} {_why_silent(verdict)}" for verdict in verdicts)
    reasons = Counter(_why_silent(verdict) for verdict in verdicts)
    return tuple(f"{n} {'judge' if n == 1 else 'judges'} {reason}" for reason, n in reasons.items())


def _why_silent(verdict: Verdict) -> str:
    if verdict.state == VerdictState.FAILED:
        reason = _FAILURES.get(verdict.failure_reason, verdict.failure_reason) or "no reason was recorded"
        return f"could not be asked: {reason}."
    return f"did not vote: {verdict.rationale or 'cannot assess this claim'}"


def _rules(claim: Claim, verdicts: Sequence[Verdict]) -> tuple[RubricEntry, ...]:
    seen = {int(entry_id) for verdict in verdicts for entry_id, _ in verdict.rubric_entries}
    return tuple(RubricEntry.objects.filter(project=claim.project_id, pk__in=seen))


def _trace(verdict: Verdict, words: Mapping[str, Shown]) -> Trace:
    said = words[verdict.label].words if verdict.label in words else verdict.state
    return Trace(
        judge=verdict.judge.name,
        order=verdict.order,
        said=said,
        confidence=verdict.confidence,
        model=verdict.model_name,
        prompt=f"{verdict.prompt_name} v{verdict.prompt_version}" if verdict.prompt_name else "",
        rubric_version=verdict.rubric_version,
    )
