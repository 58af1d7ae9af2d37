"""Judges: added, switched on and off, and built with their key from the environment."""

from __future__ import annotations

import pytest
from django.test import override_settings

from evaluation.errors import InvalidInputError, MissingPieceError
from evaluation.models import Judge, Project
from evaluation.services import judges
from evaluation.services.judges import NewJudge
from tests import factories

pytestmark = pytest.mark.django_db

NEW = NewJudge(name=" Ada ", provider="anthropic_messages", model="m", base_url="http://127.0.0.1:9")


def test_an_added_judge_joins_the_panel_and_its_provider_may_see_the_text(project: Project) -> None:
    judge = judges.add(project=project, new=NEW)

    project.refresh_from_db()
    assert (judge.name, judge.key_name) == ("Ada", "")
    assert project.allowed_providers == ["anthropic_messages"]
    assert list(project.panels.get(is_current=True).judges.all()) == [judge]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"name": ""}, "needs a name"),
        ({"model": " "}, "needs a name and a model"),
        ({"name": "ada"}, "called “ada” already"),
        ({"provider": "oracle"}, "no provider 'oracle'"),
        ({"persona": "pirate"}, "no persona “pirate”"),
        ({"name": "x" * 201}, "name"),
        ({"name": "B\x00"}, "name"),
        ({"model": "m" * 201}, "model"),
        ({"base_url": "ftp://x y"}, "base_url"),
    ],
)
def test_it_refuses_what_is_no_judge(project: Project, changes: dict[str, str], said: str) -> None:
    judges.add(project=project, new=NEW)
    values = {"name": "Bob", "provider": "openai_chat", "model": "m", **changes}

    with pytest.raises(InvalidInputError, match=said):
        judges.add(project=project, new=NewJudge(**values))

    assert Judge.objects.count() == 1


def test_the_offline_panel_is_added_once_and_switched_on_again(project: Project) -> None:
    first = judges.add_offline_panel(project=project)
    judges.set_active(judge=first[0], is_active=False)

    again = judges.add_offline_panel(project=project)

    assert [judge.model for judge in again] == ["words", "meaning", "numbers", "negation", "names"]
    assert all(judge.is_active for judge in again)
    assert again == first
    assert not any(judges.is_remote(judge) for judge in again)
    assert {judge.prior_strength for judge in again} == {32.0}


def test_recorded_judges_are_made_once_by_name(project: Project) -> None:
    first = judges.recorded(project=project, names=["a", "b"])

    again = judges.recorded(project=project, names=["b", "c"])

    assert first["b"] == again["b"]
    assert {judge.provider for judge in again.values()} == {"replay"}
    assert project.panels.get(is_current=True).judges.count() == 3


def test_a_judge_is_built_with_its_key_or_says_which_is_missing(project: Project) -> None:
    judge = judges.add(project=project, new=NewJudge("Far", "openai_chat", "m", key_name="FAR_API_KEY"))

    with pytest.raises(MissingPieceError, match="set FAR_API_KEY"):
        judges.model_for(judge)
    with override_settings(PROVIDER_KEYS={"FAR_API_KEY": "k", "OPENAI_API_KEY": "other"}):
        key, model, offers = judges.key_of(judge), judges.model_for(judge), judges.offers()

    assert key == "k"
    assert hasattr(model, "complete")
    assert [(offer.name, offer.key_found) for offer in offers] == [
        ("openai_chat", True),
        ("anthropic_messages", False),
    ]


def test_settings_carry_everything_but_the_key(project: Project) -> None:
    judge = factories.make_asked_judge(project, "http://127.0.0.1:9/v1")
    judge.parameters = {"temperature": 0.2}

    found = judges.settings_of(judge)

    assert (found.provider, found.base_url, found.parameters) == (
        "openai_chat",
        "http://127.0.0.1:9/v1",
        {"temperature": 0.2},
    )


def test_a_key_of_the_provider_is_not_sent_to_another_address(project: Project) -> None:
    local = NewJudge("Local", "openai_chat", "m", base_url="http://127.0.0.1:9/v1")

    judge = judges.add(project=project, new=local)

    with override_settings(PROVIDER_KEYS={"OPENAI_API_KEY": "sk-secret"}):
        assert judges.key_of(judge) is None


def test_two_owners_who_add_judges_lose_nothing_of_one_another(project: Project) -> None:
    stale = Project.objects.get()
    judges.add(project=project, new=NEW)

    judges.add(project=stale, new=NewJudge("Bob", "openai_chat", "m"))

    assert Project.objects.get().allowed_providers == ["anthropic_messages", "openai_chat"]
    assert project.panels.get(is_current=True).judges.count() == 2
