"""The log of what is refused and what is odd."""

from __future__ import annotations

import pytest

from evaluation.exchange.problems import MAX_REFUSALS, ProblemLog, TooManyProblemsError
from evaluation.exchange.records import Position, Refusal

AT = Position("f.csv", 2)


def test_the_same_problem_is_noted_once():
    log = ProblemLog()

    log.refuse(AT, "label", "It is empty.")
    log.refuse(AT, "label", "It is empty.")

    assert log.refusals == [Refusal("f.csv", 2, "label", "It is empty.")]
    assert str(log.refusals[0]) == "f.csv, row 2, label: It is empty."


def test_a_problem_of_the_whole_file_names_only_the_file():
    log = ProblemLog()

    log.warn(Position("f.csv"), "", "It is odd.")

    assert str(log.warnings[0]) == "f.csv: It is odd."


def test_the_log_ends_reading_when_it_is_full():
    log = ProblemLog()
    for row in range(1, MAX_REFUSALS):
        log.refuse(Position("f", row), "", "No.")

    with pytest.raises(TooManyProblemsError):
        log.refuse(Position("f", MAX_REFUSALS), "", "No.")

    assert len(log.refusals) == MAX_REFUSALS + 1


def test_refusals_are_read_by_row_within_each_file_and_the_end_of_reading_last():
    log = ProblemLog()
    for file, row in (("b", 3), ("b", 1), ("a", 2), ("b", None)):
        log.refuse(Position(file, row), "", "No.")

    assert [(refusal.file, refusal.row) for refusal in log.by_row()] == [("b", None), ("b", 1), ("b", 3), ("a", 2)]


def test_that_reading_stopped_is_said_last():
    log = ProblemLog()

    for row in range(MAX_REFUSALS, 1, -1):
        log.refuse(Position("f", row), "", "No.")
    with pytest.raises(TooManyProblemsError):
        log.refuse(Position("f", 1), "", "No.")

    assert log.by_row()[0].row == 1
    assert "stopped" in log.by_row()[-1].reason
