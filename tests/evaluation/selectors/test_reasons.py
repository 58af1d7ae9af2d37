from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.models import Claim, Judge, PatternMove, Project
from evaluation.selectors.answers import Reader
from evaluation.selectors.reasons import Balance, Reason, gains_of, in_sum, joined, named, reason_of
from tests import factories

Votes = dict[str, str]


def judges_named(project: Project, names: str, provider: str) -> dict[str, Judge]:
    made = factories.make_judges(project, len(names), provider=provider)
    for name, judge in zip(names, made, strict=True):
        judge.name = name
        judge.save()
    return dict(zip(names, made, strict=True))


def make(project: Project, judges: dict[str, Judge], votes: Votes) -> Claim:
    claim = factories.make_claim(project)
    factories.vote(claim, {judges[name]: label for name, label in votes.items()})
    return claim


def only_reason(project: Project, judges: dict[str, Judge]) -> Reason:
    move = PatternMove.objects.select_related("pattern", "propagation").get()
    by_id = {judge.pk: judge for judge in judges.values()}
    gains = gains_of(move.propagation.judges, by_id, len(project.labels("statement")))
    return reason_of(move, gains, by_id, Reader(project, 1, 0).unplaced_words("statement"))


@pytest.mark.parametrize("provider", ["offline", "openai"])
def test_with_three_labels_the_side_that_loses_more_judges_falls_back(
    project: Project, owner: User, provider: str
) -> None:
    judges = judges_named(project, "ABCD", provider)
    make(project, judges, {"A": "reject", "B": "reject", "C": "accept", "D": "accept"})
    ruled = make(project, judges, {"A": "reject", "C": "accept", "D": "accept"})

    factories.rule(ruled, owner, "uncertain")

    assert len(project.labels("statement")) == 3
    assert only_reason(project, judges) == Reason(
        Balance.LOST_MORE,
        "For “Not supported” A lost, for “Supported” C and D lost; “Supported” lost more. "
        "So “Not supported” is ahead now.",
    )


def test_a_side_that_only_gains_is_said_to_gain(project: Project, owner: User) -> None:
    judges = judges_named(project, "ABC", "offline")
    make(project, judges, {"A": "reject", "B": "accept"})
    ruled = make(project, judges, {"A": "uncertain", "C": "uncertain"})

    factories.rule(ruled, owner, "uncertain")

    assert only_reason(project, judges) == Reason(
        Balance.GAINED,
        "For “Not supported” A gained, for “Supported” nobody gained or lost. So “Not supported” is ahead now.",
    )


def test_a_leader_that_is_caught_up_is_level(project: Project, owner: User) -> None:
    judges = judges_named(project, "AB", "offline")
    factories.rule(make(project, judges, {"A": "reject", "B": "accept"}), owner, "reject")
    make(project, judges, {"A": "reject", "B": "accept"})
    PatternMove.objects.all().delete()

    factories.rule(make(project, judges, {"A": "reject", "B": "accept"}), owner, "accept")

    reason = only_reason(project, judges)
    assert reason.balance is Balance.BOTH
    assert reason.sentence == "For “Supported” B gained, for “Not supported” A lost. So the sides are level now."


def test_it_does_not_guess_where_the_record_does_not_explain_the_move(project: Project, owner: User) -> None:
    judges = judges_named(project, "AB", "offline")
    make(project, judges, {"A": "reject", "B": "accept"})
    factories.rule(make(project, judges, {"A": "reject", "B": "accept"}), owner, "reject")
    PatternMove.objects.update(after_label="accept")

    assert only_reason(project, judges) == Reason(Balance.UNKNOWN, "The track records of its judges changed.")


@pytest.mark.parametrize(
    ("balances", "said"),
    [
        ([], ""),
        ([Balance.BOTH], "There the winning side gained and the losing side lost."),
        ([Balance.LOST_MORE, Balance.LOST], "In each the judges on the losing side lost more."),
        ([Balance.GAINED, Balance.BOTH], "In each the judges on the winning side gained more."),
        ([Balance.GAINED, Balance.LOST], "In each the winning side came forward by what judges gained or lost."),
        ([Balance.LOST, Balance.UNKNOWN], ""),
    ],
)
def test_the_sum_says_only_what_is_true_of_every_move(balances: list[Balance], said: str) -> None:
    assert in_sum([Reason(balance, "") for balance in balances]) == said


@pytest.mark.parametrize(
    ("words", "said"), [([], ""), (["A"], "A"), (["A", "B"], "A and B"), (["A", "B", "C"], "A, B and C")]
)
def test_words_are_joined_as_english_does(words: list[str], said: str) -> None:
    assert joined(words) == said


def test_a_name_that_holds_an_and_stays_one_name() -> None:
    assert named(["Words", "Names and new words"]) == "Words and ‘Names and new words’"
