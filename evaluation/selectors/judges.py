"""Judges as their page lists them: what each looks at, what it cannot see, and how it voted."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, Q, Sum

from evaluation.models import Judge, Project, Verdict
from evaluation.prompts import load_persona, persona_names
from evaluation.selectors import makers
from evaluation.selectors.reasons import joined

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
    """One judge of the list. Of `n_ruled` votes that an expert ruled on, `n_agreed` were the expert's.

    `maker` made both its model and the systems `same_maker`; `settings` are its parameters with their names.
    """

    judge: Judge
    looks_at: str
    blind_to: str
    n_votes: int
    n_no_vote: int
    n_agreed: float
    n_ruled: float
    maker: str
    same_maker: tuple[str, ...]

    @property
    def settings(self) -> tuple[tuple[str, object], ...]:
        return tuple(sorted(self.judge.parameters.items()))


def judge_rows(*, project: Project) -> list[JudgeRow]:
    """All judges of a project, those that vote first and retired ones last; four queries."""
    current = Q(verdicts__is_current=True, verdicts__purpose=Verdict.Purpose.VOTE)
    cast = Q(verdicts__state=Verdict.State.CAST)
    judges = project.judges.annotate(
        n_votes=Count("verdicts", filter=current & cast), n_no_vote=Count("verdicts", filter=current & ~cast)
    )
    records = project.track_records.order_by().values_list("judge").annotate(Sum("agreed"), Sum("decided"))
    agreed = {judge_id: (n_agreed, n_ruled) for judge_id, n_agreed, n_ruled in records}
    systems = makers.systems_by_maker(project)
    in_order = sorted(judges.order_by("pk"), key=lambda judge: (judge.retired_at is not None, not judge.is_active))
    return [
        _row(judge, (judge.n_votes, judge.n_no_vote), agreed.get(judge.pk, (0, 0)), makers.same_maker(judge, systems))
        for judge in in_order
    ]


def _row(judge: Judge, votes: tuple[int, int], agreed: tuple[float, float], same_maker: tuple[str, ...]) -> JudgeRow:
    looks_at, blind_to = LOOKS_AT.get(judge.model, ("", "")) if judge.is_offline else ("", "")
    return JudgeRow(judge, looks_at, blind_to, *votes, *agreed, makers.maker_of_judge(judge), same_maker)


def family_warnings(project: Project) -> tuple[str, ...]:
    """A sentence on every voting judge that is of the same maker as a system judged here; three queries."""
    systems = makers.systems_by_maker(project)
    if not systems:
        return ()
    rows = ((judge, makers.same_maker(judge, systems)) for judge in project.judges.filter(is_active=True))
    return tuple(
        f"“{judge}” is of the same maker ({makers.maker_of_judge(judge)}) as {_systems(names)}: judges tend to favour "
        "their own family. Weigh its votes with those of other makers."
        for judge, names in rows
        if names
    )


def _systems(names: tuple[str, ...]) -> str:
    shown = names if len(names) < 5 else (*names[:3], f"{len(names) - 3} more")
    return f"{'system' if len(names) == 1 else 'the systems'} {joined(shown)}"


@dataclass(frozen=True)
class PersonaText:
    """A persona with the sentence of the list and the text that judges are given, word for word."""

    name: str
    sentence: str
    text: str


def personas() -> tuple[tuple[str, str], ...]:
    """The personas a judge can speak as with a sentence on each, the neutral one first."""
    return tuple((name, PERSONAS.get(name, "")) for name in persona_names())


def persona_texts() -> tuple[PersonaText, ...]:
    """What each persona tells a judge, the neutral one first."""
    return tuple(PersonaText(name, sentence, load_persona(name).text) for name, sentence in personas())
