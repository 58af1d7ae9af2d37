"""The table of `make endurance` names commit, date and machine, and has a row for each test."""

from __future__ import annotations

import pytest

from tests import endurance_table


def report(name: str, *, seconds: float, figures: list[tuple[str, object]]) -> pytest.TestReport:
    return pytest.TestReport(
        nodeid=f"tests/test_a.py::{name}",
        location=("tests/test_a.py", 0, name),
        keywords={},
        outcome="passed",
        longrepr=None,
        when="call",
        duration=seconds,
        user_properties=figures,
    )


def test_it_has_a_row_for_each_test_in_order_of_name() -> None:
    slow = report("test_slow", seconds=12.34, figures=[("ratio", 81.23456), ("patterns", 7)])
    fast = report("test_fast", seconds=1.0, figures=[])

    lines = endurance_table.table([slow, fast])

    assert lines[-2:] == ["| test_fast | - | 1.0 | passed |", "| test_slow | ratio 81.23, patterns 7 | 12.3 | passed |"]


def test_it_says_where_and_from_what_it_was_made() -> None:
    heading = endurance_table.table([])[1]

    assert heading.startswith("Commit ")
    assert "cores" in heading
    assert "Python 3." in heading
