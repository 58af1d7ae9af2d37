"""How much of the rubric fits a prompt."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluation.methods.juryflow_rubric import BYTES_PER_TOKEN, fitting, rubric_tokens
from evaluation.methods.juryflow_text import Writer
from evaluation.schemas import Label, RubricExample, RubricText
from tests.evaluation.llm.builders import SECRET, statement_subject

EXAMPLE = RubricExample("Installation is included in the price.", Label.REJECT, "ruled by Ana")
BARE = RubricText(12, 1, "A service counts as included only if the source says so.")
FULL = replace(BARE, boundary="a price is given", tags=("services", "price"), positive=EXAMPLE, negative=EXAMPLE)


@pytest.mark.parametrize("entry", [BARE, FULL, replace(FULL, criterion="x" * 900)])
def test_it_counts_what_is_written_within_a_tenth(entry: RubricText) -> None:
    alone, twice = (Writer(replace(statement_subject(), rubric=(entry,) * n), SECRET).rubric() for n in (1, 2))

    tokens = rubric_tokens(entry)

    assert tokens == pytest.approx((len(twice) - len(alone)) / BYTES_PER_TOKEN, rel=0.1)


def test_longer_characters_take_more_tokens() -> None:
    latin, japanese = (rubric_tokens(RubricText(1, 1, letter * 80)) for letter in "x価")

    assert japanese - latin == 2 * 80 // BYTES_PER_TOKEN


def test_entries_that_fit_are_taken_in_order_and_one_too_long_is_passed_over() -> None:
    assert fitting([40, 70, 50, 20, 10], 100) == [True, False, True, False, True]
    assert fitting([1], 0) == [False]
