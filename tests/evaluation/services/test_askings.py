"""What a job asks: the same question has one key, whatever names it goes by."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.llm.protocol import TextPart
from evaluation.models import Job, Judge, Project
from evaluation.services import askings, jobs, panel, rubric
from evaluation.services.askings import Shelves
from evaluation.services.rubric_support import EntryText
from tests import factories

pytestmark = pytest.mark.django_db


@pytest.fixture
def judge(project: Project) -> Judge:
    return factories.make_asked_judge(project, "http://127.0.0.1:9/v1")


def leased(project: Project) -> Job:
    run = panel.open_run(project=project, by=None, options=panel.RunOptions(decompose="shared"))
    (job,) = jobs.lease(run, 1)
    return job


def test_the_same_question_has_the_same_key_until_a_rule_is_adopted(
    project: Project, judge: Judge, owner: User
) -> None:
    factories.make_claim(project)
    job = leased(project)
    keys = [askings.prepare(job).cache_key for _ in range(2)]

    rubric.adopt(entry=rubric.write(project=project, text=EntryText("Rule."), by=owner), by=owner)
    keys.append(askings.prepare(Job.objects.get(pk=job.pk)).cache_key)

    assert keys[0] == keys[1] != keys[2]


def test_a_sample_and_a_second_asking_are_questions_of_their_own(project: Project, judge: Judge) -> None:
    factories.make_claim(project)
    job = leased(project)
    keys = {askings.prepare(job).cache_key}

    for changes in (
        {"sample": 1},
        {"key": f"{askings.AGAIN}1", "sample": 0},
        {"key": f"{askings.AGAIN}1", "sample": 1},
    ):
        Job.objects.filter(pk=job.pk).update(**changes)
        keys.add(askings.prepare(Job.objects.get(pk=job.pk)).cache_key)

    assert len(keys) == 4


def test_the_token_limit_is_part_of_the_question_and_the_judges_name_is_not(project: Project, judge: Judge) -> None:
    factories.make_claim(project)
    job = leased(project)
    keys = []

    for changes in ({}, {"name": "Renamed"}, {"parameters": {"max_tokens": 2000}}):
        Judge.objects.filter(pk=judge.pk).update(**changes)
        keys.append(askings.prepare(Job.objects.get(pk=job.pk)).cache_key)

    assert keys[0] == keys[1] != keys[2]


def test_the_rubric_is_read_again_when_its_version_changes(project: Project, judge: Judge, owner: User) -> None:
    factories.make_claim(project)
    job = leased(project)
    shelves = Shelves(job.run.project)
    before = askings.prepare(job, shelves)

    rubric.adopt(entry=rubric.write(project=project, text=EntryText("Look twice."), by=owner), by=owner)
    job.run.project.refresh_from_db()
    after = askings.prepare(job, shelves)

    assert (before.subject.rubric, [entry.criterion for entry in after.subject.rubric]) == ((), ["Look twice."])


def test_what_is_masked_for_the_judge_is_kept_for_us(project: Project, judge: Judge) -> None:
    factories.make_claim(project, "Write to ana@example.org.")
    project.deidentify = {"emails": True}
    project.save()
    job = leased(project)

    asking = askings.prepare(job)

    sent = "".join(part.text for m in asking.request.messages for part in m.parts if isinstance(part, TextPart))
    assert "ana@example.org" not in sent
    assert asking.subject.claims[0].text == "Write to ana@example.org."
