"""What is said of judges that did not vote, and of those that did not say the same each time."""

from __future__ import annotations

from evaluation.models import Claim, Judge, Project, Verdict
from evaluation.selectors.answers import Reader
from evaluation.selectors.silences import silent_sentences, spread_sentences
from tests import factories


def silent(claim: Claim, *, names_shown: bool = False) -> tuple[str, ...]:
    return silent_sentences(votes(claim), Judge.objects.filter(project=claim.project), names_shown=names_shown)


def spread(claim: Claim, *, names_shown: bool = False) -> tuple[str, ...]:
    words = Reader(claim.project, 1, 0).words(claim.kind, claim.pk)
    return spread_sentences(votes(claim), words, names_shown=names_shown)


def votes(claim: Claim) -> list[Verdict]:
    return list(claim.verdicts.select_related("judge"))


def test_a_judge_is_counted_once_however_often_it_was_asked(project: Project) -> None:
    one, other = factories.make_judges(project, 2)
    pair = factories.make_pair(project)
    for order in ("as_given", "swapped"):
        factories.vote_repeatedly(pair, {one: ("", ""), other: ("first", "first")}, order=order)

    assert silent(pair) == ("1 judge could not be asked: time-out.",)
    assert silent(pair, names_shown=True) == (f"{one.name} could not be asked: time-out.",)


def test_what_failed_only_sometimes_says_how_often(project: Project) -> None:
    one, other = factories.make_judges(project, 2)
    claim = factories.make_claim(project)
    factories.vote_repeatedly(claim, {one: ("accept", "", "accept"), other: ("accept",) * 3})

    assert silent(claim) == ("1 judge could not be asked 1 of 3 times: time-out.",)
    assert spread(claim) == ("Asked 3 times, each judge said the same every time.",)


def test_reasons_are_told_apart(project: Project) -> None:
    judges = factories.make_judges(project, 4)
    claim = factories.make_claim(project)
    factories.vote(claim, dict.fromkeys(judges[:3], ""))
    failed = claim.verdicts.filter(judge__in=judges[:2])
    failed.update(state="failed", failure_reason="truncated", rationale="")

    assert silent(claim) == (
        "2 judges brought no vote: its answer was cut off.",
        f"1 judge did not vote: {judges[2]} says nothing.",
        "1 judge has not been asked.",
    )


def test_the_spread_of_a_judge_is_named_only_where_names_may_be_seen(project: Project) -> None:
    (judge,) = factories.make_judges(project, 1)
    pair = factories.make_pair(project)
    factories.vote_repeatedly(pair, {judge: ("tie", "tie")})
    factories.vote_repeatedly(pair, {judge: ("tie", "first", "tie")}, order="swapped")

    named, unnamed = spread(pair, names_shown=True), spread(pair)

    assert len(named) == len(unnamed) == 1
    assert named[0].startswith(f"{judge.name} (sides swapped): 2 of 3 times “Equally good”, 1 of 3 times “")
    assert unnamed[0].startswith("One judge: 2 of 3 times “Equally good”")


def test_where_each_judge_is_asked_once_nothing_is_said_of_it(project: Project) -> None:
    claim = factories.make_claim(project)
    factories.vote(claim, dict.fromkeys(factories.make_judges(project, 2), "accept"))

    assert (spread(claim), silent(claim)) == ((), ())
    assert silent(factories.make_claim(project)) == ()
