"""The two kinds of file of an LLMBar subset, as published and not."""

from __future__ import annotations

import pytest

from evaluation.exchange.detect import read
from evaluation.schemas import VerdictState

PAIR = {"input": "I", "output_1": "A", "output_2": "B", "label": 1}


def test_a_null_winner_is_a_failed_vote_with_a_reason(tree, entry):
    vote = read(tree([entry(winner=None)])).bundle.verdicts[0]

    assert (vote.state, vote.label) == (VerdictState.FAILED, None)
    assert "no winner" in vote.reason


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"winner": 1}, "results.swap = False.winner"),
        ({"swapped": "3"}, "results.swap = True.winner"),
        ({"results": []}, "results"),
        ({"results": [["a", "b"]]}, "results"),
        ({"results": [{"swap = False": {"winner": "1"}}]}, "results.swap = True"),
        ({"output_1": "else"}, "input"),
    ],
)
def test_a_vote_not_as_published_is_refused_with_entry_and_field(tree, entry, changes, field):
    refusal = read(tree([entry(**changes)])).refusals[0]

    assert (refusal.row, refusal.field) == (1, field)
    assert refusal.file.endswith("result.json")


@pytest.mark.parametrize(
    ("changes", "field"), [({"label": 3}, "label"), ({"label": True}, "label"), ({"output_2": None}, "output_2")]
)
def test_a_pair_not_as_published_is_refused_with_entry_and_field(tree, entry, changes, field):
    refusal = read(tree([entry()], [{**PAIR, **changes}])).refusals[0]

    assert (refusal.row, refusal.field) == (1, field)
    assert refusal.file.endswith("dataset.json")


@pytest.mark.parametrize("votes", [[], {}, [3], [PAIR, PAIR]])
def test_a_list_of_another_shape_or_length_is_refused(tree, votes):
    refusal = read(tree(votes)).refusals[0]

    assert (refusal.row, refusal.field) == (None, "")
    assert refusal.file.endswith("result.json")


def test_only_a_bare_choice_is_left_out_of_the_rationale(tree, entry):
    votes = read(tree([entry()])).bundle.verdicts

    assert [vote.rationale for vote in votes] == ["", "Because of the second."]
