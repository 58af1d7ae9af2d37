"""Judges as their page lists them."""

from __future__ import annotations

import pytest
from pytest_django import Settings

from evaluation.models import Judge
from evaluation.selectors.judges import judge_rows, personas
from evaluation.services import judges
from tests.factories import make_claim, make_judges, make_project, vote

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


@pytest.mark.parametrize(
    ("provider", "key_name", "state"),
    [
        ("replay", "", ""),
        ("openai_chat", "OPENAI_API_KEY", "found"),
        ("openai_chat", "OTHER_API_KEY", "missing"),
        ("openai_chat", "", ""),
    ],
)
def test_a_key_is_found_by_its_name(provider: str, key_name: str, state: str, settings: Settings) -> None:
    settings.PROVIDER_KEYS = {"OPENAI_API_KEY": "x"}
    project = make_project()
    Judge.objects.create(project=project, name="J", provider=provider, model="m", key_name=key_name)

    assert judge_rows(project=project)[0].key_state == state


def test_the_neutral_persona_comes_first_and_each_has_a_sentence() -> None:
    assert personas()[0][0] == "neutral"
    assert all(sentence for _, sentence in personas())
