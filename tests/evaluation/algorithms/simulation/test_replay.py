"""Replay of recorded votes, on small sets by hand and on LLMBar."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from evaluation.algorithms.claim_graph import ClaimGraph
from evaluation.algorithms.simulation.recorded import RecordedItem
from evaluation.algorithms.simulation.replay import ReplayResult, ReplaySettings, Spread, replay
from evaluation.schemas import SelectionPolicy, UpdateRule, Vote

SHARED = Path(os.environ.get("JURYFLOW_SHARED", Path(__file__).parents[5] / "shared"))
LLMBAR = SHARED / "data" / "llmbar" / "Dataset" / "LLMBar"
FIRST_ORDER, BOTH_ORDERS = ("swap = False",), ("swap = False", "swap = True")
PAPER = ReplaySettings(update=UpdateRule.LOCAL, policy=SelectionPolicy.PANEL_ENTROPY)
SHORT = ReplaySettings(decisions=5, seeds=2)


def _item(name: str, gold: str, *failed: str, **labels: str) -> RecordedItem:
    return RecordedItem(name, gold, tuple(Vote(*pair) for pair in labels.items()), failed)


def _llmbar(orders: tuple[str, ...]) -> list[RecordedItem]:
    if not LLMBAR.exists():
        pytest.skip(f"LLMBar is not at {LLMBAR}")
    items = []
    for folder in sorted(path.parent for path in LLMBAR.rglob("dataset.json")):
        said = {
            judge.name: json.loads((judge / "Vanilla" / "result.json").read_text(encoding="utf-8"))
            for judge in (folder / "evaluators").iterdir()
        }
        for row, pair in enumerate(json.loads((folder / "dataset.json").read_text(encoding="utf-8"))):
            winners = {(j, o): results[row]["results"][-1][o]["winner"] for j, results in said.items() for o in orders}
            votes = tuple(Vote(f"{judge}, {order}", winner) for (judge, order), winner in winners.items() if winner)
            failed = tuple(f"{judge}, {order}" for (judge, order), winner in winners.items() if not winner)
            items.append(RecordedItem(f"{folder.name} {row}", str(pair["label"]), votes, failed))
    return items


def _mean(result: ReplayResult, point: int) -> float:
    value = result.accuracy[str(point)].mean
    assert value is not None
    return value


def test_it_reaches_the_measured_figures_on_llmbar() -> None:
    items = _llmbar(FIRST_ORDER)
    names = {vote.voter: vote.voter.split(",")[0] for item in items for vote in item.votes}

    result = replay(items, ReplaySettings(), names)
    local = replay(items, PAPER, names)

    assert (result.n, result.n_disagree) == (419, 292)
    assert result.majority == pytest.approx(0.587, abs=5e-4)
    assert result.oracle_any == pytest.approx(0.924, abs=5e-4)
    assert result.judges[0].name == "GPT-4"
    assert result.judges[0].accuracy == pytest.approx(0.828, abs=5e-4)
    assert result.judges[0].kappa == pytest.approx(0.66, abs=5e-3)
    assert {judge.name: round(judge.accuracy, 3) for judge in result.judges}["PaLM2"] == 0.685
    assert _mean(result, 5) >= 0.78
    assert _mean(result, 10) >= 0.80
    assert _mean(result, 50) >= 0.84
    assert (result.accuracy["10"].min or 0) >= 0.75
    assert (result.auc.mean or 0) - (local.auc.mean or 1) >= 0.18


def test_both_orders_are_two_voters_whose_figures_are_pooled() -> None:
    items = _llmbar(BOTH_ORDERS)
    names = {vote.voter: vote.voter.split(",")[0] for item in items for vote in item.votes}

    result = replay(items, replace(SHORT, seeds=1), names)

    assert result.majority == pytest.approx(0.634, abs=5e-4)
    assert len(result.judges) == 5
    assert result.judges[0].accuracy == pytest.approx(0.845, abs=5e-4)


def test_a_majority_tie_counts_one_half_and_no_answer_as_a_guess() -> None:
    items = [
        _item("tie", "first", a="first", b="second"),
        _item("none", "first", "a", "b"),
        _item("right", "second", "b", a="second"),
        _item("wrong", "second", a="first", b="first"),
    ]

    result = replay(items, SHORT)

    assert result.majority == pytest.approx((0.5 + 0.5 + 1 + 0) / 4)
    assert result.oracle_any == 0.5
    assert [(judge.name, judge.accuracy) for judge in result.judges] == [("a", 0.625), ("b", 0.25)]


def test_local_rulings_correct_only_the_item_and_stop_when_nothing_is_disputed() -> None:
    items = [_item(f"i{n}", "second", a="first", b="first", c="second") for n in range(3)]
    items.append(_item("unanimous", "second", a="first", b="first", c="first"))

    result = replay(items, replace(PAPER, decisions=5, seeds=3))

    assert [spread.mean for spread in result.curve] == [0, 0.25, 0.5, 0.75, 0.75, 0.75]
    assert result.auc.mean == pytest.approx(0.6)
    assert result.undecided_accuracy["5"] == Spread(0.0, 0.0, 0.0)


def test_audits_reach_unanimous_errors_and_undecided_accuracy_ends_when_all_is_decided() -> None:
    items = [_item(f"i{n}", "second", a="first", b="first") for n in range(3)]

    result = replay(items, replace(SHORT, audit_every=1))

    assert [spread.mean for spread in result.curve][:4] == pytest.approx([0, 1 / 3, 2 / 3, 1])
    assert result.undecided_accuracy["5"] == Spread(None, None, None)


def test_reweighting_finds_the_judge_who_is_right() -> None:
    rng = np.random.default_rng(1)
    golds = rng.choice(["first", "second"], size=60).tolist()
    other = {"first": "second", "second": "first"}
    items = [_item(f"i{n}", gold, a=gold, b=other[gold], c=other[gold]) for n, gold in enumerate(golds)]

    result = replay(items, replace(SHORT, decisions=10))

    assert (result.majority, result.accuracy["10"].min) == (0.0, 1.0)


def test_a_flip_turns_neighbours_over_and_needs_a_graph() -> None:
    items = [_item(f"i{n}", "second", a="first", b="first", c="second") for n in range(4)]
    star = ClaimGraph(4, np.array([0, 0, 0]), np.array([1, 2, 3]), np.ones(3, dtype=np.float32), 0.5)
    complete = ClaimGraph(4, *np.triu_indices(4, 1), np.ones(6, dtype=np.float32), 0.5)
    flip = replace(PAPER, update=UpdateRule.FLIP, decisions=1, seeds=8)

    assert replay(items, flip, graph=complete).accuracy["0"].max == 0.0
    assert replay(items, flip, graph=complete).auc == Spread(1.0, 1.0, 1.0)
    assert replay(items, flip, graph=star).auc.min == 0.5
    with pytest.raises(ValueError, match="needs a claim graph"):
        replay(items, flip)


@pytest.mark.parametrize("policy", list(SelectionPolicy))
def test_a_replay_is_repeatable_and_its_figures_are_plain_json(policy: SelectionPolicy) -> None:
    rng = np.random.default_rng(2)
    draw = [rng.choice(["x", "y", "z"], size=4).tolist() for _ in range(30)]
    items = [_item(f"i{n}", gold, a=a, b=b, c=c) for n, (gold, a, b, c) in enumerate(draw)]
    settings = replace(SHORT, policy=policy, decisions=20)

    result = replay(items, settings)

    assert result.as_dict() == replay(items, settings).as_dict()
    figures = json.loads(json.dumps(result.as_dict(), allow_nan=False))
    keys = ["n", "n_disagree", "majority", "oracle_any", "judges", "accuracy", "undecided_accuracy", "auc"]
    assert list(figures) == keys
    assert list(figures["accuracy"]) == ["0", "5", "10", "20"]
    assert figures["judges"][0].keys() == {"name", "accuracy", "kappa"}


def test_empty_input_is_refused() -> None:
    with pytest.raises(ValueError, match="no item with gold"):
        replay([], SHORT)
    with pytest.raises(ValueError, match="at least one decision"):
        replay([_item("i", "x", a="x")], replace(SHORT, decisions=0))
