"""`replay` on recorded votes: the figures that the design rests on, and what is refused."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError

from evaluation.services import demo
from tests.evaluation.management.commands.conftest import Ask, Say

KEYS = ["n", "n_disagree", "majority", "oracle_any", "judges", "accuracy", "undecided_accuracy", "auc"]
VOTES = "item,judge,label,text,gold\n" + "".join(
    f"c{n},good,{'accept' if n % 2 else 'reject'},Claim {n},{'accept' if n % 2 else 'reject'}\n"
    f"c{n},bad,{'reject' if n % 2 else 'accept'},Claim {n},{'accept' if n % 2 else 'reject'}\n"
    for n in range(30)
)


@pytest.fixture
def votes(tmp_path: Path) -> Path:
    file = tmp_path / "votes.csv"
    file.write_text(VOTES)
    return file


@pytest.fixture
def llmbar(shared: Path) -> tuple[str, ...]:
    return ("replay", "--format", "llmbar", "--path", str(shared / "data" / "llmbar"), "--prompt", "Vanilla")


def test_reweighting_on_llmbar_reaches_what_was_promised(ask: Ask, llmbar: tuple[str, ...]) -> None:
    found = ask(*llmbar, "--orders", "first", "--update", "reweight", "--policy", "posterior_entropy")
    local = ask(*llmbar, "--orders", "first", "--update", "local", "--policy", "panel_entropy")

    assert (found["n"], found["n_disagree"]) == (419, 292)
    assert round(found["majority"], 3) == 0.587
    assert found["accuracy"]["5"]["mean"] >= 0.78
    assert found["accuracy"]["10"]["mean"] >= 0.80
    assert found["accuracy"]["50"]["mean"] >= 0.84
    assert found["accuracy"]["10"]["min"] >= 0.75
    assert found["auc"]["mean"] >= local["auc"]["mean"] + 0.18


def test_both_orders_make_two_voters_of_a_judge(ask: Ask, llmbar: tuple[str, ...]) -> None:
    found = ask(*llmbar, "--orders", "both", "--decisions", "5", "--seeds", "1")

    assert len(found["judges"]) == 5
    assert round(found["majority"], 3) == 0.634
    assert round(found["oracle_any"], 3) == 0.971


def test_json_holds_exactly_the_promised_keys(ask: Ask, votes: Path) -> None:
    found = ask("replay", "--format", "votes", "--path", str(votes))

    assert list(found) == KEYS
    assert list(found["accuracy"]) == list(found["undecided_accuracy"]) == ["0", "5", "10", "20", "50"]
    assert list(found["auc"]) == ["mean", "min", "max"]
    assert list(found["judges"][0]) == ["name", "accuracy", "kappa"]


def test_rulings_find_out_which_judge_is_right(ask: Ask, votes: Path) -> None:
    found = ask("replay", "--path", str(votes), "--decisions", "5", "--seeds", "4")

    assert found["majority"] == 0.5
    assert found["undecided_accuracy"]["5"]["min"] == 1.0
    assert [(judge["name"], judge["accuracy"]) for judge in found["judges"]] == [("good", 1.0), ("bad", 0.0)]


def test_audits_and_other_policies_run_too(ask: Ask, votes: Path) -> None:
    found = ask("replay", str(votes), "--policy", "random", "--audit-every", "3", "--decisions", "9", "--seeds", "2")

    assert found["accuracy"]["5"]["mean"] > 0.5


def test_flip_follows_likeness_of_texts(ask: Ask, votes: Path) -> None:
    found = ask("replay", str(votes), "--update", "flip", "--beta", "0.2", "--decisions", "10", "--seeds", "2")

    assert 0.5 <= found["accuracy"]["10"]["mean"] <= 1.0


def test_the_picture_is_one_file_that_needs_no_network(say: Say, votes: Path, tmp_path: Path) -> None:
    picture = tmp_path / "course.html"

    text = say("replay", str(votes), "--decisions", "5", "--seeds", "2", "--plot", str(picture))

    page = picture.read_text()
    assert f"open {picture}" in text
    assert "Plotly.newPlot" in page
    assert '<script src="http' not in page


def test_it_makes_no_database(root: Path, votes: Path, tmp_path: Path) -> None:
    data = tmp_path / "data"
    command = [sys.executable, "manage.py", "replay", str(votes), "--decisions", "2", "--seeds", "1", "--json"]
    environment = {**os.environ, "JURYFLOW_DATA": str(data), "DJANGO_SETTINGS_MODULE": "juryflow_app.settings"}

    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert list(json.loads(done.stdout)) == KEYS
    assert {path.name for path in data.iterdir()} <= {"secret_key"}


@pytest.mark.django_db
def test_the_demo_can_be_replayed_from_its_export(ask: Ask, owner: User, tmp_path: Path) -> None:
    slug = demo.load(owner=owner).slug
    file = tmp_path / "demo-votes.csv"
    ask("export_data", "--project", slug, "--what", "votes", "--out", str(file))

    found = ask("replay", str(file), "--decisions", "10", "--seeds", "2")

    assert slug == "larkhaven-clinic-buys-a-fridge"
    assert len(found["judges"]) == 5
    assert found["accuracy"]["10"]["min"] > found["majority"]


def test_the_figures_are_explained(say: Say, votes: Path) -> None:
    text = say("replay", str(votes), "--decisions", "2", "--seeds", "1")

    assert "lowest and highest are over the tie-break seeds" in text
    assert "at least one vote equals gold" in text


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--decisions", "0"], "at least one decision"),
        (["--seeds", "0"], "at least one decision and one seed"),
        (["--audit-every", "-1"], "not every -1"),
        (["--beta", "2"], "between 0 and 1"),
        (["--prompt", "x", "--path", "y"], "Name one file"),
    ],
)
def test_what_makes_no_sense_is_refused(words: list[str], sentence: str, say: Say, votes: Path) -> None:
    with pytest.raises(CommandError, match=sentence):
        say("replay", str(votes), *words)


def test_a_file_without_gold_cannot_be_replayed(say: Say, tmp_path: Path) -> None:
    file = tmp_path / "votes.csv"
    file.write_text("item,judge,label,text\nc1,gpt,accept,One\n")

    with pytest.raises(CommandError, match="gold and votes"):
        say("replay", str(file))


def test_a_broken_file_is_refused_with_its_place(say: Say, tmp_path: Path) -> None:
    file = tmp_path / "votes.csv"
    file.write_text("item,judge,label,text\nc1,gpt,perhaps,One\n")

    with pytest.raises(CommandError, match=r"votes\.csv, row 2, label"):
        say("replay", str(file))
