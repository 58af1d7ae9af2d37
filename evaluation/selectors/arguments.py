"""What the judges said about a claim, grouped by answer; who said it only where names may be seen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from evaluation.models import Claim, Judge, RubricEntry, Verdict
from evaluation.schemas import ClaimKind, Label, PresentationOrder, VerdictState
from evaluation.selectors import makers, silences
from evaluation.selectors.answers import Shown


@dataclass(frozen=True)
class Argument:
    """A judge's reason; `judge` is empty while names are hidden.

    A judge that was asked several times has `times` ("2 of 3 times") and the `others` of its reasons for this answer.
    """

    rationale: str
    judge: str
    is_swapped: bool
    rule_id: int | None
    times: str = ""
    others: tuple[str, ...] = ()
    same_maker: str = ""  # the system of its own maker that it votes on


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
    sample: int
    said: str
    confidence: float | None
    model: str
    prompt: str
    rubric_version: int


@dataclass(frozen=True)
class Arguments:
    """Arguments by answer, judges that did not vote or wavered in words, and the rules that the judges were shown.

    Of the `n_judges` of the panel `n_voted` did.
    """

    sides: tuple[Side, ...]
    silent: tuple[str, ...]
    spread: tuple[str, ...]
    rules: tuple[RubricEntry, ...]
    traces: tuple[Trace, ...]
    n_judges: int
    n_voted: int
    is_offline: bool

    @property
    def is_thin(self) -> bool:
        """Whether so few of the panel voted that the answer rests on little: one, or less than half."""
        return self.n_judges > 1 and (self.n_voted == 1 or 0 < 2 * self.n_voted < self.n_judges)


def arguments_on(
    claim: Claim, words: Mapping[str, Shown], *, names_shown: bool, systems: Mapping[str, str] | None = None
) -> Arguments:
    """Read the current votes on a claim; three queries. `systems` are those it is about, by maker."""
    votes = claim.verdicts.filter(is_current=True, purpose=Verdict.Purpose.VOTE)
    verdicts = list(votes.select_related("judge"))
    cast = [verdict for verdict in verdicts if verdict.state == VerdictState.CAST]
    panel = list(Judge.objects.filter(panels__project=claim.project_id, panels__is_current=True))
    in_panel = {judge.pk for judge in panel}
    return Arguments(
        sides=_marked(_sides(claim.kind, cast, words, names_shown=names_shown), cast, systems or {}),
        silent=silences.silent_sentences(verdicts, panel, names_shown=names_shown),
        spread=silences.spread_sentences(verdicts, words, names_shown=names_shown),
        rules=_rules(claim, verdicts),
        traces=tuple(_trace(verdict, words) for verdict in verdicts) if names_shown else (),
        n_judges=len(panel),
        n_voted=len({verdict.judge_id for verdict in cast if verdict.judge_id in in_panel}),
        is_offline=bool(verdicts) and all(verdict.judge.is_offline for verdict in verdicts),
    )


def _sides(kind: str, cast: Sequence[Verdict], words: Mapping[str, Shown], *, names_shown: bool) -> tuple[Side, ...]:
    shown = sorted(words.items(), key=lambda item: item[1].slot)
    by_voter: dict[tuple[int, str], list[Verdict]] = defaultdict(list)
    for verdict in cast:
        by_voter[verdict.judge_id, verdict.order].append(verdict)
    found = ((label, _said(by_voter.values(), stored, names_shown=names_shown)) for stored, label in shown)
    return tuple(Side(_title(kind, label), label, arguments) for label, arguments in found if arguments)


def _marked(sides: Sequence[Side], cast: Sequence[Verdict], systems: Mapping[str, str]) -> tuple[Side, ...]:
    """Mark the judges that are of the same maker as a system they vote on; with names hidden no name fits."""
    relatives = {verdict.judge.name: systems.get(makers.maker_of_judge(verdict.judge), "") for verdict in cast}
    return tuple(replace(side, arguments=tuple(_related(each, relatives) for each in side.arguments)) for side in sides)


def _related(argument: Argument, relatives: Mapping[str, str]) -> Argument:
    return replace(argument, same_maker=relatives.get(argument.judge, ""))


def _said(voters: Iterable[Sequence[Verdict]], label: str, *, names_shown: bool) -> tuple[Argument, ...]:
    """One argument for each voter that gave the label in some of its samples."""
    by_voter = ((votes, [vote for vote in votes if vote.label == label]) for votes in voters)
    return tuple(_argument(said, votes, names_shown=names_shown) for votes, said in by_voter if said)


def _title(kind: str, label: Shown) -> str:
    if kind == ClaimKind.PREFERENCE:
        return f"For “{label.words}”"
    titles = {Label.ACCEPT: "For", Label.REJECT: "Against", Label.UNCERTAIN: "Undecided"}
    return f"{titles[Label(label.value)]}: “{label.words}”"


def _argument(said: Sequence[Verdict], votes: Sequence[Verdict], *, names_shown: bool) -> Argument:
    verdict = said[0]
    reasons = list(dict.fromkeys(vote.rationale for vote in said if vote.rationale)) or [""]
    return Argument(
        rationale=reasons[0],
        judge=verdict.judge.name if names_shown else "",
        is_swapped=names_shown and verdict.order == PresentationOrder.SWAPPED,
        rule_id=verdict.precedent_entry,
        times=silences.times(said, votes),
        others=tuple(reasons[1:]),
    )


def _rules(claim: Claim, verdicts: Sequence[Verdict]) -> tuple[RubricEntry, ...]:
    seen = {int(entry_id) for verdict in verdicts for entry_id, _ in verdict.rubric_entries}
    return tuple(RubricEntry.objects.filter(project=claim.project_id, pk__in=seen))


def _trace(verdict: Verdict, words: Mapping[str, Shown]) -> Trace:
    said = words[verdict.label].words if verdict.label in words else verdict.state
    return Trace(
        judge=verdict.judge.name,
        order=verdict.order,
        sample=verdict.sample + 1,
        said=said,
        confidence=verdict.confidence,
        model=verdict.model_name,
        prompt=f"{verdict.prompt_name} v{verdict.prompt_version}" if verdict.prompt_name else "",
        rubric_version=verdict.rubric_version,
    )
