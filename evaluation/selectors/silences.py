"""Judges of the panel that did not vote on a claim, or not every time, and how the votes of one judge vary."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from evaluation.models import Judge, Verdict
from evaluation.schemas import PresentationOrder, VerdictState
from evaluation.selectors import failures
from evaluation.selectors.answers import Shown


@dataclass(frozen=True)
class _Silence:
    """What a judge did in place of voting, in how many of its askings, and why."""

    judge: str
    did: str
    how_often: str = ""
    why: str = ""

    @property
    def sentence(self) -> str:
        return f"{self.did}{self.how_often}: {self.why}" if self.why else f"{self.did}{self.how_often}."


_NEVER_ASKED, _ABSTAINED = "has not been asked", "did not vote"


def silent_sentences(verdicts: Sequence[Verdict], panel: Iterable[Judge], *, names_shown: bool) -> tuple[str, ...]:
    """One sentence a reason with how many judges it holds for; with names each judge has its own."""
    found = list(_silences(verdicts, panel))
    if names_shown:
        return tuple(f"{silence.judge} {silence.sentence}" for silence in found)
    return _counted(silence.sentence for silence in found)


def brief_sentences(verdicts: Sequence[Verdict], panel: Iterable[Judge]) -> tuple[str, ...]:
    """The same for a list of claims: without names, and without the words of judges that chose not to vote."""
    found = _silences(verdicts, panel)
    return _counted(
        f"{silence.did}{silence.how_often}." if silence.did == _ABSTAINED else silence.sentence for silence in found
    )


def spread_sentences(verdicts: Sequence[Verdict], words: Mapping[str, Shown], *, names_shown: bool) -> tuple[str, ...]:
    """How often each judge said what, for judges that did not say the same each time they were asked the same."""
    asked: dict[tuple[int, str], list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        if verdict.state == VerdictState.CAST:
            asked[verdict.judge_id, verdict.order].append(verdict)
    wavering = [votes for votes in asked.values() if len({vote.label for vote in votes}) > 1]
    if not wavering:
        n = max(map(len, asked.values()), default=0)
        return (f"Asked {n} times, each judge said the same every time.",) if n > 1 else ()
    return tuple(_spread(votes, words, names_shown=names_shown) for votes in wavering)


def times(votes: Sequence[Verdict], all_votes: Sequence[Verdict]) -> str:
    """In how many of its askings a judge said something; empty where it was asked once or always said so."""
    return f"{len(votes)} of {len(all_votes)} times" if len(votes) < len(all_votes) else ""


def _spread(votes: Sequence[Verdict], words: Mapping[str, Shown], *, names_shown: bool) -> str:
    who = votes[0].judge.name if names_shown else "One judge"
    order = " (sides swapped)" if names_shown and votes[0].order == PresentationOrder.SWAPPED else ""
    counts = Counter(vote.label for vote in votes).most_common()
    said = (f"{n} of {len(votes)} times “{words[label].words if label in words else label}”" for label, n in counts)
    return f"{who}{order}: {', '.join(said)}."


def _silences(verdicts: Sequence[Verdict], panel: Iterable[Judge]) -> Iterator[_Silence]:
    """What judges did for every asking that brought no vote; of a claim nobody was asked about nothing is said."""
    by_judge: dict[int, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        by_judge[verdict.judge_id].append(verdict)
    for askings in by_judge.values():
        silent = [verdict for verdict in askings if verdict.state != VerdictState.CAST]
        for (did, why), n in Counter(map(_reason, silent)).items():
            how_often = f" {n} of {len(askings)} times" if n < len(askings) else ""
            yield _Silence(askings[0].judge.name, did, how_often, why)
    for judge in panel if verdicts else ():
        if judge.pk not in by_judge:
            yield _Silence(judge.name, _NEVER_ASKED)


def _reason(verdict: Verdict) -> tuple[str, str]:
    if verdict.state == VerdictState.FAILED:
        reason = verdict.failure_reason
        return failures.what_happened(reason), f"{failures.in_words(reason)}."
    return _ABSTAINED, verdict.rationale or "cannot assess this claim."


def _counted(sentences: Iterable[str]) -> tuple[str, ...]:
    counts = Counter(sentences)
    return tuple(f"1 judge {each}" if n == 1 else f"{n} judges {_plural(each)}" for each, n in counts.items())


def _plural(sentence: str) -> str:
    return sentence.replace("has not", "have not", 1) if sentence.startswith(_NEVER_ASKED) else sentence
