"""The report of an import as a person reads it."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.management import import_report
from evaluation.models import Project
from evaluation.services import imports

pytestmark = pytest.mark.django_db
HEAD = "item,judge,label,text,gold\n"


def report(project: Project, folder: Path, text: str) -> tuple[import_report.Facts, str]:
    file = folder / "votes.csv"
    file.write_text(text)
    record, reading = imports.prepare_path(project=project, path=file)
    facts = import_report.facts_of(record, reading)
    return facts, "\n".join(import_report.lines_of(facts))


def test_figures_stand_beside_what_is_new_when_gold_is_known(project: Project, tmp_path: Path) -> None:
    rows = "".join(f"c{n},a,accept,One {n},accept\nc{n},b,reject,One {n},accept\n" for n in range(20))

    facts, text = report(project, tmp_path, HEAD + rows)

    assert facts["statements"] == 20
    assert "holds 20 statements, 40 votes of 2 judges: a, b" in text
    assert "20 instances, 20 responses, 20 claims, 40 votes" in text
    assert "majority 50.0 %, any judge right 100.0 %, judges disagree on 20 of 20; a tie counts its share" in text


def test_a_handful_of_claims_gives_no_figures_but_says_why(project: Project, tmp_path: Path) -> None:
    facts, text = report(project, tmp_path, HEAD + "c1,a,accept,One,accept\nc1,b,reject,One,accept\n")

    assert facts["figures"] is not None
    assert "1 instance, 1 response, 1 claim, 2 votes" in text
    assert "Gold is known for 1 claim with votes: too few" in text
    assert "majority" not in text


def test_there_are_no_figures_without_gold(project: Project, tmp_path: Path) -> None:
    facts, text = report(project, tmp_path, HEAD + "c1,a,accept,One,\n")

    assert facts["figures"] is None
    assert "gold" not in text


def test_many_refused_places_are_cut_with_their_number(project: Project, tmp_path: Path) -> None:
    rows = "".join(f"c{n},a,perhaps,One,\n" for n in range(25))

    _, text = report(project, tmp_path, HEAD + rows)

    assert text.count("refused: votes.csv, row") == 20
    assert "and 5 more" in text
