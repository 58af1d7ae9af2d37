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


def test_panel_measures_beside_a_server_of_its_own(ask: Ask) -> None:
    found = ask("bench", "panel", "--calls", "8", "--latency", "0.05", "--concurrency", "4", "--input-tokens", "9")

    assert list(found)[:5] == ["ratio_to_lower_bound", "seconds", "seconds_lower_bound", "seconds_start_up", "calls"]
    assert (found["n_sent"], found["n_received"], found["n_by_server"]) == (8, 8, {"answered": 8})
    assert (found["n_disagreeing"], found["n_lost"], found["n_votes"]) == (0, 0, 40)


def test_one_claim_makes_no_graph(say: Say) -> None:
    with pytest.raises(CommandError, match="at least 2 claims"):
        say("bench", "graph", "--claims", "1")
