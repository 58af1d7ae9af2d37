"""Tables and numbers for a terminal."""

from __future__ import annotations

from evaluation.management.tables import counted, decimals, percent, table


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    lines = table(("judge", "right"), [("GPT-4", "82.8 %"), ("a", "1 %")])

    assert lines == ["  judge   right", "  GPT-4  82.8 %", "  a         1 %"]


def test_numbers_that_are_not_defined_are_dashes() -> None:
    assert (percent(None), decimals(None)) == ("-", "-")
    assert (percent(0.5), decimals(0.656)) == ("50.0 %", "0.66")


def test_one_thing_is_singular() -> None:
    assert [counted(n, "claim") for n in (0, 1, 4190)] == ["0 claims", "1 claim", "4,190 claims"]
