"""What records say about each other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluation.exchange.links import MAX_LOOKS, link
from evaluation.exchange.problems import ProblemLog
from evaluation.exchange.records import (
    Bundle,
    ClaimRecord,
    ExistingIndex,
    InstanceRecord,
    KnownResponse,
    OutcomeRecord,
    ProjectHints,
    RecordType,
    ResponseRecord,
    VerdictRecord,
)
from evaluation.schemas import ClaimKind, Label, OutcomeSource, OutcomeState, VerdictState

PAIR = Bundle(
    instances=(InstanceRecord("q", "p"), InstanceRecord("z", "p")),
    responses=(ResponseRecord("a", "q", "x"), ResponseRecord("b", "q", "y"), ResponseRecord("c", "z", "y")),
    claims=(ClaimRecord("p", "", ("a", "b"), ClaimKind.PREFERENCE),),
)


def problems(bundle: Bundle, existing: ExistingIndex | None = None) -> list[tuple[str, str]]:
    log = ProblemLog()
    link(bundle, existing or ExistingIndex(), log)
    return [(refusal.field, refusal.reason) for refusal in log.refusals]


def with_claim(**changes: object) -> Bundle:
    return replace(PAIR, claims=(replace(PAIR.claims[0], **changes),))


def test_it_fills_in_the_instance_of_a_claim():
    log = ProblemLog()

    assert link(PAIR, ExistingIndex(), log).claims[0].instance_id == "q"
    assert log.refusals == []


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"response_ids": ("a", "c")}, "responses", "one instance, not to q and z"),
        ({"instance_id": "z"}, "responses", "one instance, not to q and z"),
        ({"response_ids": ("a", "gone")}, "responses", "no response “gone”"),
        ({"response_ids": ("a", "a")}, "responses", "2 different responses"),
        ({"kind": ClaimKind.STATEMENT}, "responses", "1 different responses"),
        ({"gold": Label.ACCEPT}, "gold", "first, second, tie"),
        ({"span": (0, 1)}, "span", "two whole answers"),
    ],
)
def test_a_claim_that_does_not_fit_is_refused(changes, field, words):
    ((where, reason),) = problems(with_claim(**changes))

    assert where == field
    assert words in reason


def test_a_tie_is_refused_where_the_project_line_says_there_is_none():
    vote = VerdictRecord("p", "j", VerdictState.CAST, Label.TIE)
    bundle = replace(PAIR, verdicts=(vote,), project_hints=ProjectHints(allow_tie=False))

    ((field, reason),) = problems(bundle)

    assert field == "label"
    assert "no ties" in reason


def test_an_outcome_of_another_scheme_or_claim_is_refused():
    outcomes = [OutcomeRecord(claim, OutcomeState.OPEN, OutcomeSource.PANEL, Label.ACCEPT) for claim in ("p", "gone")]

    found = problems(replace(PAIR, outcomes=tuple(outcomes)))

    assert [field for field, _ in found] == ["label", "claim"]


def test_a_claim_may_stand_on_stored_responses_even_of_a_lazy_index():
    stored = {(RecordType.RESPONSE, "old"): "h", (RecordType.RESPONSE, "older"): "h"}
    known = {"old": KnownResponse("q9", "x"), "older": KnownResponse("q9", "y")}
    log = ProblemLog()

    linked = link(with_claim(response_ids=("old", "older")), ExistingIndex(stored, responses=known), log)

    assert log.refusals == []
    assert linked.claims[0].instance_id == "q9"


def test_an_unknown_id_comes_with_the_one_it_may_have_meant():
    stored = ExistingIndex({(RecordType.DOCUMENT, "offer-2214"): "h"})
    instance = InstanceRecord("q", "p", document_ids=("offer-2241", "warranty"))

    found = problems(Bundle(instances=(instance,)), stored)

    assert [reason.partition("project. ")[2] for _, reason in found] == ["Did you mean “offer-2214”?", ""]


def test_near_ids_are_looked_for_a_few_times_only():
    missing = tuple(f"offer-{number}x" for number in range(MAX_LOOKS + 5))
    stored = ExistingIndex({(RecordType.DOCUMENT, f"offer-{number}"): "h" for number in range(MAX_LOOKS + 5)})

    found = problems(Bundle(instances=(InstanceRecord("q", "p", document_ids=missing),)), stored)

    assert sum("Did you mean" in reason for _, reason in found) == MAX_LOOKS
