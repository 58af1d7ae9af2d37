"""What a rule changes when judges vote on ruled claims with and without it."""

from __future__ import annotations

import pytest

from evaluation.algorithms.trial import Change, Compared, VoterCompared, compare

WEIGHTS = {"a": 1.0, "b": 1.0, "c": 1.0}
NO, YES = "reject", "accept"


def test_it_holds_both_answers_against_the_ruling() -> None:
    before = {1: {"a": YES, "b": YES, "c": NO}, 2: {"a": NO, "b": NO, "c": NO}}
    after = {1: {"a": NO, "b": YES, "c": NO}, 2: {"a": NO, "b": YES, "c": YES}}

    trial = compare({1: NO, 2: NO}, before, after, WEIGHTS, 3)

    assert trial.claims == (Compared(1, NO, YES, NO), Compared(2, NO, NO, YES))
    assert [claim.change for claim in trial.claims] == [Change.BETTER, Change.WORSE]
    assert trial.voters == (VoterCompared("a", 2, 1, 2), VoterCompared("b", 2, 1, 0), VoterCompared("c", 2, 2, 1))


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        (YES, YES, Change.SAME),
        (None, None, Change.SAME),
        (None, NO, Change.BETTER),
        (NO, None, Change.WORSE),
        (YES, None, Change.OTHER),
        (YES, "uncertain", Change.OTHER),
    ],
)
def test_a_change_is_named_by_where_it_leads(before: str | None, after: str | None, change: Change) -> None:
    assert Compared(1, NO, before, after).change is change


def test_an_answer_counts_only_where_it_came_both_times() -> None:
    before = {1: {"a": NO, "b": YES, "c": YES}, 2: {"a": NO}, 3: {"a": NO}}
    after = {1: {"a": NO}, 2: {"b": NO}}

    trial = compare({1: NO, 2: NO, 3: NO}, before, after, WEIGHTS, 3)

    assert trial.claims == (Compared(1, NO, NO, NO),)
    assert trial.voters == (VoterCompared("a", 1, 1, 1),)


def test_no_vote_and_a_tie_agree_with_no_ruling() -> None:
    trial = compare(
        {1: NO, 2: NO}, {1: {"a": ""}, 2: {"a": NO, "b": YES}}, {1: {"a": NO}, 2: {"a": NO, "b": NO}}, WEIGHTS, 3
    )

    assert [(claim.before, claim.after) for claim in trial.claims] == [(None, NO), (None, NO)]


def test_a_heavier_judge_decides() -> None:
    votes = {1: {"a": NO, "b": YES}}

    trial = compare({1: NO}, votes, {1: {"a": YES, "b": NO}}, {"a": 0.5, "b": 2.0}, 3)

    assert trial.claims == (Compared(1, NO, YES, NO),)


def test_without_answers_there_is_nothing_to_compare() -> None:
    trial = compare({1: NO}, {}, {}, {}, 3)

    assert (trial.claims, trial.voters) == ((), ())
