"""Imports: a report first, then all or nothing, and the same file twice is one import."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.db import transaction

from evaluation.errors import ConflictError, InvalidInputError
from evaluation.models import Claim, Decision, Import, Instance, Outcome, Project, Response, Revision, Verdict
from evaluation.services import decisions, draws, exports, imports, projects
from tests import factories

pytestmark = pytest.mark.django_db

VOTES = "item,judge,label,text\n{rows}"


def lines(*records: dict[str, object]) -> bytes:
    return "\n".join(json.dumps(record) for record in records).encode() + b"\n"


def take(project: Project, content: bytes, filename: str = "votes.csv", on_conflict: str = "stop") -> Import:
    record = imports.prepare(project=project, content=content, filename=filename)
    return imports.commit(record=record, on_conflict=on_conflict)


def test_it_stores_votes_and_outcomes_of_a_csv(project: Project) -> None:
    content = b"item,judge,label,text,gold\nc1,a,accept,It rains.,reject\nc1,b,reject,It rains.,reject\n"

    record = take(project, content)

    claim = Claim.objects.get(external_id="c1")
    assert record.report["new"] == {"instance": 1, "response": 1, "claim": 1, "verdict": 2}
    assert (claim.text, claim.gold, claim.outcome.state) == ("It rains.", "reject", "split")
    assert not Project.objects.get().allow_uncertain


def test_nothing_is_stored_before_the_commit(project: Project) -> None:
    record = imports.prepare(project=project, content=b"item,judge,label\nc1,a,accept\n", filename="votes.csv")

    assert record.state == Import.State.REPORTED
    assert not Claim.objects.exists()


def test_a_refused_file_stores_nothing_and_names_row_and_field(project: Project) -> None:
    record = imports.prepare(
        project=project, content=b"item,judge,label\nc1,a,accept\nc2,a,maybe\n", filename="votes.csv"
    )

    with pytest.raises(InvalidInputError, match="Nothing was imported"):
        imports.commit(record=record)

    (refused,) = record.report["refused"]
    assert (record.state, refused["row"], refused["field"]) == (Import.State.REFUSED, 3, "label")
    assert not Claim.objects.exists()


def test_the_same_file_twice_is_one_import(project: Project) -> None:
    content = b"item,judge,label\nc1,a,accept\n"
    first = take(project, content)

    again = imports.prepare(project=project, content=content, filename="other-name.csv")

    assert again.pk == first.pk
    assert Verdict.objects.count() == 1


FIRST_UPLOAD = lines(
    {"id": "r1", "question": "Q", "response": "A"},
    {"id": "r2", "question": "Q", "response": "B"},
)
SECOND_UPLOAD = lines(
    {"id": "r1", "question": "Q", "response": "A"},
    {"id": "r2", "question": "Q", "response": "B changed"},
    {"id": "r3", "question": "Q", "response": "A "},
)


def test_pc08_a_corrected_file_reports_unchanged_conflicting_and_near_duplicates(project: Project, owner: User) -> None:
    take(project, FIRST_UPLOAD, "outputs.jsonl")
    response = Response.objects.get(external_id="r1")
    claim = factories.make_claim(project, response=response)
    factories.rule(claim, owner, "accept")

    record = imports.prepare(project=project, content=SECOND_UPLOAD, filename="outputs.jsonl")

    assert record.report["unchanged"]["response"] == 1
    assert [each["id"] for each in record.report["conflicts"]] == ["r2"]
    assert any("r3" in each and "white space" in each for each in record.report["warnings"])
    with pytest.raises(ConflictError, match="other content"):
        imports.commit(record=record)
    assert Response.objects.count() == 2


@pytest.mark.parametrize(("choice", "text"), [("keep", "B"), ("replace", "B changed")])
def test_pc08_the_owner_chooses_and_the_ruling_stays_where_it_was(
    project: Project, owner: User, choice: str, text: str
) -> None:
    take(project, FIRST_UPLOAD, "outputs.jsonl")
    claim = factories.make_claim(project, response=Response.objects.get(external_id="r1"))
    factories.rule(claim, owner, "accept")

    take(project, SECOND_UPLOAD, "outputs.jsonl", on_conflict=choice)

    assert Response.objects.get(external_id="r2").text == text
    assert Outcome.objects.get(claim=claim).source == "expert"
    assert Revision.objects.filter(external_id="r2").count() == (choice == "replace")


def test_a_64_bit_id_survives(project: Project) -> None:
    take(project, lines({"id": 9007199254740993, "question": "Q", "response": "A"}), "outputs.jsonl")

    assert Response.objects.get().external_id == "9007199254740993"


def test_a_span_after_an_emoji_holds(project: Project) -> None:
    text = "🙂👩‍👧 Rain fell. It was wet."
    start = text.index("It was wet.")
    content = lines(
        {
            "id": "i1",
            "prompt": "P",
            "responses": [
                {"id": "r1", "text": text, "claims": [{"id": "c1", "text": "It was wet.", "span": [start, start + 11]}]}
            ],
        }
    )

    take(project, content, "outputs.jsonl")

    claim = Claim.objects.get()
    assert claim.response.text[claim.span_start : claim.span_end] == "It was wet."


def test_votes_of_an_unknown_claim_are_refused(project: Project) -> None:
    content = lines({"type": "verdict", "claim": "nowhere", "judge": "a", "label": "accept"})

    record = imports.prepare(project=project, content=content, filename="votes.jsonl")

    assert record.state == Import.State.REFUSED
    assert "nowhere" in record.report["refused"][0]["reason"]


def test_everything_exported_imports_again_to_the_same(project: Project, owner: User) -> None:
    take(project, b"item,judge,label,text,gold\nc1,a,accept,T,reject\nc1,b,reject,T,reject\nc2,a,accept,U,accept\n")
    claim = Claim.objects.get(external_id="c1")
    ruling = decisions.Ruling(label="reject", reason="Because 🙂", is_serious=True)
    decisions.record(draw=draws.by_hand(claim=claim, expert=owner), ruling=ruling)
    text = "".join(exports.stream(project=project, what="all", fmt="jsonl"))
    copy = projects.create(name="Copy", owner=owner)

    take(copy, text.encode(), "all.jsonl")

    assert "".join(exports.stream(project=copy, what="all", fmt="jsonl")) == text
    assert Decision.objects.get(project=copy).reason == "Because 🙂"


def test_llmbar_gives_419_pairs_with_nulls_as_failed(project: Project, shared: Path) -> None:
    record, reading = imports.prepare_path(project=project, path=shared / "data" / "llmbar")

    imports.commit_reading(record=record, reading=reading)

    project.refresh_from_db()
    assert Instance.objects.count() == Claim.objects.count() == 419
    assert set(project.judges.values_list("name", flat=True)) == {"GPT-4", "ChatGPT", "LLaMA2", "PaLM2", "Falcon"}
    assert Verdict.objects.count() == 419 * 5 * 2
    assert not project.allow_tie
    failed = Verdict.objects.filter(state="failed")
    assert failed.exists()
    assert not failed.exclude(label="").exists()


def test_a_file_that_overlaps_one_taken_in_since_it_was_read_is_refused_whole(project: Project, tmp_path: Path) -> None:
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    first.write_text("item,judge,label\nc1,a,accept\n", encoding="utf-8")
    second.write_text("item,judge,label\nc0,a,accept\nc1,a,reject\n", encoding="utf-8")
    read = [imports.prepare_path(project=project, path=path) for path in (first, second)]
    imports.commit_reading(record=read[0][0], reading=read[0][1])

    with transaction.atomic(), pytest.raises(ConflictError, match="came into the project while it was read"):
        imports.commit_reading(record=read[1][0], reading=read[1][1])

    assert [claim.external_id for claim in Claim.objects.all()] == ["c1"]
    assert Import.objects.get(filename="second.csv").state == Import.State.REPORTED


def test_a_file_that_kept_what_was_stored_can_replace_it_later(project: Project, tmp_path: Path) -> None:
    take(project, FIRST_UPLOAD, "outputs.jsonl")
    take(project, SECOND_UPLOAD, "outputs.jsonl", on_conflict="keep")
    path = tmp_path / "outputs.jsonl"
    path.write_bytes(SECOND_UPLOAD)

    record, reading = imports.prepare_path(project=project, path=path)
    replaced = imports.commit_reading(record=record, reading=reading, on_conflict="replace")

    assert Response.objects.get(external_id="r2").text == "B changed"
    assert Import.objects.filter(state=Import.State.COMMITTED).count() == 2
    assert replaced.pk == record.pk
