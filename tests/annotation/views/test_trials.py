"""Trying a rule on ruled claims, from what it takes to what it brought."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from evaluation.models import Claim, Project, RubricEntry, Run
from evaluation.services import foreground, judges, rubric, trials
from evaluation.services.rubric_support import EntryText
from tests import factories

SOURCES = ["The alarm sounds after 15 minutes without power. The battery lasts 5 hours."]
OWN = "The alarm sounds after 5 minutes without power."


@pytest.fixture
def ruled(project: Project, owner: User) -> list[Claim]:
    """Two wrong claims that experts rejected; the offline judges are in the panel."""
    two = factories.make_judges(project, 2)
    response = factories.make_response(factories.make_instance(project, sources=SOURCES))
    claims = [factories.make_claim(project, text, response=response) for text in (OWN, "The battery lasts 9 hours.")]
    for claim in claims:
        factories.vote(claim, {two[0]: "accept", two[1]: "reject"})
        factories.rule(claim, owner, "reject")
    judges.add_offline_panel(project=project)
    return claims


@pytest.fixture
def entry(project: Project, owner: User) -> RubricEntry:
    return rubric.write(project=project, text=EntryText("Check the number.", negative_example=OWN), by=owner)


def address(name: str, entry: RubricEntry, *more: int) -> str:
    return reverse(name, args=[entry.project.slug, entry.pk, *more])


def tried(entry: RubricEntry, owner: User) -> Run:
    return foreground.finish(run=trials.request(entry=entry, by=owner))


def test_what_a_trial_takes_is_said_before_it_is_started(
    signed_in: Client, entry: RubricEntry, ruled: list[Claim]
) -> None:
    page = signed_in.get(address("rubric-try", entry)).content.decode()

    assert "<strong>1</strong> ruled claim, and 1 that the rule was made from" in page
    assert "<strong>10</strong> questions" in page
    assert "Nothing leaves this machine." in page
    assert "Start the trial" in page
    assert not Run.objects.filter(kind=Run.Kind.TRIAL).exists()


def test_receivers_and_money_are_named_beforehand_and_a_cap_can_be_set(
    signed_in: Client, project: Project, entry: RubricEntry, ruled: list[Claim]
) -> None:
    factories.make_asked_judge(project, "http://127.0.0.1:9/v1")

    page = signed_in.get(address("rubric-try", entry)).content.decode()
    refused = signed_in.post(address("rubric-try-start", entry), {"cap": "-1"})

    assert "are sent to <strong>" in page
    assert "127.0.0.1:9" in page
    assert 'name="cap"' in page
    assert refused.status_code == 422
    assert not Run.objects.filter(kind=Run.Kind.TRIAL).exists()


def test_without_a_ruling_it_says_what_to_do(signed_in: Client, project: Project, entry: RubricEntry) -> None:
    page = signed_in.get(address("rubric-try", entry)).content.decode()
    refused = signed_in.post(address("rubric-try-start", entry), follow=True).content.decode()

    assert "There is no ruled claim to try a rule on yet" in page
    assert "Start the trial" not in page
    assert "note error" in refused


def test_a_trial_is_started_and_watched_until_it_ends(
    signed_in: Client, owner: User, entry: RubricEntry, ruled: list[Claim]
) -> None:
    started = signed_in.post(address("rubric-try-start", entry))
    run = Run.objects.get(kind=Run.Kind.TRIAL)
    while_open = signed_in.get(address("rubric-trial", entry, run.pk), headers={"HX-Request": "true"}).content.decode()
    foreground.finish(run=run)
    ended = signed_in.get(address("rubric-trial", entry, run.pk), headers={"HX-Request": "true"}).content.decode()

    assert started["Location"] == f"{address('rubric-entry', entry)}#trial"
    assert "0 of 10 questions answered." in while_open
    assert 'hx-trigger="every 2s"' in while_open
    assert "hx-trigger" not in ended
    assert "<html" not in ended


def test_what_a_trial_brought_stands_beside_adopt_edit_and_drop(
    signed_in: Client, owner: User, entry: RubricEntry, ruled: list[Claim]
) -> None:
    run = tried(entry, owner)

    page = signed_in.get(address("rubric-entry", entry)).content.decode()
    of_trial = signed_in.get(address("rubric-trial", entry, run.pk)).content.decode()

    assert "<strong>Tried</strong> on 1 ruled claim: judges agree with experts" in page
    assert "Left out above: the 1 claim that the rule was made from or quotes, 0" in page
    assert f'href="{reverse("claim", args=[entry.project.slug, ruled[0].pk])}">{OWN}</a>' in page
    assert '<span class="chip good">better</span>' in page
    assert "Only offline checkers answered." in page
    for control in ("Adopt <kbd>a</kbd>", "Edit <kbd>e</kbd>", "Drop <kbd>x</kbd>", "Try again <kbd>t</kbd>"):
        assert control in page
    assert 'id="trial"' in of_trial
    assert "Adopt <kbd>a</kbd>" in of_trial


def test_a_change_of_the_rule_is_said_beside_an_old_trial(
    signed_in: Client, owner: User, entry: RubricEntry, ruled: list[Claim]
) -> None:
    tried(entry, owner)
    rubric.edit(entry=entry, text=EntryText("Check it."), by=owner)

    page = signed_in.get(address("rubric-entry", entry)).content.decode()

    assert "in an earlier wording" in page
    assert "the rule was changed since" in page


def test_an_expert_reads_a_trial_and_starts_none(
    client: Client, owner: User, entry: RubricEntry, ruled: list[Claim]
) -> None:
    run = tried(entry, owner)
    client.force_login(factories.make_member(entry.project).user)

    page = client.get(address("rubric-entry", entry)).content.decode()

    assert "<strong>Tried</strong>" in page
    assert "rubric-try" not in page
    assert "Try again" not in page
    assert client.get(address("rubric-trial", entry, run.pk)).status_code == 200
    assert client.get(address("rubric-try", entry)).status_code == 403
    assert client.post(address("rubric-try-start", entry)).status_code == 403


def test_a_run_of_another_rule_is_not_found(
    signed_in: Client, owner: User, entry: RubricEntry, ruled: list[Claim]
) -> None:
    other = rubric.write(project=entry.project, text=EntryText("Other."), by=owner)
    run = tried(other, owner)

    assert signed_in.get(address("rubric-trial", entry, run.pk)).status_code == 404
