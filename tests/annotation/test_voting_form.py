"""The form about how judges are asked."""

from __future__ import annotations

import re

import pytest

from annotation.voting_form import VotingForm
from evaluation.models import Project


def test_it_shows_how_the_project_stands() -> None:
    form = VotingForm.of(Project(parameters={"samples": 3, "both_orders": False}))

    assert form.initial == {"samples": 3, "both_orders": False}


@pytest.mark.parametrize("both_orders", [True, False])
def test_without_pairs_what_holds_for_them_is_kept_unseen(both_orders: bool) -> None:
    form = VotingForm.of(Project(parameters={"both_orders": both_orders}), has_pairs=False)
    hidden = str(form["both_orders"])

    kept = VotingForm({"samples": "1", "both_orders": re.findall(r'value="(\w+)"', hidden)[0]})

    assert form["both_orders"].is_hidden
    assert kept.is_valid()
    assert kept.cleaned_data["both_orders"] is both_orders


@pytest.mark.parametrize(("posted", "is_valid"), [("1", True), ("9", True), ("0", False), ("10", False), ("x", False)])
def test_it_takes_one_to_nine_votes(posted: str, is_valid: bool) -> None:
    assert VotingForm({"samples": posted}).is_valid() is is_valid


def test_a_box_that_is_not_ticked_means_one_order() -> None:
    form = VotingForm({"samples": "2"})

    assert form.is_valid()
    assert form.cleaned_data == {"samples": 2, "both_orders": False}
