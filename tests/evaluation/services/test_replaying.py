"""Recorded votes laid out for a simulated expert."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.algorithms.simulation.replay import ReplaySettings
from evaluation.errors import InvalidInputError
from evaluation.exchange.detect import ReadOptions
from evaluation.exchange.llmbar import BOTH_ORDERS
from evaluation.schemas import UpdateRule, Vote
from evaluation.services import replaying

HEAD = "item,judge,label,prompt,gold,order,sample\n"


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    file = tmp_path / "votes.csv"
    file.write_text(
        HEAD
        + "p1,gpt,first,Write a haiku.,first,as_given,0\n"
        + "p1,gpt,second,Write a haiku.,first,as_given,1\n"
        + "p1,gpt,second,Write a haiku.,first,swapped,0\n"
        + "p1,palm,failed,Write a haiku.,first,as_given,0\n"
        + "p1,bard,abstained,Write a haiku.,first,as_given,0\n"
        + "p2,gpt,first,Sum up.,,as_given,0\n"
    )
    return file


def test_votes_in_the_first_order_become_items_with_gold(votes: Path) -> None:
    found = replaying.read(path=votes, options=ReadOptions(orders=replaying.FIRST_ORDER))

    (item,) = found.items
    assert (item.item, item.gold) == ("p1", "first")
    assert item.votes == (Vote("gpt", "first", 0.5), Vote("gpt", "second", 0.5))
    assert item.failed == ("palm",)
    assert found.texts == ("Write a haiku.",)


def test_both_orders_make_a_voter_per_judge_and_order(votes: Path) -> None:
    found = replaying.read(path=votes, options=ReadOptions(orders=BOTH_ORDERS))

    assert found.judge_of["gpt"] == found.judge_of["gpt · swapped"] == "gpt"
    assert Vote("gpt · swapped", "second") in found.items[0].votes


def test_the_summary_needs_no_ruling(votes: Path) -> None:
    found = replaying.summary(recording=replaying.read(path=votes))

    by_name = {judge.name: judge.accuracy for judge in found.judges}
    assert found.n == found.n_disagree == 1
    assert by_name == {"gpt": pytest.approx(1 / 3), "palm": 0.5}


def test_gold_of_two_kinds_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "mixed.csv"
    rows = "c1,gpt,accept,statement,One,accept\np1,gpt,first,preference,,first\n"
    file.write_text("item,judge,label,kind,text,gold\n" + rows)

    with pytest.raises(InvalidInputError, match="preference and statement"):
        replaying.read(path=file)


def test_flip_needs_texts(tmp_path: Path) -> None:
    file = tmp_path / "bare.csv"
    file.write_text("item,judge,label,kind,gold\np1,gpt,first,preference,first\np1,palm,second,preference,first\n")
    bare = replaying.read(path=file)

    with pytest.raises(InvalidInputError, match="items without one"):
        replaying.run(recording=bare, settings=ReplaySettings(update=UpdateRule.FLIP, decisions=1, seeds=1))
