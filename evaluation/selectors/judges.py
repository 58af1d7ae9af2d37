"""Judges as their page lists them: what each looks at, what it cannot see, and whether it can be asked."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.db.models import Count, Q

from evaluation.models import Judge, Project, Verdict
from evaluation.prompts import persona_names

LOOKS_AT = {
    "words": (
        "how many of the claim's words, rare ones first, stand together in one passage of the sources",
        "what the words say together: a passage with all words and the opposite meaning looks like support",
    ),
    "meaning": (
        "how near the claim's sentence is to the nearest sentence of the sources (a small language model's vectors)",
        "a changed number, name or “not”: such sentences stay near each other",
    ),
    "numbers": (
        "figures and units that occur nowhere in the sources",
        "whether a figure belongs to the right thing, and any computed figure; without a figure it does not vote",
    ),
    "negation": (
        "a “not” on one side only, and pairs of opposites such as before and after",
        "everything else: it says “supported” nearly every time it votes",
    ),
    "names": (
        "names and words that stand in no source",
        "a swap of two names that both stand in the sources",
    ),
}


PERSONAS = {
    "neutral": "leaves a claim open rather than decide it without a reason",
    "advocate": "reads a claim in its most reasonable sense, takes paraphrases",
    "literal": "holds a claim to its exact words, fills no gaps",
    "practitioner": "reads as somebody who has to act on it tomorrow",
    "skeptic": "looks for the number, name or “not” that is wrong",
}


@dataclass(frozen=True)
class JudgeRow:
    """One judge of the list; `key_state` is "", "found" or "missing"."""

    judge: Judge
    looks_at: str
    blind_to: str
    n_votes: int
    n_no_vote: int
    key_state: str


def judge_rows(*, project: Project) -> list[JudgeRow]:
    """All judges of a project with the number of votes they cast; one query."""
    current = Q(verdicts__is_current=True, verdicts__purpose=Verdict.Purpose.VOTE)
    cast = Q(verdicts__state=Verdict.State.CAST)
    judges = project.judges.annotate(
        n_votes=Count("verdicts", filter=current & cast), n_no_vote=Count("verdicts", filter=current & ~cast)
    )
    return [_row(judge, judge.n_votes, judge.n_no_vote) for judge in judges.order_by("-is_active", "pk")]


def personas() -> tuple[tuple[str, str], ...]:
    """The personas a judge can speak as with a sentence on each, the neutral one first."""
    return tuple((name, PERSONAS.get(name, "")) for name in persona_names())


def _row(judge: Judge, n_votes: int, n_no_vote: int) -> JudgeRow:
    looks_at, blind_to = LOOKS_AT.get(judge.model, ("", "")) if judge.is_offline else ("", "")
    return JudgeRow(judge, looks_at, blind_to, n_votes, n_no_vote, _key_state(judge))


def _key_state(judge: Judge) -> str:
    if judge.is_offline or judge.is_recorded or not judge.key_name:
        return ""
    return "found" if judge.key_name in settings.PROVIDER_KEYS else "missing"
