"""A replay as a table and a picture."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.algorithms.simulation.recorded import RecordedItem
from evaluation.algorithms.simulation.replay import ReplayResult, ReplaySettings, replay
from evaluation.errors import InvalidInputError
from evaluation.management.replay_report import lines_of, write_plot
from evaluation.schemas import Vote


@pytest.fixture
def found() -> ReplayResult:
    items = [RecordedItem(f"i{n}", "accept", (Vote("a", "accept"), Vote("b", "reject"))) for n in range(12)]
    return replay(items, ReplaySettings(decisions=10, seeds=2))


def test_a_row_for_each_checkpoint_that_was_reached(found: ReplayResult) -> None:
    text = "\n".join(lines_of(found))

    assert "12 items, judges disagree on 12; majority 50.0 %, any judge right 100.0 %" in text
    assert [line.split()[0] for line in text.splitlines() if line.strip()[:1].isdigit()] == ["12", "0", "5", "10"]
    assert "mean over rulings 1 to 10" in text


def test_the_picture_holds_mean_and_range(found: ReplayResult, tmp_path: Path) -> None:
    write_plot(found, "votes.csv: reweight", tmp_path / "course.html")

    page = (tmp_path / "course.html").read_text()
    assert "votes.csv: reweight" in page
    assert "lowest to highest seed" in page


def test_a_picture_that_cannot_be_written_is_a_sentence(found: ReplayResult, tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="cannot be written"):
        write_plot(found, "votes", tmp_path / "absent" / "course.html")
