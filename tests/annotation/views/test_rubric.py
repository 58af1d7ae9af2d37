from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from evaluation.models import Project, RubricEntry, Run
from evaluation.services import foreground, judges, panel, rubric
from evaluation.services.rubric_support import EntryText
from tests import factories

FIELDS = {
    "criterion": "Units must match.",
    "boundary": "when converted",
    "positive_example": "60 %",
    "tags": "price, time",
}


KNOWING = {"without_example": "yes"}


@pytest.fixture
def entry(project: Project, owner: User) -> RubricEntry:
    return rubric.write(project=project, text=EntryText("Units must match."), by=owner)


def address(name: str, entry: RubricEntry) -> str:
    return reverse(name, kwargs={"slug": entry.project.slug, "entry_id": entry.pk})


def test_an_empty_rubric_names_the_next_step(signed_in: Client, project: Project) -> None:
    page = signed_in.get(reverse("rubric", kwargs={"slug": project.slug})).content.decode()

    assert "There are no rules yet" in page


def test_a_rule_is_written_and_shown_as_a_draft(signed_in: Client, project: Project) -> None:
    page = signed_in.post(reverse("rubric-new", kwargs={"slug": project.slug}), FIELDS, follow=True).content.decode()

    made = RubricEntry.objects.get()
    assert (made.criterion, made.boundary, made.tags) == ("Units must match.", "when converted", ["price", "time"])
    assert "Draft" in page
    assert "After adopting, judges read it from the next run on." in page


def test_a_rule_without_a_sentence_comes_back_with_what_was_typed(signed_in: Client, project: Project) -> None:
    response = signed_in.post(reverse("rubric-new", kwargs={"slug": project.slug}), {**FIELDS, "criterion": " "})

    assert response.status_code == 422
    assert "when converted</textarea>" in response.content.decode()
    assert not RubricEntry.objects.exists()


def test_a_text_that_is_too_long_is_refused_in_words(signed_in: Client, entry: RubricEntry) -> None:
    response = signed_in.post(address("rubric-edit", entry), {**FIELDS, "boundary": "x" * 4_001})

    assert response.status_code == 422
    assert "at most 4,000 characters" in response.content.decode()


def test_an_owner_adopts_edits_and_retires(signed_in: Client, entry: RubricEntry) -> None:
    adopted = signed_in.post(address("rubric-adopt", entry), KNOWING, follow=True).content.decode()
    edited = signed_in.post(
        address("rubric-edit", entry), {**FIELDS, "criterion": "Units and sums match."}, follow=True
    )
    signed_in.post(address("rubric-retire", entry))

    entry.refresh_from_db()
    assert "The rule is in force" in adopted
    assert "Units and sums match." in edited.content.decode()
    assert (entry.status, entry.version, entry.project.rubric_version) == ("retired", 2, 3)


def test_adopting_without_an_example_is_asked_first(signed_in: Client, entry: RubricEntry) -> None:
    asked = signed_in.post(address("rubric-adopt", entry))
    status_then = RubricEntry.objects.get().status
    signed_in.post(address("rubric-adopt", entry), KNOWING)

    page = signed_in.get(address("rubric-entry", entry)).content.decode()
    assert asked.status_code == 422
    assert "This rule has no “Example ok” and no “Example bad”" in asked.content.decode()
    assert "Adopt without these examples" in asked.content.decode()
    assert (status_then, RubricEntry.objects.get().status) == ("draft", "active")
    assert page.count("none: Adopted without one.") == 2


def test_a_rule_with_both_examples_is_adopted_at_once(signed_in: Client, project: Project, owner: User) -> None:
    text = EntryText("Rule.", positive_example="Yes.", negative_example="No.")
    entry = rubric.write(project=project, text=text, by=owner)

    assert signed_in.post(address("rubric-adopt", entry)).status_code == 302


def test_after_adopting_the_judges_can_be_asked_again_with_the_number_of_calls(
    signed_in: Client, project: Project, entry: RubricEntry
) -> None:
    judges.add_offline_panel(project=project)
    factories.make_claim(project)

    page = signed_in.post(address("rubric-adopt", entry), KNOWING, follow=True).content.decode()
    later = signed_in.get(address("rubric-entry", entry)).content.decode()

    runs = reverse("runs", kwargs={"slug": project.slug})
    assert f'<a class="button small" href="{runs}?ask=again">Ask the judges again: 5 questions</a>' in page
    assert "Ask the judges again" not in later


def test_an_expert_proposes_but_does_not_adopt(client: Client, entry: RubricEntry) -> None:
    client.force_login(factories.make_member(entry.project).user)

    page = client.get(address("rubric-entry", entry)).content.decode()
    refused = client.post(address("rubric-adopt", entry), follow=True).content.decode()
    client.post(address("rubric-propose", entry))

    entry.refresh_from_db()
    assert "Propose" in page
    assert "Adopt <kbd>" not in page
    assert "note error" in refused
    assert entry.status == "draft"
    assert "proposed for adoption" in client.get(address("rubric-entry", entry)).content.decode()


def test_a_dropped_draft_is_kept_under_retired(signed_in: Client, entry: RubricEntry) -> None:
    page = signed_in.post(address("rubric-drop", entry), follow=True).content.decode()

    assert "Dropped" in page
    assert "Retired 1" in page


def test_changes_need_a_post(signed_in: Client, entry: RubricEntry) -> None:
    names = ("rubric-adopt", "rubric-propose", "rubric-drop", "rubric-retire")

    assert {signed_in.get(address(name, entry)).status_code for name in names} == {405}


def test_a_draft_can_be_asked_for_from_a_ruling(signed_in: Client, project: Project, owner: User) -> None:
    claim = factories.make_disputed(project, factories.make_judges(project))[0]
    decision = factories.rule(claim, owner)

    signed_in.post(reverse("rubric-draft", kwargs={"slug": project.slug, "decision_id": decision.pk}))

    assert Run.objects.filter(kind=Run.Kind.DRAFT, jobs__decision=decision).exists()


def test_hostile_text_is_literal(signed_in: Client, project: Project, owner: User) -> None:
    hostile = '"><b>bold<script>alert(1)</script>'
    text = EntryText(hostile, hostile, hostile, hostile, hostile, (hostile,))
    entry = rubric.write(project=project, text=text, by=owner)

    pages = [signed_in.get(address(name, entry)).content.decode() for name in ("rubric-entry", "rubric-edit")]

    assert not [page for page in pages if "<b>bold" in page or "<script>alert" in page]


def test_claims_judged_so_far_and_versions_are_told_in_words(
    signed_in: Client, project: Project, entry: RubricEntry
) -> None:
    factories.make_disputed(project, factories.make_judges(project), 2)

    draft = signed_in.get(address("rubric-entry", entry)).content.decode()
    signed_in.post(address("rubric-adopt", entry), {"without_example": "yes"})
    adopted = signed_in.get(address("rubric-entry", entry)).content.decode()

    assert "The 2 claims judged so far keep the votes made before any rule was in force" in draft
    assert "wording 1 of this rule; no rule in force yet" in draft
    assert "wording 1 of this rule; all rules in version 1" in adopted
    assert "ubric version" not in adopted
    assert "<title>Rules" in adopted


def test_who_gets_the_examples_is_said_before_adoption_and_names_are_replaced(
    signed_in: Client, project: Project, owner: User
) -> None:
    text = EntryText("Rule.", positive_example="We know that Ana Vogel signed.")
    entry = rubric.write(project=project, text=text, by=owner)
    factories.make_asked_judge(project, "http://127.0.0.1:9/v1")

    draft = signed_in.get(address("rubric-entry", entry)).content.decode()
    form = signed_in.get(address("rubric-edit", entry)).content.decode()
    after = signed_in.post(address("rubric-redact", entry), {"written": ["Ana Vogel"]}, follow=True).content.decode()
    nothing = signed_in.post(address("rubric-redact", entry), follow=True).content.decode()

    assert "are sent to: <strong>Judge" in draft
    assert "127.0.0.1:9" in draft
    assert "127.0.0.1:9" in form
    assert "1 thing found that may be private" in draft
    assert "We know that [name] signed." in after
    assert "may be private" not in after
    assert "Tick at least one thing" in nothing


def test_without_a_judge_of_a_provider_the_examples_stay_here(signed_in: Client, entry: RubricEntry) -> None:
    judges.add_offline_panel(project=entry.project)

    assert "stay on this machine" in signed_in.get(address("rubric-entry", entry)).content.decode()


def test_owners_see_which_rules_were_not_read_in_the_last_run(
    client: Client, project: Project, owner: User, entry: RubricEntry
) -> None:
    judges.add_offline_panel(project=project)
    factories.make_claim(project)
    rubric.adopt(entry=entry, by=owner)
    Project.objects.filter(pk=project.pk).update(parameters={"rubric_characters": 40})
    foreground.finish(run=panel.open_run(project=Project.objects.get(pk=project.pk), by=owner))
    client.force_login(owner)
    as_owner = client.get(address("rubric-entry", entry)).content.decode()
    client.force_login(factories.make_member(project).user)
    as_expert = client.get(address("rubric-entry", entry)).content.decode()

    assert "1 rule was not read in the" in as_owner
    assert "was not read in the" not in as_expert
