"""Labels of a pair as shown and as given."""

from __future__ import annotations

import pytest

from evaluation.llm.presentation import CANNOT_ASSESS, turned
from evaluation.schemas import Label, PresentationOrder


@pytest.mark.parametrize("label", list(Label))
def test_a_pair_shown_as_given_keeps_its_labels(label: Label) -> None:
    assert turned(label, PresentationOrder.AS_GIVEN) is label


def test_first_and_second_change_places_where_the_answers_did() -> None:
    assert turned(Label.FIRST, PresentationOrder.SWAPPED) is Label.SECOND
    assert turned(Label.SECOND, PresentationOrder.SWAPPED) is Label.FIRST


@pytest.mark.parametrize("label", [Label.TIE, Label.ACCEPT, Label.REJECT, Label.UNCERTAIN])
def test_a_label_without_a_side_stays(label: Label) -> None:
    assert turned(label, PresentationOrder.SWAPPED) is label


@pytest.mark.parametrize("label", list(Label))
def test_there_and_back_is_the_same_label(label: Label) -> None:
    assert turned(turned(label, PresentationOrder.SWAPPED), PresentationOrder.SWAPPED) is label


def test_the_way_out_is_no_label() -> None:
    assert CANNOT_ASSESS not in set(Label)
