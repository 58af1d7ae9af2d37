from __future__ import annotations

from annotation.ruling_form import NOTHING_CHOSEN, RulingForm
from evaluation.models import Claim, Project
from evaluation.selectors.answers import Reader


def form(**data: str) -> RulingForm:
    return RulingForm({"token": "t", **data})


def test_a_ruling_needs_an_answer_or_a_way_out() -> None:
    empty = form(reason="Because.")

    assert not empty.is_valid()
    assert empty.non_field_errors() == [NOTHING_CHOSEN]


def test_setting_aside_carries_no_label_and_no_serious_mark(project: Project) -> None:
    aside = form(action="void", is_serious="on")

    assert aside.is_valid()
    ruling = aside.ruling(Reader(project, 1, 0), Claim(pk=1, kind="statement"), saw_names=False)
    assert (ruling.action, ruling.label, ruling.is_serious) == ("void", "", False)


def test_an_adopted_opinion_is_marked_as_such(project: Project) -> None:
    adopted = form(adopt="reject")

    assert adopted.is_valid()
    ruling = adopted.ruling(Reader(project, 1, 0), Claim(pk=1, kind="statement"), saw_names=True)
    assert (ruling.label, ruling.source, ruling.saw_names) == ("reject", "reviewer", True)


def test_a_swapped_side_is_put_back(project: Project) -> None:
    swapped = next(person for n in range(99) if (person := Reader(project, n, 0)).sees_swapped("preference", 7))
    left = form(label="first")

    assert left.is_valid()
    assert left.ruling(swapped, Claim(pk=7, kind="preference"), saw_names=False).label == "second"


def test_a_nul_in_the_reason_is_refused() -> None:
    assert "reason" in form(label="accept", reason="a\x00b").errors


def test_an_unknown_way_out_is_refused() -> None:
    assert "action" in form(action="rule everything").errors
