"""`validate_judges` on labelled claims of our own making, judged by the offline panel."""

from __future__ import annotations

import pytest
from django.core.management import CommandError

from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Project
from tests import factories
from tests.evaluation.management.commands.conftest import Ask, Say, WriteMemo

pytestmark = pytest.mark.django_db

PLANTED = {
    "Numbers": [
        "The warranty lasts 36 months.",
        "The fridge holds 190 litres.",
        "The fridge arrives 9 weeks after the order.",
    ],
    "Negation and opposites": [
        "Installation is not included in the price.",
        "Installation is excluded from the price.",
    ],
    "Names and new words": ["The offer was signed by Boris Kowalski.", "The fridge plays loud music overnight."],
}


@pytest.mark.parametrize("judge", PLANTED)
def test_each_specialist_catches_its_kind(judge: str, ask: Ask, write_memo: WriteMemo) -> None:
    ask("import_data", str(write_memo(PLANTED[judge])), "--project", "Memos")
    ask("run_panel", "--offline", "--no-graph")

    found = ask("validate_judges")

    by_name = {each["name"]: each for each in found["judges"]}
    assert by_name[judge]["recall"] == {"accept": 1.0, "reject": 1.0}
    assert by_name[judge]["balanced_accuracy"] == 1.0


def test_it_measures_majority_and_judges(ask: Ask, write_memo: WriteMemo) -> None:
    votes = {"gpt": ["accept", "accept", "accept", "reject"], "palm": ["accept", "reject", "abstained", "accept"]}
    ask("import_data", str(write_memo(["It is blue."], votes=votes)), "--project", "Memos")

    found = ask("validate_judges")

    palm = next(each for each in found["judges"] if each["name"] == "palm")
    assert found["project"] == "memos"
    assert found["gold"] == {"accept": 3, "reject": 1}
    assert found["n_ties"] == 2
    assert found["majority"]["accuracy"] == pytest.approx((1 + 0.5 + 1 + 0.5) / 4)
    assert found["majority"]["balanced_accuracy"] == pytest.approx((2.5 / 3 + 0.5) / 2)
    assert (palm["n"], palm["n_abstained"], palm["abstained"]) == (3, 1, 0.25)


def test_people_read_a_table(say: Say, ask: Ask, write_memo: WriteMemo) -> None:
    votes = {"gpt": ["accept"] * 4, "palm": ["accept", "accept", "accept", "reject"]}
    ask("import_data", str(write_memo(["It is blue."], votes=votes)), "--project", "Memos")

    text = say("validate_judges")

    assert "4 labelled claims (3 accept, 1 reject)" in text
    assert "guessing reaches 50.0 %" in text


def test_without_gold_it_says_what_to_import(project: Project, say: Say) -> None:
    with pytest.raises(CommandError, match="field gold"):
        say("validate_judges")


def test_asking_together_is_compared_with_asking_alone(ask: Ask, say: Say, write_memo: WriteMemo) -> None:
    ask("import_data", str(write_memo(["It holds 190 litres."])), "--project", "Memos")
    project = Project.objects.get()
    with LocalServer() as server:
        judge = factories.make_asked_judge(project, server.openai_url)

        found = ask("validate_judges", "--batched-vs-single", "--responses", "3")
        text = say("validate_judges", "--batched-vs-single")

    (measured,) = found["judges"]
    assert set(found) == {"project", "n_responses", "n_claims", "judges", "run", "n_failed_steps"}
    assert (found["n_responses"], found["n_claims"]) == (1, 4)
    assert measured["name"] == judge.name
    assert measured["same"] == measured["repeated"] == {"n": 4, "raw": 1.0, "kappa": 1.0}
    assert (measured["together"]["calls_per_response"], measured["alone"]["calls_per_response"]) == (1.0, 4.0)
    assert "1 response with 4 claims" in text
    assert "100.0 %" in text


def test_a_project_of_pairs_has_nothing_to_ask_together(project: Project, say: Say) -> None:
    factories.make_pair(project)
    factories.make_asked_judge(project, "http://127.0.0.1:9/v1")

    with pytest.raises(CommandError, match="a pair is asked alone"):
        say("validate_judges", "--batched-vs-single")
