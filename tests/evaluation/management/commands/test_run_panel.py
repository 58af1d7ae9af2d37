"""`run_panel` lets judges vote in the foreground and says what came of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

import pytest
from django.core.management import CommandError

from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import ClaimGraph, Project, Purse, Run, Verdict
from evaluation.services import judges, panel, prices
from evaluation.services.judges import NewJudge
from evaluation.services.prices import NewPrice
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
        new = NewJudge("Stranger", "openai_chat", "any", base_url=server.openai_url, may_see_text=True)
        judges.add(project=memo, new=new)

        with pytest.raises(CommandError, match=r"No judge could answer\. First reason: .*who are you"):
            say("run_panel", "--no-graph")


def test_a_remote_judge_votes_over_http(memo: Project, ask: Ask) -> None:
    with LocalServer() as server:
        new = NewJudge("Local", "openai_chat", "any", base_url=server.openai_url, may_see_text=True)
        judges.add(project=memo, new=new)

        found = ask("run_panel", "--no-graph")

    assert found["estimate"]["remote_providers"] == ["openai_chat"]
    assert found["judges"] == [{"name": "Local", "cast": 4, "abstained": 0, "failed": 0}]


def test_an_unknown_project_is_named_with_those_there_are(memo: Project, say: Say) -> None:
    with pytest.raises(CommandError, match=r"no project “nowhere”\. There are: memos\."):
        say("run_panel", "--project", "nowhere")


@pytest.fixture
def local(memo: Project) -> Iterator[LocalServer]:
    """A server of our own at a dollar per thousand tokens, and a judge there."""
    with LocalServer() as server:
        new = NewJudge(name="Local", provider="openai_chat", model="any", base_url=server.openai_url, may_see_text=True)
        judge = judges.add(project=memo, new=new)
        prices.set_price(
            new=NewPrice(
                provider=judge.provider,
                host=prices.host_of(judge),
                model="any",
                valid_from=date(2026, 1, 1),
                input_micros=1_000_000_000,
                output_micros=1_000_000_000,
            )
        )
        yield server


def test_the_cost_is_said_as_a_range_before(local: LocalServer, ask: Ask, say: Say) -> None:
    found = ask("run_panel", "--dry-run")
    text = say("run_panel", "--dry-run")

    cost = found["cost"]
    assert 0 < cost["low_micros"] < cost["high_micros"]
    assert cost["unpriced"] == []
    assert [judge["name"] for judge in cost["judges"]] == ["Local"]
    said = re.search(r"cost \$[\d.,]+ to \$([\d.,]+): \$[\d.,]+ expected, at most \$([\d.,]+)", text)
    assert said is not None
    assert said[1] == said[2]


def test_a_run_that_would_pass_its_cap_pauses_and_goes_on_with_a_higher_one(
    memo: Project, local: LocalServer, ask: Ask
) -> None:
    with pytest.raises(CommandError, match=r"The run is paused\. The cap of this run is reached.*--cap DOLLARS"):
        ask("run_panel", "--cap", "0.01", "--no-graph")
    before = len(local.received)

    found = ask("run_panel", "--cap", "1000", "--no-graph")

    assert before == 0
    assert found["state"] == "done"
    assert 0 < found["spent_micros"] <= found["cap_micros"] == 1_000_000_000
    assert Run.objects.filter(kind=Run.Kind.PANEL).count() == 1


def test_asking_again_what_did_not_change_costs_nothing(local: LocalServer, ask: Ask) -> None:
    first = ask("run_panel", "--no-graph")
    sent = len(local.received)

    again = ask("run_panel", "--again", "--no-graph")

    assert first["spent_micros"] > 0
    assert (again["spent_micros"], again["calls"], again["reused"]) == (0, 0, first["calls"])
    assert len(local.received) == sent


def test_samples_multiply_the_calls(local: LocalServer, ask: Ask) -> None:
    found = ask("run_panel", "--samples", "3", "--no-graph")

    assert found["estimate"]["n_calls_low"] == found["calls"] == 3


def test_under_a_cap_an_unknown_price_is_refused_with_what_to_do(memo: Project, say: Say) -> None:
    new = NewJudge(name="Own", provider="openai_chat", model="any", base_url="http://127.0.0.1:9/v1", may_see_text=True)
    judges.add(project=memo, new=new)

    assert "price unknown: Own" in say("run_panel", "--dry-run")
    with pytest.raises(CommandError, match=r"No price is known for Own \(any\).*page Prices"):
        say("run_panel", "--cap", "1")


def test_only_failed_asks_for_what_failed(memo: Project, local: LocalServer, ask: Ask, say: Say) -> None:
    ask("run_panel", "--no-graph")
    nothing = say("run_panel", "--only-failed")
    Verdict.objects.filter(claim=memo.claims.earliest("pk")).update(state="failed", label="", failure_reason="timeout")

    found = ask("run_panel", "--only-failed", "--no-graph")

    assert "No vote failed in “Memos”: nothing was asked." in nothing
    assert found["judges"][0]["cast"] == 1


@pytest.mark.parametrize("words", [("--cap", "much"), ("--cap", "-1"), ("--cap", "nan"), ("--samples", "0")])
def test_a_wish_that_makes_no_sense_is_refused(memo: Project, say: Say, words: tuple[str, str]) -> None:
    with pytest.raises(CommandError):
        say("run_panel", "=".join(words))


def test_again_and_only_failed_exclude_each_other(memo: Project, say: Say) -> None:
    with pytest.raises(CommandError, match="not allowed with"):
        say("run_panel", "--again", "--only-failed")


def test_a_dry_run_with_nothing_to_do_does_not_say_to_let_them_vote(memo: Project, ask: Ask, say: Say) -> None:
    before = say("run_panel", "--dry-run", "--offline")
    ask("run_panel", "--no-graph")

    after = say("run_panel", "--dry-run")

    assert "Next   let them vote" in before
    assert "Every judge has voted on everything" in after
    assert "let them vote" not in after


def test_a_dry_run_of_what_cannot_start_says_why_and_not_to_start_it(memo: Project, say: Say) -> None:
    text = say("run_panel", "--dry-run")

    assert "add the offline panel" in text
    assert "let them vote" not in text


@pytest.fixture
def left_open(memo: Project) -> Run:
    """A run that was begun and that nobody works on."""
    judges.add_offline_panel(project=memo)
    return panel.open_run(project=memo, by=None, options=panel.RunOptions(samples=2, cap_micros=5_000_000))


def test_it_says_on_stderr_that_it_works_on_the_open_run(
    left_open: Run, ask: Ask, capsys: pytest.CaptureFixture[str]
) -> None:
    found = ask("run_panel", "--samples", "2", "--cap", "5", "--no-graph")

    assert (found["run"], found["state"]) == (left_open.pk, "done")
    assert capsys.readouterr().err == f"Works on run {left_open.pk} of “Memos”, which is open already.\n"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--again"], "so --again cannot be followed"),
        (["--only-failed"], "so --only-failed cannot be followed"),
        (["--samples", "3", "--in-batches"], "so --samples, --in-batches cannot be followed"),
        (["--decompose", "shared"], "so --decompose cannot be followed"),
        (["--cap", "0.2"], "pause it on its page before you give it another cap"),
    ],
)
def test_what_an_open_run_does_not_do_is_refused(left_open: Run, say: Say, words: list[str], named: str) -> None:
    with pytest.raises(CommandError, match=rf"^Run {left_open.pk} is .*{named}"):
        say("run_panel", *words)

    left_open.refresh_from_db()
    assert left_open.state == Run.State.QUEUED
    assert Purse.objects.get(run=left_open).cap_micros == 5_000_000
