"""Simulated experts on recorded judges: what rulings are worth, over prompts, orders and update rules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from evaluation.algorithms.simulation.replay import ReplaySettings
from evaluation.exchange.detect import ReadOptions
from evaluation.schemas import PresentationOrder, SelectionPolicy, UpdateRule
from evaluation.services import replaying

pytestmark = pytest.mark.slow

PROMPTS = ("Vanilla", "CoT", "Metrics_Reference")
FIRST = (PresentationOrder.AS_GIVEN,)
Record = Callable[[str, object], None]


@pytest.mark.parametrize("prompt", PROMPTS)
def test_reweighting_is_worth_more_than_correcting_one_claim(
    shared: Path, is_full: bool, prompt: str, record_property: Record
) -> None:
    seeds = 64 if is_full else 4
    options = ReadOptions(prompt=prompt, orders=FIRST)
    recording = replaying.read(path=shared / "data" / "llmbar", fmt="llmbar", options=options)

    default = replaying.run(recording=recording, settings=ReplaySettings(seeds=seeds))
    paper = ReplaySettings(update=UpdateRule.LOCAL, policy=SelectionPolicy.PANEL_ENTROPY, seeds=seeds)
    local = replaying.run(recording=recording, settings=paper)

    gain = (default.auc.mean or 0.0) - (local.auc.mean or 1.0)
    for name, value in {
        "seeds": seeds,
        "majority": default.majority,
        "after_5": default.accuracy["5"].mean,
        "after_10": default.accuracy["10"].mean,
        "worst_after_10": default.accuracy["10"].min,
        "after_50": default.accuracy["50"].mean,
        "auc": default.auc.mean,
        "auc_over_local": gain,
    }.items():
        record_property(name, value)
    assert gain > 0.15
    assert (default.accuracy["50"].mean or 0.0) > default.majority + 0.2
