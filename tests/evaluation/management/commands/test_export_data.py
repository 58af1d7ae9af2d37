"""`export_data` streams, or writes a file whole."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import CommandError

from evaluation.models import Project, Verdict
from tests.evaluation.management.commands.conftest import Ask, Say, WriteMemo

pytestmark = pytest.mark.django_db
VOTES = {"gpt": ["accept"] * 4, "palm": ["accept", "accept", "accept", "reject"]}


@pytest.fixture
def memo(ask: Ask, write_memo: WriteMemo) -> Project:
    ask("import_data", str(write_memo(["It is blue 🙂."], votes=VOTES)), "--project", "Memos")
    return Project.objects.get(slug="memos")


def test_what_it_prints_imports_again_to_the_same_votes(memo: Project, ask: Ask, say: Say, tmp_path: Path) -> None:
    copy = tmp_path / "copy.jsonl"

    copy.write_text(say("export_data"))
    found = ask("import_data", str(copy), "--project", "Copy")

    assert found["new"]["verdict"] == 8
    assert Verdict.objects.filter(claim__project__slug="copy", label="reject").count() == 1


def test_a_file_is_written_whole_and_json_names_it(memo: Project, ask: Ask, tmp_path: Path) -> None:
    file = tmp_path / "votes.csv"

    found = ask("export_data", "--what", "votes", "--out", str(file))

    assert found["format"] == "csv"
    assert found["bytes"] == len(file.read_bytes())
    assert len(file.read_text().splitlines()) == 9
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_the_rubric_comes_as_json(memo: Project, say: Say) -> None:
    assert isinstance(json.loads(say("export_data", "--what", "rubric", "--format", "json")), dict | list)


def test_json_needs_a_file_for_the_export_itself(memo: Project, ask: Ask) -> None:
    with pytest.raises(CommandError, match="--out"):
        ask("export_data")


def test_an_export_that_does_not_exist_is_named_with_those_there_are(memo: Project, say: Say) -> None:
    with pytest.raises(CommandError, match="no export of rubric as csv"):
        say("export_data", "--what", "rubric", "--format", "csv")


def test_a_file_that_cannot_be_written_is_named(memo: Project, say: Say, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cannot be written"):
        say("export_data", "--out", str(tmp_path / "absent" / "all.jsonl"))
