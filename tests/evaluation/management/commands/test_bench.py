"""`bench` prints its figures under the promised keys and refuses what cannot be timed."""

from __future__ import annotations

import pytest
from django.core.management import CommandError

from tests.evaluation.management.commands.conftest import Ask, Say


def test_graph_has_its_keys(ask: Ask) -> None:
    found = ask("bench", "graph", "--claims", "600")

    assert list(found) == [
        "seconds_product",
        "seconds_edges",
        "seconds_networkx",
        "ratio_to_matmul",
        "ratio_to_loops",
    ]
    assert min(found.values()) > 0


def test_decide_has_its_keys(ask: Ask) -> None:
    found = ask("bench", "decide", "--claims", "500", "--voters", "3")

    assert list(found) == ["seconds_median", "patterns"]
    assert 8 <= found["patterns"] <= 27


def test_people_read_what_each_figure_means(say: Say) -> None:
    text = say("bench", "decide", "--claims", "500", "--voters", "3")

    assert "one decision: re-weighting and ranking" in text


def test_one_claim_makes_no_graph(say: Say) -> None:
    with pytest.raises(CommandError, match="at least 2 claims"):
        say("bench", "graph", "--claims", "1")
