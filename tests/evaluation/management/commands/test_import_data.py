"""`import_data` reports first, stores all or nothing, and says how good recorded votes are."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from pytest_django import Settings

from evaluation.management import running
from evaluation.management.running import Running
from evaluation.models import Claim, Import, Project, Verdict
from tests import factories
from tests.evaluation.management.commands.conftest import Ask, Say, WriteMemo

pytestmark = pytest.mark.django_db
FALSE = "The fridge holds 190 litres."


def test_it_makes_a_project_and_stores_everything(ask: Ask, write_memo: WriteMemo) -> None:
    found = ask("import_data", str(write_memo([FALSE])), "--project", "Fridge memos")

    assert found["imported"] is True
    assert found["new"] == {"document": 1, "instance": 1, "response": 1, "claim": 4}
    assert found["statements"] == 4
    project = Project.objects.get(slug="fridge-memos")
    assert project.claims.count() == 4


def test_it_takes_llmbar_with_five_judges_and_says_how_good_they_are(ask: Ask, shared: Path) -> None:
    found = ask("import_data", "--format", "llmbar", "--path", str(shared / "data" / "llmbar"))

    figures = found["figures"]
    judges = {judge["name"]: judge for judge in figures["judges"]}
    assert found["pairs"] == Claim.objects.filter(kind="preference").count() == 419
    assert found["judges"] == ["ChatGPT", "Falcon", "GPT-4", "LLaMA2", "PaLM2"]
    assert found["votes"] == Verdict.objects.count() == 4190
    assert round(figures["majority"], 3) == 0.587
    assert round(figures["oracle_any"], 3) == 0.924
    assert figures["n_disagree"] == 292
    assert round(judges["GPT-4"]["accuracy"], 3) == 0.828
    assert round(judges["GPT-4"]["kappa"], 2) == 0.66


def test_the_same_file_twice_is_one_import_and_says_so(ask: Ask, say: Say, write_memo: WriteMemo) -> None:
    file = str(write_memo([FALSE]))
    ask("import_data", file, "--project", "Memos")

    text = say("import_data", file, "--project", "Memos")

    assert "was imported" in text
    assert "nothing was changed" in text
    assert Import.objects.count() == 1
    assert ask("import_data", file, "--project", "memos")["new"] == {}


def test_a_dry_run_stores_nothing(ask: Ask, write_memo: WriteMemo) -> None:
    found = ask("import_data", str(write_memo([FALSE])), "--project", "Memos", "--dry-run")

    assert found["imported"] is False
    assert found["new"]["claim"] == 4
    assert not Project.objects.exists()
    assert not Import.objects.exists()


def test_a_dry_run_leaves_no_report_in_a_project_that_is_there(
    ask: Ask, project: Project, write_memo: WriteMemo
) -> None:
    ask("import_data", str(write_memo([FALSE])), "--project", project.slug, "--dry-run")

    assert not Import.objects.exists()
    assert not project.claims.exists()


def test_refused_places_have_file_row_field_and_reason(tmp_path: Path) -> None:
    file = tmp_path / "votes.csv"
    file.write_text("item,judge,label,text\nc1,gpt,accept,One\nc1,palm,perhaps,One\n")
    out = StringIO()

    with pytest.raises(CommandError, match="1 place refused"):
        call_command("import_data", str(file), "--project", "Votes", stdout=out)

    assert "refused: votes.csv, row 3, label: “perhaps” is no label of ours" in out.getvalue()
    assert not Project.objects.exists()


def test_other_content_under_a_known_id_stops_until_told_what_to_do(ask: Ask, say: Say, write_memo: WriteMemo) -> None:
    ask("import_data", str(write_memo([FALSE])), "--project", "Memos")
    changed = str(write_memo(["The fridge holds 200 litres."], name="changed.jsonl"))

    with pytest.raises(CommandError, match="--on-conflict keep or --on-conflict replace"):
        say("import_data", changed, "--project", "Memos")
    kept = Claim.objects.get(external_id="c4").text
    ask("import_data", changed, "--project", "Memos", "--on-conflict", "replace")

    assert kept == FALSE
    assert Claim.objects.get(external_id="c4").text == "The fridge holds 200 litres."


def test_the_demo_is_no_place_for_own_data(ask: Ask, write_memo: WriteMemo) -> None:
    factories.make_project("Demo", is_demo=True)

    found = ask("import_data", str(write_memo([FALSE])))

    assert found["project"] == "memo"


def test_it_asks_for_exactly_one_path(say: Say, write_memo: WriteMemo) -> None:
    with pytest.raises(CommandError, match="Name one file"):
        say("import_data")

    assert not Project.objects.exists()


def test_both_runs_name_the_project_they_import_into(say: Say, write_memo: WriteMemo) -> None:
    file = str(write_memo([FALSE]))

    texts = [
        say("import_data", file, "--project", "Fridge memos", *more) for more in (["--dry-run"], [], ["--dry-run"])
    ]

    assert "into: Fridge memos, fridge-memos (will be made)" in texts[0]
    assert "into: Fridge memos, fridge-memos (made)" in texts[1]
    assert "into: Fridge memos, fridge-memos (exists)" in texts[2]


def test_a_dry_run_of_a_file_that_was_imported_says_so_and_has_no_next_step(say: Say, write_memo: WriteMemo) -> None:
    file = str(write_memo([FALSE]))
    first = say("import_data", file, "--project", "Memos", "--dry-run")
    say("import_data", file, "--project", "Memos")

    again = say("import_data", file, "--project", "Memos", "--dry-run")

    assert "Next   import it" in first
    assert "was imported" in again
    assert "Next" not in again


def test_without_a_project_a_new_one_is_made_beside_the_one_that_is_there(
    ask: Ask, project: Project, write_memo: WriteMemo
) -> None:
    found = ask("import_data", str(write_memo([FALSE])))

    assert (found["project"], found["project_is_new"]) == ("memo", True)
    assert not project.claims.exists()


def test_the_next_step_is_an_address_where_juryflow_is_running(say: Say, tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path
    file = tmp_path / "votes.csv"
    file.write_text("item,judge,label,text\nc1,a,accept,One\nc1,b,reject,One\n")

    with running.noted(tmp_path, Running("http://127.0.0.1:8001", 1, "2026-01-01T00:00:00+00:00")):
        text = say("import_data", str(file))

    assert f"http://127.0.0.1:8001{reverse('queue', args=['votes'])}" in text
