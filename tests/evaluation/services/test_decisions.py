"""Rulings and undos: what stands is a function of the events that survive."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluation.errors import ConflictError, InvalidInputError
from evaluation.models import Claim, Decision, Outcome, Project, TrackRecord, VotePattern
from evaluation.services import decisions, draws, track_records
from evaluation.services.decisions import Ruling
from juryflow_app import env
from tests import factories

STORIES = 200 if env.flag("JURYFLOW_FULL") else 10

pytestmark = pytest.mark.django_db


def rule(claim: Claim, expert: User, label: str, **more: object) -> Decision:
    fresh = Claim.objects.get(pk=claim.pk)
    return decisions.record(draw=draws.by_hand(claim=fresh, expert=expert), ruling=Ruling(label=label, **more))  # type: ignore[arg-type]


def state_of(project: Project) -> dict[str, object]:
    """Everything that depends on rulings, without ids of events."""
    outcomes = Outcome.objects.filter(project=project).select_related("claim", "pattern").order_by("claim_id")
    records = TrackRecord.objects.filter(project=project).order_by("judge_id", "order")
    rows = VotePattern.objects.filter(project=project).order_by("key_hash")
    return {
        "outcomes": [(each.claim_id, each.source, each.label, each.state, each.claim.is_void) for each in outcomes],
        "records": [(each.judge_id, each.agreed, each.decided, round(each.weight, 9)) for each in records],
        "patterns": [(each.key_hash, each.label, each.state, each.n_open, round(each.entropy, 9)) for each in rows],
    }


def test_it_settles_the_claim_and_moves_those_with_the_same_split(project: Project, owner: User) -> None:
    judges = factories.make_judges(project, 2)
    claims = [factories.make_claim(project) for _ in range(3)]
    for claim in claims:
        factories.vote(claim, {judges[0]: "accept", judges[1]: "reject"})

    decision = rule(claims[0], owner, "reject")

    outcomes = [Outcome.objects.get(claim=claim) for claim in claims]
    assert [outcome.source for outcome in outcomes] == ["expert", "panel", "panel"]
    assert [outcome.label for outcome in outcomes] == ["reject", "reject", "reject"]
    assert decision.propagation.n_moved == 2
    assert decision.propagation.n_ties_settled == 2
    move = decision.propagation.moves.get()
    assert (move.before_state, move.after_label, move.n_claims) == ("split", "reject", 2)


def test_it_is_one_ruling_when_the_form_is_sent_twice(project: Project, owner: User) -> None:
    (claim,) = factories.make_disputed(project, factories.make_judges(project))
    draw = draws.by_hand(claim=claim, expert=owner)

    first = decisions.record(draw=draw, ruling=Ruling(label="accept", token="one-form"))
    second = decisions.record(draw=draw, ruling=Ruling(label="accept", token="one-form"))

    assert first.pk == second.pk
    assert Decision.objects.count() == 1


def test_it_refuses_a_used_draw_with_another_form(project: Project, owner: User) -> None:
    (claim,) = factories.make_disputed(project, factories.make_judges(project))
    draw = draws.by_hand(claim=claim, expert=owner)
    decisions.record(draw=draw, ruling=Ruling(label="accept"))

    with pytest.raises(ConflictError, match="another tab"):
        decisions.record(draw=draw, ruling=Ruling(label="reject"))


@pytest.mark.parametrize(
    ("ruling", "said"),
    [
        (Ruling(label="first"), "not an answer here"),
        (Ruling(label=""), "not an answer here"),
        (Ruling(label="accept", action="void"), "carries no answer"),
        (Ruling(label="accept", action="burn"), "not something one can do"),
        (Ruling(label="accept", reason="a\x00b"), "NUL"),
    ],
)
def test_it_refuses_what_is_no_ruling_and_stores_nothing(
    project: Project, owner: User, ruling: Ruling, said: str
) -> None:
    (claim,) = factories.make_disputed(project, factories.make_judges(project))

    with pytest.raises(InvalidInputError, match=said):
        decisions.record(draw=draws.by_hand(claim=claim, expert=owner), ruling=ruling)

    assert not Decision.objects.exists()


def test_a_void_claim_leaves_scores_and_track_records(project: Project, owner: User) -> None:
    first, second = factories.make_disputed(project, factories.make_judges(project), 2)
    rule(first, owner, "reject")

    rule(first, owner, "", action="void")

    assert Outcome.objects.get(claim=first).state == "void"
    assert set(TrackRecord.objects.values_list("decided", flat=True)) == {0.0}
    assert Outcome.objects.get(claim=second).label == "accept"


def test_a_claim_one_cannot_judge_stays_open(project: Project, owner: User) -> None:
    (claim,) = factories.make_disputed(project, factories.make_judges(project))

    decision = rule(claim, owner, "", action="cannot_judge")

    assert Outcome.objects.get(claim=claim).source == "panel"
    assert not hasattr(decision, "propagation")


def test_the_last_ruling_on_a_claim_stands_and_undoing_it_brings_the_one_before_back(
    project: Project, owner: User
) -> None:
    (claim,) = factories.make_disputed(project, factories.make_judges(project))
    rule(claim, owner, "accept")
    second = rule(claim, owner, "reject")

    decisions.undo(decision=second, by=owner)

    assert Outcome.objects.get(claim=claim).label == "accept"
    assert Outcome.objects.get(claim=claim).source == "expert"


def test_undo_of_an_undone_ruling_is_refused(project: Project, owner: User) -> None:
    (claim,) = factories.make_disputed(project, factories.make_judges(project))
    decision = rule(claim, owner, "accept")
    decisions.undo(decision=decision, by=owner)

    with pytest.raises(ConflictError, match="undone already"):
        decisions.undo(decision=decision, by=owner)


events = st.lists(
    st.one_of(
        st.tuples(st.just("rule"), st.integers(0, 5), st.sampled_from(["accept", "reject", "uncertain", "void"])),
        st.tuples(st.just("undo"), st.integers(0, 20), st.just("")),
    ),
    max_size=9,
)


def filled(owner: User) -> tuple[Project, list[Claim]]:
    project = factories.make_project(owner=owner)
    judges = factories.make_judges(project, 3)
    labels = ("accept", "reject", "uncertain")
    claims = [factories.make_claim(project) for _ in range(6)]
    for number, claim in enumerate(claims):
        factories.vote(claim, {judge: labels[(number * place) % 3] for place, judge in enumerate(judges)})
    track_records.remake(project=project, kind="statement")
    return project, claims


def play(claims: list[Claim], owner: User, number: int, label: str) -> Decision:
    if label == "void":
        return rule(claims[number], owner, "", action="void")
    return rule(claims[number], owner, label)


@pytest.mark.slow
@given(events)
@settings(max_examples=STORIES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_interleaving_of_rulings_and_undos_equals_replaying_the_survivors(
    owner: User, story: list[tuple[str, int, str]]
) -> None:
    project, claims = filled(owner)
    twin, twin_claims = filled(owner)
    made: list[tuple[Decision, int, str]] = []
    undone: set[int] = set()
    for what, number, label in story:
        if what == "rule":
            made.append((play(claims, owner, number, label), number, label))
        elif made and (at := number % len(made)) not in undone:
            decisions.undo(decision=made[at][0], by=owner)
            undone.add(at)

    for at, (_, number, label) in enumerate(made):
        if at not in undone:
            play(twin_claims, owner, number, label)

    assert comparable(project, claims) == comparable(twin, twin_claims)


def comparable(project: Project, claims: list[Claim]) -> dict[str, object]:
    """The state with ids that two projects cannot share put in order."""
    state = state_of(project)
    places = {claim.pk: place for place, claim in enumerate(claims)}
    outcomes = [(places[row[0]], *row[1:]) for row in state["outcomes"]]  # type: ignore[attr-defined]
    records = [row[1:] for row in state["records"]]  # type: ignore[attr-defined]
    rows = sorted(row[1:] for row in state["patterns"])  # type: ignore[attr-defined]
    return {"outcomes": outcomes, "records": records, "patterns": rows}


def test_no_ruling_gives_a_claim_a_label_that_nobody_cast(project: Project, owner: User) -> None:
    judges = factories.make_judges(project, 3)
    agreed = factories.make_claim(project)
    factories.vote(agreed, dict.fromkeys(judges, "accept"))
    for claim in factories.make_disputed(project, judges, 12):
        rule(claim, owner, "uncertain")

    assert Outcome.objects.get(claim=agreed).label == "accept"
    for row in VotePattern.objects.exclude(label=""):
        assert row.label in {label for _, label, _ in row.votes}
