"""The report of an import as a person reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.management import import_report
from evaluation.models import Project
from evaluation.services import imports

pytestmark = pytest.mark.django_db
HEAD = "item,judge,label,text,gold\n"


def report(project: Project, folder: Path, text: str) -> tuple[dict[str, object], str]:
    file = folder / "votes.csv"
    file.write_text(text)
    record, reading = imports.prepare_path(project=project, path=file)
    facts = import_report.facts_of(record, reading)
    return facts, "\n".join(import_report.lines_of(facts))


def test_figures_stand_beside_what_is_new_when_gold_is_known(project: Project, tmp_path: Path) -> None:
    facts, text = report(project, tmp_path, HEAD + "c1,a,accept,One,accept\nc1,b,reject,One,accept\n")

    assert facts["statements"] == 1
    assert "holds 1 statement, 2 votes of 2 judges: a, b" in text
    assert "majority 50.0 %, any judge right 100.0 %, judges disagree on 1 of 1" in text


def test_there_are_no_figures_without_gold(project: Project, tmp_path: Path) -> None:
    facts, text = report(project, tmp_path, HEAD + "c1,a,accept,One,\n")

    assert facts["figures"] is None
    assert "gold" not in text


def test_many_refused_places_are_cut_with_their_number(project: Project, tmp_path: Path) -> None:
    rows = "".join(f"c{n},a,perhaps,One,\n" for n in range(25))

    _, text = report(project, tmp_path, HEAD + rows)

    assert text.count("refused: votes.csv, row") == 20
    assert "and 5 more" in text
