"""What a judge is asked about, as plain data from the rows as they are."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.models import Project
from evaluation.schemas import ClaimKind, Label, PanelVote, PresentationOrder, SourceText
from evaluation.services import rubric, rubric_prompt, subjects
from evaluation.services.rubric_support import EntryText
from tests import factories

pytestmark = pytest.mark.django_db


def test_a_response_comes_with_sources_words_and_settings(project: Project, owner: User) -> None:
    project.guidelines, project.allow_uncertain = "Be strict.", False
    project.parameters = {"silence_means": "unsettled", "in_between": "uncertain"}
    project.save()
    rubric.adopt(entry=rubric.write(project=project, text=EntryText("Rule."), by=owner), by=owner)
    instance = factories.make_instance(project, sources=["A source."], prompt="Which fridge?")

    subject = subjects.of_response(factories.make_response(instance, "This one."))

    assert (subject.task, subject.kind, subject.prompt, subject.response) == (
        "decompose",
        ClaimKind.STATEMENT,
        "Which fridge?",
        "This one.",
    )
    assert subject.sources == (SourceText(instance.documents.get().title, "A source."),)
    assert subject.labels == {Label.ACCEPT: "Supported", Label.REJECT: "Not supported"}
    assert (subject.silence_means, subject.in_between, subject.guidelines) == ("unsettled", "uncertain", "Be strict.")
    assert [entry.criterion for entry in subject.rubric] == ["Rule."]
    assert subject.item == instance.external_id


def test_claims_are_numbered_from_one(project: Project) -> None:
    first = factories.make_claim(project, "One.", tags=["time"])
    second = factories.make_claim(project, "Two.", response=first.response)

    subject = subjects.of_claims([first, second], "as_given")

    assert [(claim.ref, claim.text, claim.tags) for claim in subject.claims] == [
        ("1", "One.", ("time",)),
        ("2", "Two.", ()),
    ]


def test_a_pair_carries_both_answers_in_given_order_and_the_order_shown(project: Project) -> None:
    subject = subjects.of_claims([factories.make_pair(project)], "swapped")

    assert (subject.order, subject.response) == (PresentationOrder.SWAPPED, "")
    assert (subject.claims[0].first, subject.claims[0].second) == ("The first answer.", "The second answer.")
    assert subject.question == "Which answer serves the request better?"


def test_a_second_look_shows_votes_and_the_precedent(project: Project, owner: User) -> None:
    judges = factories.make_judges(project)
    ruled, claim = factories.make_disputed(project, judges, 2)
    decision = factories.rule(ruled, owner, "reject")

    alone, with_precedent = subjects.of_review(claim, None), subjects.of_review(claim, decision)

    assert alone.votes == tuple(
        PanelVote(judge.name, label, f"{judge} says {label}.")
        for judge, label in zip(judges, (Label.ACCEPT, Label.ACCEPT, Label.REJECT), strict=True)
    )
    assert (len(alone.claims), alone.ruling) == (1, None)
    assert [each.text for each in with_precedent.claims] == [claim.text, ruled.text]
    assert with_precedent.ruling is Label.REJECT


def test_a_draft_rests_on_the_ruling_and_the_latest_ones_like_it(project: Project, owner: User) -> None:
    claims = factories.make_disputed(project, factories.make_judges(project), 7, tags=["time"])
    rulings = [factories.rule(claim, owner, "reject") for claim in claims]

    subject = subjects.of_draft(rulings[0])

    assert [claim.text for claim in subject.claims] == [claim.text for claim in (claims[0], *claims[3:])]
    assert (subject.task, subject.ruling) == ("draft", Label.REJECT)


def test_the_sample_is_asked_about_in_the_projects_words(project: Project) -> None:
    project.guidelines = "Be strict."
    project.save()

    subject = subjects.of_sample(project, shelf=rubric_prompt.load(project, ClaimKind.STATEMENT))

    assert (subject.guidelines, subject.question) == ("Be strict.", project.question(ClaimKind.STATEMENT))
    assert [claim.ref for claim in subject.claims] == ["1"]
    assert len(subject.sources) == 1
