"""Judges as their page lists them."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.models import Judge, Project, TrackRecord
from evaluation.selectors.judges import family_warnings, judge_rows, persona_texts, personas
from evaluation.services import judges
from tests.factories import (
    make_asked_judge,
    make_claim,
    make_disputed,
    make_instance,
    make_judges,
    make_project,
    make_response,
    rule,
    vote,
)

pytestmark = pytest.mark.django_db


def test_every_offline_judge_says_what_it_is_blind_to() -> None:
    project = make_project()
    judges.add_offline_panel(project=project)

    rows = judge_rows(project=project)

    assert len(rows) == 5
    assert all(row.looks_at and row.blind_to for row in rows)


def test_votes_and_abstentions_are_counted_apart() -> None:
    project = make_project()
    judge = make_judges(project, 1)[0]
    for label in ("accept", "accept", ""):
        vote(make_claim(project), {judge: label})

    row = judge_rows(project=project)[0]

    assert (row.n_votes, row.n_no_vote) == (2, 1)


def test_agreement_with_rulings_is_pooled_over_both_orders_of_pairs(project: Project, owner: User) -> None:
    first, second = make_judges(project, 2)
    for claim in make_disputed(project, [first, second], 2):
        rule(claim, owner, "accept")
    shared = {"project": project, "judge": first, "kind": "preference", "mean": 0.5, "lower": 0.1, "upper": 0.9}
    TrackRecord.objects.create(**shared, order="swapped", agreed=1, decided=3, weight=0)

    rows = {row.judge: (row.n_agreed, row.n_ruled) for row in judge_rows(project=project)}

    assert rows == {first: (3, 5), second: (0, 2)}


def test_voting_judges_come_first_and_retired_ones_last(project: Project) -> None:
    retired, resting, voting = make_judges(project, 3)
    judges.retire(judge=retired)
    judges.set_active(judge=resting, is_active=False)

    assert [row.judge for row in judge_rows(project=project)] == [voting, resting, retired]


def test_parameters_are_listed_by_name(project: Project) -> None:
    judge = make_asked_judge(project, "http://127.0.0.1:9/v1")
    judge.parameters = {"top_p": 1, "max_tokens": 5}
    judge.save()

    assert judge_rows(project=project)[0].settings == (("max_tokens", 5), ("top_p", 1))


def test_rows_take_the_same_queries_for_any_number_of_judges(project: Project, django_assert_num_queries) -> None:
    make_response(make_instance(project), system="Aster")
    make_judges(project, 9)

    with django_assert_num_queries(4):
        judge_rows(project=project)


@pytest.mark.parametrize(
    ("systems", "said"),
    [
        (["gpt-4o"], "as system gpt-4o: judges"),
        (["gpt-4o", "o3", "Aster"], "as the systems gpt-4o and o3: judges"),
        ([f"gpt-{n}" for n in range(1, 7)], "as the systems gpt-1, gpt-2, gpt-3 and 3 more: judges"),
    ],
)
def test_a_voting_judge_of_a_systems_maker_is_warned_of(project: Project, systems: list[str], said: str) -> None:
    for system in systems:
        make_response(make_instance(project), system=system)
    for name, model, is_active in (("GPT", "gpt-5.4", True), ("Old", "gpt-4", False), ("Claude", "claude-x", True)):
        Judge.objects.create(project=project, name=name, provider="replay", model=model, is_active=is_active)

    warnings = family_warnings(project)

    assert len(warnings) == 1
    assert warnings[0].startswith("“GPT” is of the same maker (OpenAI) ")
    assert said in warnings[0]


def test_without_a_known_maker_nothing_is_warned_of(project: Project) -> None:
    make_response(make_instance(project), system="Aster")
    Judge.objects.create(project=project, name="GPT", provider="replay", model="gpt-5.4")

    assert family_warnings(project) == ()


def test_the_neutral_persona_comes_first_and_each_has_a_sentence() -> None:
    assert personas()[0][0] == "neutral"
    assert all(sentence for _, sentence in personas())


def test_what_a_persona_tells_a_judge_is_there_word_for_word() -> None:
    texts = {each.name: each.text for each in persona_texts()}

    assert list(texts) == [name for name, _ in personas()]
    assert texts["skeptic"].startswith("You are a sceptical auditor.")
