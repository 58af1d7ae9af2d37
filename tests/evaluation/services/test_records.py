"""Stored rows as records: nothing is lost on the way out, and order lets them be stored again."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.exchange.records import TYPE_OF
from evaluation.models import Claim, Decision, Project, Verdict
from evaluation.schemas import ClaimKind, Label, OutcomeState, PresentationOrder, VerdictState
from evaluation.services import decisions, records
from tests import factories

pytestmark = pytest.mark.django_db


def test_records_come_in_the_order_in_which_they_refer_to_one_another(project: Project, owner: User) -> None:
    (claim,) = factories.make_disputed(project, factories.make_judges(project))
    claim.instance.documents.add(factories.make_document(project, "A source."))
    factories.rule(claim, owner)

    kinds = [TYPE_OF[type(record)].value for record in records.everything(project)]

    assert list(dict.fromkeys(kinds)) == ["document", "instance", "response", "claim", "verdict", "decision", "outcome"]


def test_a_claim_keeps_span_tags_and_gold_and_a_pair_both_responses(project: Project) -> None:
    Claim.objects.filter(pk=factories.make_claim(project, tags=["time"], gold="reject").pk).update(
        span_start=0, span_end=5
    )
    factories.make_pair(project)

    statement, pair = records.claims(project)

    assert (statement.span, statement.tags, statement.gold) == ((0, 5), ("time",), Label.REJECT)
    assert (pair.kind, len(pair.response_ids), pair.span) == (ClaimKind.PREFERENCE, 2, None)


def test_only_current_votes_go_out(project: Project) -> None:
    judges = factories.make_judges(project, 2)
    claim, run = factories.make_claim(project), factories.make_run(project)
    factories.vote(claim, {judges[0]: "accept", judges[1]: ""})
    Verdict.objects.create(claim=claim, judge=judges[0], run=run, state="cast", label="reject")
    Verdict.objects.create(claim=claim, judge=judges[0], run=run, state="cast", label="reject", purpose="review")

    found = list(records.verdicts(project))

    assert [(each.state, each.label, each.order) for each in found] == [
        (VerdictState.CAST, Label.ACCEPT, PresentationOrder.AS_GIVEN),
        (VerdictState.ABSTAINED, None, PresentationOrder.AS_GIVEN),
    ]


def test_rulings_go_out_with_their_draw_and_undone_ones_too(project: Project, owner: User) -> None:
    first, second, third = factories.make_disputed(project, factories.make_judges(project), 3)
    decisions.undo(decision=factories.rule(first, owner, "reject", is_audit=True), by=owner)
    draw = factories.make_draw(second, owner)
    decisions.record(draw=draw, ruling=decisions.Ruling(action=Decision.Action.CANNOT_JUDGE))
    decisions.record(draw=factories.make_draw(third, owner), ruling=decisions.Ruling(action=Decision.Action.VOID))

    undone, void = records.decisions(project)

    assert (undone.is_undone, undone.label, undone.draw["audit"]) == (True, Label.REJECT, True)
    assert (void.is_undone, void.label, void.claim_id) == (False, None, third.external_id)
    assert [each.state for each in records.outcomes(project)] == [
        OutcomeState.OPEN,
        OutcomeState.OPEN,
        OutcomeState.VOID,
    ]


def test_an_imported_ruling_keeps_the_id_it_came_with(project: Project) -> None:
    own, imported = Decision(token="abc"), Decision(token=f"import:{project.pk}:x:7")

    assert (records.decision_id(own), records.decision_id(imported)) == ("abc", "x:7")
