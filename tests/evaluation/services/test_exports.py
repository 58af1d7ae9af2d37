"""Exports: every choice reads back, hostile texts come out literally, and only what exists can be asked for."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from evaluation.algorithms.voters import judge_of
from evaluation.errors import InvalidInputError
from evaluation.models import Project, Verdict
from evaluation.services import decisions, draws, exports, imports, rubric
from evaluation.services.exports import CHOICES, Choice
from evaluation.services.rubric_support import EntryText
from tests import factories

pytestmark = pytest.mark.django_db

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "{{ 7*7 }} {% load x %}",
    "=cmd|' /C calc'!A0",
    'a,b;c\t"d"\nnew line',
    "Zeile\u2028eins 🙂 \u202eesrever",
)


def text_of(project: Project, what: str, fmt: str) -> str:
    return "".join(exports.stream(project=project, what=what, fmt=fmt))


def records(project: Project, what: str = "all") -> list[dict[str, object]]:
    return [json.loads(line) for line in text_of(project, what, "jsonl").split("\n") if line]


def rows(project: Project, what: str, fmt: str = "csv") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text_of(project, what, fmt).removeprefix("\ufeff"), newline="")))


@pytest.fixture
def filled(project: Project, owner: User) -> Project:
    """A ruled claim, an open one and a rule resting on the ruling."""
    judges = factories.make_judges(project)
    first, _ = factories.make_disputed(project, judges, 2)
    draw = draws.by_hand(claim=first, expert=owner)
    ruling = decisions.Ruling(label="reject", reason="Read page 2.", is_serious=True)
    decision = decisions.record(draw=draw, ruling=ruling)
    text = EntryText("Check numbers.", boundary="they are rounded.", negative_example=first.text, tags=("time",))
    entry = rubric.write(project=project, text=text, by=owner)
    entry.decisions.add(decision)
    rubric.adopt(entry=entry, by=owner)
    return project


@pytest.mark.parametrize("choice", CHOICES, ids=lambda each: f"{each.what}-{each.fmt}")
def test_every_choice_gives_a_file_for_full_and_empty_projects(filled: Project, choice: Choice) -> None:
    empty = factories.make_project()

    full_text, empty_text = (text_of(each, choice.what, choice.fmt) for each in (filled, empty))

    assert len(full_text) > 100
    assert len(empty_text) < len(full_text)
    assert exports.choice(choice.what, choice.fmt) == choice


def test_an_unknown_choice_names_those_there_are(project: Project) -> None:
    with pytest.raises(InvalidInputError, match=r"no export of votes as xml\. There are: all as jsonl, claims as csv"):
        exports.stream(project=project, what="votes", fmt="xml")


def test_a_claim_comes_with_its_answer_and_ruling(filled: Project) -> None:
    ruled, still_open = rows(filled, "claims")

    assert (ruled["answer"], ruled["answer_source"], ruled["ruled_by"]) == ("reject", "expert", "tom")
    assert (ruled["ruling_reason"], ruled["votes"]) == ("Read page 2.", "accept 2; reject 1")
    assert ruled["ruled_at"].endswith("+00:00")
    assert (still_open["answer"], still_open["answer_source"], still_open["ruled_by"]) == ("accept", "panel", "")
    assert 0 < float(still_open["support"]) < 1


def test_a_claim_says_how_many_judges_failed(filled: Project) -> None:
    judge, claim = filled.judges.all()[0], filled.claims.all()[0]
    claim.verdicts.filter(judge=judge).update(state=Verdict.State.FAILED, label="")

    assert [row["votes_failed"] for row in rows(filled, "claims")] == ["1", "0"]


def test_votes_import_again_to_the_same_answers(filled: Project, owner: User) -> None:
    copy = factories.make_project(owner=owner)

    record = imports.prepare(project=copy, content=text_of(filled, "votes", "csv").encode(), filename="votes.csv")
    imports.commit(record=record)

    assert rows(copy, "votes") == rows(filled, "votes")
    assert copy.outcomes.filter(pattern__n_cast=3).count() == 2


@pytest.mark.parametrize(("what", "fmt"), [("votes", "csv"), ("all", "jsonl")])
def test_every_sample_in_every_order_comes_back(project: Project, owner: User, what: str, fmt: str) -> None:
    one, other = factories.make_judges(project, 2)
    pair = factories.make_pair(project)
    for order in ("as_given", "swapped"):
        votes = {one: ("first", "second", "first"), other: ("tie", "", "first")}
        factories.vote_repeatedly(pair, votes, order=order)
    copy = factories.make_project(owner=owner)

    record = imports.prepare(project=copy, content=text_of(project, what, fmt).encode(), filename=f"votes.{fmt}")
    imports.commit(record=record)

    brought = rows(copy, "votes")
    assert [row["sample"] for row in brought] == ["0", "1", "2"] * 4
    assert brought == rows(project, "votes")
    assert [row["votes"] for row in rows(copy, "claims")] == [row["votes"] for row in rows(project, "claims")]
    assert copy.outcomes.get().pattern.votes == [
        [voter.replace(f"j{old}", f"j{new}"), label, share]
        for voter, label, share in project.outcomes.get().pattern.votes
        for old, new in [_judge_ids(project, copy, voter)]
    ]


def _judge_ids(project: Project, copy: Project, voter: str) -> tuple[int, int]:
    judge = project.judges.get(pk=judge_of(voter))
    return judge.pk, copy.judges.get(name=judge.name).pk


def test_rulings_say_how_their_claim_was_drawn(filled: Project) -> None:
    lines = records(filled, "decisions")

    (decision,) = [line for line in lines if line["type"] == "decision"]
    assert (decision["label"], decision["expert"], decision["serious"]) == ("reject", "tom", True)
    assert decision["draw"] == {"policy": "by_hand", "rank": None, "probability": None, "audit": False, "by_hand": True}


def test_the_rubric_goes_home_with_boundary_examples_tags_and_provenance(filled: Project, owner: User) -> None:
    rubric.write(project=filled, text=EntryText("A mere draft."), by=owner)

    markdown, data = text_of(filled, "rubric", "markdown"), json.loads(text_of(filled, "rubric", "json"))

    for words in ("Check numbers.", "they are rounded.", "time", "Read page 2.", "tom"):
        assert words in markdown
    first, second = data["entries"]
    assert (first["criterion"], first["status"], second["status"]) == ("Check numbers.", "active", "draft")
    assert first["boundary"] == "they are rounded."
    assert first["examples"]["negative"]["label"] == "reject"
    assert first["provenance"][0]["expert"] == "tom"


def test_a_rule_rests_on_standing_rulings_only(filled: Project, owner: User) -> None:
    decisions.undo(decision=filled.decisions.get(), by=owner)

    (row,) = exports.rubric_rows(filled)

    assert (row.provenance, row.status) == ((), "under_review")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_come_out_literally(project: Project, owner: User, text: str) -> None:
    judges = factories.make_judges(project)
    claim = factories.make_claim(project, text)
    factories.vote(claim, dict.fromkeys(judges, "accept"))
    rule = rubric.write(project=project, text=EntryText(text), by=owner)

    claims = [line["text"] for line in records(project) if line["type"] == "claim"]
    entries = json.loads(text_of(project, "rubric", "json"))["entries"]
    (safe,) = rows(project, "claims", "csv-safe")

    assert claims == [text]
    assert rows(project, "claims")[0]["text"] == text
    assert entries[0]["criterion"] == rule.criterion
    assert safe["text"].endswith(text)
    assert not safe["text"].startswith("=")


def test_hostile_texts_of_the_shared_cases_come_out_literally(project: Project, shared: Path) -> None:
    cases = json.loads((shared / "cases" / "peer_cases.json").read_text(encoding="utf-8"))
    (case,) = [each for each in cases if each["id"].startswith("pc10")]
    texts = [each for each in strings(case["input"]) if each.strip() and "\x00" not in each]
    claims = [factories.make_claim(project, text) for text in texts]

    found = {row["item"]: row["text"] for row in rows(project, "claims")}

    assert len(texts) > 1
    assert found == {claim.external_id: claim.text for claim in claims}


def strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return [text for each in inner for text in strings(each)]
