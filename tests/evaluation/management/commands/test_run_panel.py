"""`run_panel` lets judges vote in the foreground and says what came of it."""

from __future__ import annotations

import pytest
from django.core.management import CommandError

from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import ClaimGraph, Project, Run, Verdict
from evaluation.services import judges
from evaluation.services.judges import NewJudge
from tests.evaluation.management.commands.conftest import Ask, Say, WriteMemo

pytestmark = pytest.mark.django_db
FALSE = "The fridge holds 190 litres."


@pytest.fixture
def memo(ask: Ask, write_memo: WriteMemo) -> Project:
    ask("import_data", str(write_memo([FALSE])), "--project", "Memos")
    return Project.objects.get(slug="memos")


def test_five_offline_judges_vote_and_the_graph_is_built(memo: Project, ask: Ask) -> None:
    found = ask("run_panel", "--offline")

    by_name = {judge["name"]: judge for judge in found["judges"]}
    assert found["state"] == "done"
    assert set(by_name) == set(judges.OFFLINE_JUDGES.values())
    assert by_name["Words"] == {"name": "Words", "cast": 4, "abstained": 0, "failed": 0}
    assert sum(judge["cast"] for judge in found["judges"]) == Verdict.objects.filter(state="cast").count()
    assert found["graph"]["claims"] == 4
    assert ClaimGraph.objects.get(project=memo).n_claims == 4


def test_a_second_run_finds_nothing_to_ask(memo: Project, ask: Ask, say: Say) -> None:
    ask("run_panel", "--offline", "--no-graph")

    text = say("run_panel")

    assert "Every judge has voted on everything" in text
    assert Run.objects.filter(kind=Run.Kind.PANEL).count() == 1


def test_again_asks_about_everything_once_more(memo: Project, ask: Ask) -> None:
    ask("run_panel", "--offline", "--no-graph")

    found = ask("run_panel", "--again", "--no-graph")

    assert found["run"] is not None
    assert {judge["cast"] + judge["abstained"] for judge in found["judges"]} == {4}
    assert found["graph"] is None


def test_a_dry_run_says_what_it_takes_and_asks_nobody(memo: Project, ask: Ask) -> None:
    found = ask("run_panel", "--offline", "--dry-run")

    assert found["estimate"]["n_calls_low"] == 5
    assert not Run.objects.filter(kind=Run.Kind.PANEL).exists()


def test_without_a_judge_it_says_how_to_get_one(memo: Project, say: Say) -> None:
    with pytest.raises(CommandError, match="add the offline panel"):
        say("run_panel")


def test_where_no_judge_answers_it_fails_with_the_reason(memo: Project, say: Say) -> None:
    with LocalServer([Step(status=401, message="who are you")]) as server:
        new = NewJudge(name="Stranger", provider="openai_chat", model="any", base_url=server.openai_url)
        judges.add(project=memo, new=new)

        with pytest.raises(CommandError, match=r"No judge could answer\. First reason: .*who are you"):
            say("run_panel", "--no-graph")


def test_a_remote_judge_votes_over_http(memo: Project, ask: Ask) -> None:
    with LocalServer() as server:
        new = NewJudge(name="Local", provider="openai_chat", model="any", base_url=server.openai_url)
        judges.add(project=memo, new=new)

        found = ask("run_panel", "--no-graph")

    assert found["estimate"]["remote_providers"] == ["openai_chat"]
    assert found["judges"] == [{"name": "Local", "cast": 4, "abstained": 0, "failed": 0}]


def test_an_unknown_project_is_named_with_those_there_are(memo: Project, say: Say) -> None:
    with pytest.raises(CommandError, match=r"no project “nowhere”\. There are: memos\."):
        say("run_panel", "--project", "nowhere")
