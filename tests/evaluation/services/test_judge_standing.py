"""How judges stand: key, receiver, leave to see the text, price."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from evaluation.llm.pricing import FREE
from evaluation.models import Judge, Project
from evaluation.services import judge_standing, judges, keys, prices
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("fields", "state"),
    [
        ({"provider": "replay"}, ""),
        ({"provider": "offline", "model": "words"}, ""),
        ({"key_name": "OPENAI_API_KEY"}, "found"),
        ({"key_name": "OTHER_API_KEY"}, "missing"),
        ({"key_name": ""}, ""),
    ],
)
def test_a_key_is_found_by_its_name(project: Project, fields: dict[str, str], state: str, settings: Settings) -> None:
    settings.PROVIDER_KEYS = {"OPENAI_API_KEY": "x"}
    judge = Judge.objects.create(project=project, **{"name": "J", "provider": "openai_chat", "model": "m", **fields})

    assert judge_standing.standings(project)[judge.pk].key == state


def test_a_kept_key_is_kept_or_unreadable(project: Project, settings: Settings) -> None:
    judge = factories.make_asked_judge(project, "http://127.0.0.1:9/v1")
    judge.encrypted_key = keys.seal("sk-typed-0123456789")
    judge.save()
    kept = judge_standing.standings(project)[judge.pk]
    settings.SECRET_KEY = "another"

    unreadable = judge_standing.standings(project)[judge.pk]

    assert (kept.key, kept.key_problem) == ("kept", "")
    assert unreadable.key == "unreadable"
    assert "Type the key again" in unreadable.key_problem
    assert "sk-typed" not in repr(kept)


def test_where_the_text_goes_and_whether_it_may(project: Project) -> None:
    judge = factories.make_asked_judge(project, "http://127.0.0.1:9/v1")
    offline = factories.make_judges(project, 1, provider="offline")[0]
    allowed = judge_standing.standings(project)[judge.pk]
    Project.objects.update(allowed_providers=[])

    found = judge_standing.standings(project)

    assert (allowed.receiver, allowed.may_see_text) == ("127.0.0.1:9", True)
    assert not found[judge.pk].may_see_text
    assert (found[offline.pk].receiver, found[offline.pk].may_see_text, found[offline.pk].card) == ("", True, FREE)


def test_a_price_is_the_one_of_its_model_at_its_server(project: Project) -> None:
    prices.seed()
    known = judges.add(
        project=project,
        new=judges.NewJudge("Far", "openai_chat", judges.offer("openai_chat").models[0], may_see_text=True),
    )
    unknown = factories.make_asked_judge(project, "http://127.0.0.1:9/v1")

    found = judge_standing.standings(project)

    assert found[known.pk].card == prices.card(known)
    assert found[unknown.pk].card is None


def test_the_number_of_queries_does_not_grow_with_the_judges(project: Project) -> None:
    factories.make_judges(project, 12)

    with CaptureQueriesContext(
        connection,
    ) as queries:
        judge_standing.standings(project)

    assert len(queries) == 3
