"""Judges: added, switched on and off, retired, and built with their own key or the one in the environment."""

from __future__ import annotations

import pytest
from django.test import override_settings
from pytest_django import Settings

from evaluation.errors import ConflictError, InvalidInputError, MissingPieceError, NotAllowedError
from evaluation.models import Judge, Project
from evaluation.services import judges
from evaluation.services.judges import NewJudge
from tests import factories

pytestmark = pytest.mark.django_db

NEW = NewJudge(" Ada ", "anthropic_messages", "m", base_url="http://127.0.0.1:9", may_see_text=True)
KEY = "sk-typed-0123456789"


def far(name: str = "Far", **changes: object) -> NewJudge:
    return NewJudge(**{"name": name, "provider": "openai_chat", "model": "m", "may_see_text": True, **changes})


def test_an_added_judge_joins_the_panel_and_its_server_may_see_the_text(project: Project) -> None:
    judge = judges.add(project=project, new=NEW)

    project.refresh_from_db()
    assert (judge.name, judge.key_name) == ("Ada", "")
    assert project.allowed_providers == ["127.0.0.1:9"]
    assert not judges.permission_problem(judge, project)
    assert list(project.panels.get(is_current=True).judges.all()) == [judge]


def test_nobody_is_added_whose_server_may_not_see_the_text(project: Project) -> None:
    with pytest.raises(NotAllowedError, match=r"api\.openai\.com may not see this project's text yet"):
        judges.add(project=project, new=far(may_see_text=False))

    project.refresh_from_db()
    assert (Judge.objects.count(), project.allowed_providers) == (0, [])


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
        ({"key": "two words"}, "This is no key"),
        ({"parameters": {"max_tokens": 0}}, "max_tokens is '0'"),
    ],
)
def test_it_refuses_what_is_no_judge(project: Project, changes: dict[str, object], said: str) -> None:
    judges.add(project=project, new=NEW)

    with pytest.raises(InvalidInputError, match=said):
        judges.add(project=project, new=far("Bob", **changes) if "name" not in changes else far(**changes))

    assert Judge.objects.count() == 1


def test_the_offline_panel_is_added_once_and_switched_on_again(project: Project) -> None:
    first = judges.add_offline_panel(project=project)
    judges.set_active(judge=first[0], is_active=False)
    judges.retire(judge=first[1])

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
    judge = judges.add(project=project, new=far(key_name="FAR_API_KEY"))

    with pytest.raises(MissingPieceError, match=r"set FAR_API_KEY .* or type a key"):
        judges.model_for(judge)
    with override_settings(PROVIDER_KEYS={"FAR_API_KEY": " k\n", "OPENAI_API_KEY": "other"}):
        key, model, offers = judges.key_of(judge), judges.model_for(judge), judges.offers()

    assert key == "k"
    assert hasattr(model, "complete")
    assert {offer.name: offer.key_found for offer in offers}["openai_chat"]
    assert not {offer.name: offer.key_found for offer in offers}["anthropic_messages"]


def test_its_own_key_comes_before_the_one_in_the_environment(project: Project, settings: Settings) -> None:
    settings.PROVIDER_KEYS = {"OPENAI_API_KEY": "sk-of-the-environment"}

    judge = judges.add(project=project, new=far(key=KEY))

    judge.refresh_from_db()
    assert judges.key_of(judge) == KEY
    assert KEY not in judge.encrypted_key
    assert not judges.key_problem(judge)
    assert KEY not in repr(far(key=KEY))


def test_a_kept_key_that_cannot_be_read_says_what_to_do(project: Project, settings: Settings) -> None:
    judge = judges.add(project=project, new=far(key=KEY))
    settings.SECRET_KEY = "another"

    assert judges.key_problem(judge).startswith("Judge “Far”: The key that is kept cannot be read")
    with pytest.raises(MissingPieceError, match="SECRET_KEY_FALLBACKS"):
        judges.model_for(judge)


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
    judge = judges.add(project=project, new=far("Local", base_url="http://127.0.0.1:9/v1"))

    with override_settings(PROVIDER_KEYS={"OPENAI_API_KEY": "sk-secret"}):
        assert judges.key_of(judge) is None


def test_two_owners_who_add_judges_lose_nothing_of_one_another(project: Project) -> None:
    stale = Project.objects.get()
    judges.add(project=project, new=NEW)

    judges.add(project=stale, new=far("Bob"))

    assert Project.objects.get().allowed_providers == ["127.0.0.1:9", "api.openai.com"]
    assert project.panels.get(is_current=True).judges.count() == 2


def test_a_retired_judge_keeps_its_votes_and_can_be_brought_back(project: Project) -> None:
    panel = factories.make_judges(project, 3)
    claim = factories.make_disputed(project, panel)[0]
    version = project.panels.get(is_current=True).version

    judges.retire(judge=panel[-1])

    claim.outcome.refresh_from_db()
    disputed = [claim.outcome.pattern.is_candidate]
    assert panel[-1].verdicts.count() == 1
    with pytest.raises(ConflictError, match="is retired: bring it back"):
        judges.set_active(judge=panel[-1], is_active=True)

    judges.bring_back(judge=panel[-1])

    claim.outcome.refresh_from_db()
    disputed.append(claim.outcome.pattern.is_candidate)
    assert disputed == [False, True]
    assert project.panels.get(is_current=True).version == version + 2


def test_retiring_twice_keeps_the_first_moment(project: Project) -> None:
    judge = factories.make_judges(project, 1)[0]
    first = judges.retire(judge=judge).retired_at

    assert judges.retire(judge=judge).retired_at == first
    assert judges.set_active(judge=judge, is_active=False).retired_at == first


def test_a_judge_whose_server_may_not_see_the_text_is_named_with_it(project: Project) -> None:
    judge = judges.add(project=project, new=far())
    Project.objects.update(allowed_providers=[])

    assert "may not see this project's text" in judges.permission_problem(judge, Project.objects.get())
    with pytest.raises(NotAllowedError, match=r"Far \(m\) at api\.openai\.com"):
        judges.check_may_ask(judge, Project.objects.get())


def test_only_remote_providers_are_offered() -> None:
    assert judges.offer("openai_chat").structured[0] == "json_schema"
    with pytest.raises(InvalidInputError, match="not added one by one"):
        judges.offer("replay")


def test_a_batch_api_is_built_with_the_judges_key_where_there_is_one(project: Project) -> None:
    asked = judges.add(project=project, new=far(key=KEY))
    keyless = judges.add(project=project, new=far("Keyless"))
    offline = factories.make_judges(project, 1, provider="offline")[0]

    assert hasattr(judges.batches_for(asked), "submit")
    assert judges.batches_for(offline) is None
    with pytest.raises(MissingPieceError, match="set OPENAI_API_KEY"):
        judges.batches_for(keyless)
