"""The LLMBar tree: the published one where it is there, and a small one of our own that can be broken."""

from __future__ import annotations

import json
from collections import Counter, defaultdict

import pytest

from evaluation.errors import InvalidInputError
from evaluation.exchange.detect import ReadOptions, read
from evaluation.schemas import Label, PresentationOrder, VerdictState


def test_it_reads_the_last_stage_in_both_orders(tree, entry):
    parsed = read(tree([entry()]))

    votes = parsed.bundle.verdicts
    assert parsed.refusals == ()
    assert [(vote.order, vote.label) for vote in votes] == [
        (PresentationOrder.AS_GIVEN, Label.FIRST),
        (PresentationOrder.SWAPPED, Label.SECOND),
    ]
    assert [vote.rationale for vote in votes] == ["", "Because of the second."]
    assert parsed.bundle.claims[0].gold is Label.FIRST
    assert parsed.bundle.project_hints.allow_tie is False
    assert len(parsed.warnings) == 4


def test_a_folder_without_a_tree_is_refused(tmp_path):
    assert "no LLMBar tree" in read(tmp_path, "llmbar").refusals[0].reason


def test_an_absent_prompt_is_refused_and_the_present_ones_are_named(tree, entry):
    parsed = read(tree([entry()]), options=ReadOptions(prompt="CoT"))

    assert "there are votes for Vanilla" in parsed.refusals[0].reason


def test_a_prompt_that_is_a_path_is_an_error(tree, entry):
    with pytest.raises(InvalidInputError, match="no name of a prompt"):
        read(tree([entry()]), options=ReadOptions(prompt="../../x"))


def test_the_hash_changes_with_a_vote_and_with_the_orders_that_are_read(tree, entry):
    root = tree([entry()])
    before = read(root).sha256
    one_order = read(root, options=ReadOptions(orders=(PresentationOrder.AS_GIVEN,))).sha256
    result = next(root.glob("**/result.json"))
    result.write_text(json.dumps([entry("2")]))

    after = read(root).sha256

    assert len({before, one_order, after}) == 3


def test_the_published_tree_gives_the_published_figures(shared):
    parsed = read(shared / "data" / "llmbar")

    gold = {claim.external_id: claim.gold for claim in parsed.bundle.claims}
    votes: dict[str, dict[str, Label]] = defaultdict(dict)
    for vote in parsed.bundle.verdicts:
        if vote.order is PresentationOrder.AS_GIVEN and vote.label:
            votes[vote.claim_id][vote.judge] = vote.label
    right = Counter(judge for item, cast in votes.items() for judge, label in cast.items() if label is gold[item])
    any_right = sum(gold[item] in cast.values() for item, cast in votes.items())
    assert parsed.refusals == ()
    assert parsed.warnings == ()
    assert (len(gold), len(parsed.bundle.verdicts)) == (419, 4190)
    assert round(100 * right["GPT-4"] / 419, 1) == 82.8
    assert round(100 * any_right / 419, 1) == 92.4
    assert sum(len(set(cast.values())) > 1 for cast in votes.values()) == 292
    assert sum(vote.state is VerdictState.FAILED for vote in parsed.bundle.verdicts) == 10


@pytest.mark.parametrize("inside", ["Dataset", "Dataset/LLMBar"])
def test_the_tree_may_be_named_by_an_inner_folder(shared, inside):
    root = shared / "data" / "llmbar"

    assert read(root / inside).bundle == read(root).bundle
