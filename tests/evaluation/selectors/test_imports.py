"""An import's report as rows."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from evaluation.models import Import, Project
from evaluation.selectors.imports import CountRow, Refusal, import_records, report_page
from tests.factories import make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project()


def make_import(project: Project, report: Mapping[str, object], state: str = Import.State.REPORTED) -> Import:
    return Import.objects.create(
        project=project, filename="a.csv", format="votes", sha256="0", report=report, state=state, content=b"x"
    )


def test_counts_come_in_the_order_of_the_material_and_leave_out_empty_sorts(project: Project) -> None:
    report = {"new": {"verdict": 4, "claim": 2, "document": 0}, "unchanged": {"claim": 1}, "conflicting": {}}

    page = report_page(record=make_import(project, report))

    assert page.counts == (CountRow("Claims", 2, 1, 0), CountRow("Votes", 4, 0, 0))


def test_a_sort_without_a_word_of_its_own_is_shown_all_the_same(project: Project) -> None:
    page = report_page(record=make_import(project, {"new": {"gizmo": 1}}))

    assert page.counts == (CountRow("gizmo", 1, 0, 0),)


def test_a_refusal_may_lack_row_and_field(project: Project) -> None:
    report = {"refused": [{"file": "a.csv", "row": None, "field": None, "reason": "It is empty."}], "n_refused": 900}

    page = report_page(record=make_import(project, report, Import.State.REFUSED))

    assert page.refusals == (Refusal("a.csv", "", "", "It is empty."),)
    assert page.n_refusals == 900
    assert not page.can_commit


def test_the_list_does_not_read_the_bytes(project: Project) -> None:
    make_import(project, {})

    record = import_records(project=project)[0]

    assert "content" in record.get_deferred_fields()
