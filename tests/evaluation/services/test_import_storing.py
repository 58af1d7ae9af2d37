"""Storing an import: everything lands in its place, replaced records are kept, and votes follow one another."""

from __future__ import annotations

import json

import pytest

from evaluation.models import Claim, Decision, Draw, Import, Instance, Outcome, Project, Response, Revision, Verdict
from evaluation.services import imports
from tests import factories

pytestmark = pytest.mark.django_db

Line = dict[str, object]
INSTANCE: Line = {
    "type": "instance",
    "id": "i1",
    "prompt": "Which?",
    "sources": [{"id": "d2", "text": "Second."}, {"id": "d1", "title": "One", "text": "First."}],
    "metadata": {"big": 9007199254740993},
    "responses": [
        {
            "id": "r1",
            "text": "It is blue.",
            "system": "Aster",
            "batch": "May",
            "claims": [{"id": "c1", "text": "It is blue."}],
        }
    ],
}


def vote(judge: str, label: str, **more: object) -> Line:
    return {"type": "verdict", "claim": "c1", "judge": judge, "label": label, **more}


def take(project: Project, *lines: Line, on_conflict: str = "stop") -> Import:
    content = "\n".join(json.dumps(line) for line in lines).encode() + b"\n"
    record = imports.prepare(project=project, content=content, filename="outputs.jsonl")
    assert record.report["refused"] == []
    return imports.commit(record=record, on_conflict=on_conflict)


def test_everything_lands_in_its_place(project: Project) -> None:
    take(project, INSTANCE, vote("ada", "accept", confidence=0.5, rationale="Seen."), vote("bob", "reject"))

    claim = Claim.objects.get()
    response, instance = claim.response, claim.instance
    assert (claim.external_id, claim.text, claim.outcome.state) == ("c1", "It is blue.", "split")
    assert (str(response.system), str(response.batch)) == ("Aster", "May")
    assert (instance.document_ids, instance.documents.count()) == (["d2", "d1"], 2)
    assert instance.metadata == {"big": 9007199254740993}
    verdict = Verdict.objects.get(judge__name="ada")
    assert (verdict.confidence, verdict.rationale, verdict.is_current, verdict.model_name) == (
        0.5,
        "Seen.",
        True,
        "ada",
    )


def test_a_replaced_record_is_kept_as_it_was(project: Project) -> None:
    take(project, INSTANCE)
    corrected = {**INSTANCE, "prompt": "Which one?"}
    corrected["responses"] = [{"id": "r1", "text": "It is red.", "system": "Birch"}]

    take(project, corrected, on_conflict="replace")

    before = {row.record_type: row.before for row in Revision.objects.all()}
    assert (Instance.objects.get().prompt, Response.objects.get().text) == ("Which one?", "It is red.")
    assert str(Response.objects.get().system) == "Birch"
    assert set(before) == {"instance", "response"}
    assert "Which?" in json.dumps(before["instance"])
    assert "It is blue." in json.dumps(before["response"])


def test_kept_records_stay_and_new_ones_are_added(project: Project) -> None:
    take(project, INSTANCE)

    take(project, {**INSTANCE, "prompt": "Other?"}, {"type": "instance", "id": "i2"}, on_conflict="keep")

    assert list(Instance.objects.values_list("external_id", "prompt")) == [("i1", "Which?"), ("i2", "")]
    assert not Revision.objects.exists()


def test_a_replaced_vote_takes_over_and_the_old_one_stays(project: Project) -> None:
    take(project, INSTANCE, vote("ada", "accept"), vote("bob", "accept"))

    take(project, vote("ada", "reject"), on_conflict="replace")

    rows = Verdict.objects.filter(judge__name="ada").order_by("pk").values_list("label", "is_current")
    assert list(rows) == [("accept", False), ("reject", True)]
    assert Outcome.objects.get().state == "split"


def test_votes_of_a_later_file_join_those_there_are(project: Project) -> None:
    take(project, INSTANCE, vote("ada", "accept"))

    take(project, vote("bob", "accept"), vote("cy", "reject"))

    outcome = Outcome.objects.get()
    assert (outcome.pattern.n_cast, outcome.label) == (3, "accept")
    assert project.panels.get(is_current=True).judges.count() == 3


def test_rulings_come_with_their_expert_time_and_draw(project: Project) -> None:
    factories.make_user("ann")
    ruling: Line = {
        "type": "decision",
        "id": "x1",
        "claim": "c1",
        "label": "reject",
        "expert": "ann",
        "at": "2026-05-01T10:00:00+02:00",
        "reason": "Read it.",
        "draw": {"policy": "random", "rank": 3, "probability": 0.25, "audit": True, "by_hand": False},
    }
    undone = {**ruling, "id": "x2", "label": "accept", "expert": "nobody here", "undone": True}

    take(project, INSTANCE, vote("ada", "accept"), vote("bob", "accept"), ruling, undone)

    first, second = Decision.objects.all()
    draw = Draw.objects.first()
    assert draw is not None
    assert (first.decided_at.isoformat(), first.expert.username) == ("2026-05-01T08:00:00+00:00", "ann")
    assert (draw.policy, draw.rank, draw.probability, draw.is_audit, draw.is_open) == ("random", 3, 0.25, True, False)
    assert hasattr(second, "undo")
    assert (second.expert.is_active, second.expert.has_usable_password()) == (False, False)
    assert (Outcome.objects.get().source, Outcome.objects.get().label) == ("expert", "reject")
    assert set(project.track_records.values_list("agreed", "decided")) == {(0, 1)}
