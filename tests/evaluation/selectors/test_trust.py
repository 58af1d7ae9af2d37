"""How often judges agreed with experts, on audits and on disputes."""

from __future__ import annotations

import pytest

from evaluation.models import Claim, Judge, Project
from evaluation.selectors.trust import Tally, balanced_share, trust
from evaluation.services import decisions
from tests.factories import make_claim, make_judges, make_project, make_user, rule, vote, vote_repeatedly

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project()


def make_voted(project: Project, votes: dict[Judge, str]) -> Claim:
    claim = make_claim(project)
    vote(claim, votes)
    return claim


def test_audits_and_disputes_are_counted_apart(project: Project) -> None:
    one, two, three = make_judges(project, 3)
    expert = make_user()
    rule(make_voted(project, {one: "accept", two: "accept", three: "reject"}), expert, "reject")
    rule(make_voted(project, {one: "accept", two: "accept", three: "accept"}), expert, "accept", is_audit=True)

    found = trust(project=project)

    record = {row.judge: row for row in found.records}
    assert (found.n_audit, found.n_rulings) == (1, 2)
    assert (record[one].audit, record[one].disputed) == (Tally(1, 1), Tally(0, 1))
    assert (record[three].audit, record[three].disputed) == (Tally(1, 1), Tally(1, 1))


def test_a_judge_that_always_says_yes_is_seen_through_by_label(project: Project) -> None:
    yes, fair = make_judges(project, 2)
    expert = make_user()
    for label in ("accept", "accept", "reject"):
        rule(make_voted(project, {yes: "accept", fair: label}), expert, label, is_audit=True)

    found = trust(project=project)

    record = {row.judge: row for row in found.records}
    assert [(row.words, row.n) for row in found.ruled] == [("Supported", 2), ("Not supported", 1)]
    assert [(said.words, said.tally) for said in record[yes].said] == [("Supported", Tally(2, 3))]
    assert [(said.words, said.tally) for said in record[fair].said] == [
        ("Supported", Tally(2, 2)),
        ("Not supported", Tally(1, 1)),
    ]


def test_undone_and_void_rulings_do_not_count(project: Project) -> None:
    judges = make_judges(project, 2)
    expert = make_user()
    undone = rule(make_voted(project, dict.fromkeys(judges, "accept")), expert, is_audit=True)
    decisions.undo(decision=undone, by=expert)

    found = trust(project=project)

    assert found.n_rulings == 0
    assert found.records[0].audit == Tally(0, 0)


def test_an_abstention_is_no_vote_and_shows_in_its_share(project: Project) -> None:
    one, two = make_judges(project, 2)
    for label in ("accept", "", "", ""):
        make_voted(project, {one: label, two: "accept"})

    record = {row.judge: row for row in trust(project=project).records}

    assert record[one].no_vote_percent == 75
    assert record[two].no_vote_percent == 0


def test_a_judge_that_was_never_asked_has_no_share(project: Project) -> None:
    make_judges(project, 1)

    assert trust(project=project).records[0].no_vote_percent is None


def test_a_tied_majority_counts_one_half(project: Project) -> None:
    one, two = make_judges(project, 2)
    rule(make_voted(project, {one: "accept", two: "reject"}), make_user(), "accept", is_audit=True)

    assert trust(project=project).majority == Tally(0.5, 1)


def test_balanced_share_counts_each_label_equally() -> None:
    hits = [("accept", 1.0), ("accept", 1.0), ("accept", 0.0), ("accept", 1.0), ("reject", 0.0)]

    assert balanced_share(hits) == pytest.approx(0.375)


@pytest.mark.parametrize("hits", [[], [("accept", 1.0), ("accept", 0.0)]])
def test_balanced_share_is_not_defined_without_two_labels(hits: list[tuple[str, float]]) -> None:
    assert balanced_share(hits) is None


def test_a_panel_of_offline_judges_only_is_known_as_such(project: Project) -> None:
    make_judges(project, 2, provider="offline")
    before = trust(project=project).is_offline_only
    make_judges(project, 1)

    assert before
    assert not trust(project=project).is_offline_only


def test_thirty_audits_are_needed_or_all_undecided_claims_if_fewer(project: Project) -> None:
    judges = make_judges(project, 2)
    claims = [make_voted(project, dict.fromkeys(judges, "accept")) for _ in range(4)]
    expert = make_user()
    before = trust(project=project)
    rule(claims[0], expert, is_audit=True)
    one = trust(project=project)
    for claim in claims[1:]:
        rule(claim, expert, is_audit=True)

    after = trust(project=project)

    assert (before.n_needed, before.n_left, before.is_known) == (4, 4, False)
    assert (one.n_needed, one.n_left, one.is_known) == (4, 3, False)
    assert (after.n_left, after.is_known, after.is_small) == (0, True, True)


def test_with_many_claims_left_thirty_are_enough(project: Project) -> None:
    judges = make_judges(project, 2)
    for _ in range(35):
        make_voted(project, dict.fromkeys(judges, "accept"))

    found = trust(project=project)

    assert (found.n_needed, found.n_left, found.is_known) == (30, 30, False)


def test_without_any_claim_nothing_is_known(project: Project) -> None:
    assert not trust(project=project).is_known


def test_samples_of_a_judge_are_one_vote_together(project: Project) -> None:
    wavering, firm = make_judges(project, 2)
    claim = make_claim(project)
    vote_repeatedly(claim, {wavering: ("accept", "reject", "reject"), firm: ("accept", "accept", "accept")})
    rule(claim, make_user(), "accept", is_audit=True)

    found = trust(project=project)

    record = {row.judge: row for row in found.records}
    assert (record[wavering].audit, record[firm].audit) == (Tally(0.33, 1), Tally(1, 1))
    assert {said.words: said.tally for said in record[wavering].said} == {
        "Supported": Tally(0.33, 0.33),
        "Not supported": Tally(0, 0.67),
    }
    assert found.majority == Tally(1.0, 1)
