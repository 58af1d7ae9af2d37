"""A judge is changed in place while that leaves its votes comparable; else a new judge takes its place."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.contrib.auth.models import User

from evaluation.errors import InvalidInputError, NotAllowedError
from evaluation.models import Call, Job, Judge, Project, Run
from evaluation.services import judge_changes, judge_tests, judges
from evaluation.services.judges import NewJudge
from tests import factories

pytestmark = pytest.mark.django_db

KEY = "sk-typed-0123456789"
NEW = NewJudge("Far", "openai_chat", "small", key=KEY, may_see_text=True)
SAME = NewJudge("Far", "openai_chat", "small")


@pytest.fixture
def judge(project: Project) -> Judge:
    return judges.add(project=project, new=NEW)


@pytest.fixture
def voter(project: Project, judge: Judge) -> Judge:
    """A judge that has voted."""
    factories.vote(factories.make_claim(project), {judge: "accept"})
    return judge


def test_name_persona_parameters_and_key_change_in_place(project: Project, voter: Judge) -> None:
    version = project.panels.get(is_current=True).version
    wanted = replace(SAME, name="Sceptic", persona="skeptic", parameters={"temperature": 1.0}, key="sk-another-key")

    changed = judge_changes.change(judge=voter, wanted=wanted)

    voter.refresh_from_db()
    assert changed == voter
    assert (voter.name, voter.persona, voter.parameters) == ("Sceptic", "skeptic", {"temperature": 1.0})
    assert judges.key_of(voter) == "sk-another-key"
    assert project.panels.get(is_current=True).version == version


def test_a_key_is_kept_unless_it_is_to_be_forgotten(judge: Judge) -> None:
    judge_changes.change(judge=judge, wanted=SAME)
    kept = judges.key_of(Judge.objects.get())

    judge_changes.change(judge=judge, wanted=SAME, forget_key=True)

    assert kept == KEY
    assert judges.key_of(Judge.objects.get()) is None


def test_before_its_first_vote_even_the_model_changes_in_place(judge: Judge) -> None:
    judge_changes.change(judge=judge, wanted=replace(SAME, model="large"))

    assert Judge.objects.get().model == "large"


def test_a_mere_test_does_not_bind_a_judge_to_its_model(project: Project, judge: Judge, owner: User) -> None:
    run = judge_tests.request(judge=judge, claim=factories.make_claim(project), by=owner)
    Call.objects.create(job=run.jobs.get(), judge=judge, attempt=1, cache_key="k")

    judge_changes.change(judge=judge, wanted=replace(SAME, model="large"))

    assert Judge.objects.get().model == "large"


def test_a_call_without_a_vote_binds_it(project: Project, judge: Judge) -> None:
    run = factories.make_run(project, kind=Run.Kind.PANEL)
    job = Job.objects.create(run=run, task=Job.Task.JUDGE, key="k", judge=judge)
    Call.objects.create(job=job, judge=judge, attempt=1, cache_key="k")

    assert judge_changes.has_worked(judge)


def test_another_model_is_another_judge_once_it_has_voted(project: Project, voter: Judge) -> None:
    changed = judge_changes.change(judge=voter, wanted=replace(SAME, name="Far large", model="large"))

    voter.refresh_from_db()
    assert changed != voter
    assert (voter.name, voter.model, voter.is_active, voter.verdicts.count()) == ("Far", "small", False, 1)
    assert list(project.panels.get(is_current=True).judges.all()) == [changed]
    assert judges.key_of(changed) == KEY


def test_the_new_judge_needs_a_name_of_its_own(voter: Judge) -> None:
    with pytest.raises(InvalidInputError, match="needs a name of its own"):
        judge_changes.change(judge=voter, wanted=replace(SAME, model="large"))

    assert list(Judge.objects.values_list("model", "is_active")) == [("small", True)]


def test_a_typed_key_never_goes_to_another_server(judge: Judge) -> None:
    wanted = replace(SAME, base_url="http://127.0.0.1:9/v1", may_see_text=True)

    judge_changes.change(judge=judge, wanted=wanted)

    moved = Judge.objects.get()
    assert moved.base_url == "http://127.0.0.1:9/v1"
    assert (moved.encrypted_key, judges.key_of(moved)) == ("", None)


def test_another_server_has_to_be_allowed(project: Project, judge: Judge) -> None:
    with pytest.raises(NotAllowedError, match=r"127\.0\.0\.1:9 may not see"):
        judge_changes.change(judge=judge, wanted=replace(SAME, base_url="http://127.0.0.1:9/v1"))

    assert Judge.objects.get().base_url == ""
    assert Project.objects.get().allowed_providers == ["api.openai.com"]


def test_a_taken_name_is_refused(project: Project, judge: Judge) -> None:
    judges.add(project=project, new=replace(NEW, name="Near"))

    with pytest.raises(InvalidInputError, match="called “near” already"):
        judge_changes.change(judge=judge, wanted=replace(SAME, name="near"))


def test_a_judge_does_not_change_its_provider(judge: Judge) -> None:
    with pytest.raises(InvalidInputError, match="another judge: add it"):
        judge_changes.change(judge=judge, wanted=replace(SAME, provider="anthropic_messages"))


@pytest.mark.parametrize("provider", ["offline", "replay"])
def test_judges_that_nobody_is_asked_for_have_nothing_to_change(project: Project, provider: str) -> None:
    judge = factories.make_judges(project, 1, provider=provider)[0]

    with pytest.raises(NotAllowedError, match="nothing to change"):
        judge_changes.change(judge=judge, wanted=SAME)
