"""Rules: drafted from rulings that agree, adopted by owners, read by every later call."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.errors import ConflictError, InvalidInputError, NotAllowedError
from evaluation.models import Claim, Decision, Project, Response, RubricEntry, RubricEvent, Run, Verdict
from evaluation.schemas import Label, RubricDraft, RubricExample
from evaluation.services import judges, panel, panel_worker, rubric
from evaluation.services.rubric_support import EntryText
from tests import factories

pytestmark = pytest.mark.django_db
RULE = EntryText(
    "Check every number.", boundary="it is rounded.", negative_example="It holds 48 litres.", tags=("numbers",)
)


def actions(entry: RubricEntry) -> list[str]:
    return list(entry.events.values_list("action", flat=True))


def ruled(project: Project, owner: User, label: str = "reject", tag: str = "negation") -> Decision:
    found = list(project.judges.all()) or factories.make_judges(project)
    (claim,) = factories.make_disputed(project, found, tags=[tag])
    return factories.rule(claim, owner, label)


def run_panel(project: Project) -> Run:
    return panel_worker.drive(run_id=panel.open_run(project=project, by=None).pk)


def test_an_entry_keeps_its_versions_and_events(project: Project, owner: User) -> None:
    entry = rubric.write(project=project, text=RULE, by=owner)
    rubric.edit(entry=entry, text=EntryText("Check numbers."), by=owner)
    rubric.propose(entry=entry, by=owner)
    rubric.adopt(entry=entry, by=owner)
    rubric.edit(entry=entry, text=EntryText("Check all numbers."), by=owner)
    rubric.retire(entry=entry, by=owner)

    events = list(entry.events.values_list("action", "entry_version", "rubric_version"))
    assert events == [
        ("drafted", 1, 0),
        ("edited", 2, 0),
        ("proposed", 2, 0),
        ("adopted", 2, 1),
        ("edited", 3, 2),
        ("retired", 3, 3),
    ]
    snapshots = [event.snapshot for event in entry.events.all()]
    assert [each["criterion"] for each in snapshots][:2] == ["Check every number.", "Check numbers."]
    assert (snapshots[0]["tags"], snapshots[-1]["status"]) == (["numbers"], "retired")
    assert entry.positive_missing == "Adopted without one."


def test_only_an_owner_puts_rules_in_and_out_of_force(project: Project, owner: User) -> None:
    expert = factories.make_member(project).user
    entry = rubric.write(project=project, text=RULE, by=expert)

    with pytest.raises(NotAllowedError, match="Only an owner"):
        rubric.adopt(entry=entry, by=expert)
    rubric.adopt(entry=entry, by=owner)
    with pytest.raises(NotAllowedError):
        rubric.edit(entry=entry, text=EntryText("Other."), by=expert)
    with pytest.raises(NotAllowedError):
        rubric.retire(entry=entry, by=expert)

    entry.refresh_from_db()
    assert (entry.status, entry.criterion, entry.version) == ("active", "Check every number.", 1)


def test_adopting_twice_is_one_event(project: Project, owner: User) -> None:
    entry = rubric.write(project=project, text=RULE, by=owner)

    rubric.adopt(entry=entry, by=owner)
    rubric.adopt(entry=RubricEntry.objects.get(), by=owner)

    assert actions(entry) == ["drafted", "adopted"]
    assert Project.objects.get(pk=project.pk).rubric_version == 1


def test_a_rule_in_force_is_not_dropped_and_a_retired_one_not_edited(project: Project, owner: User) -> None:
    entry = rubric.adopt(entry=rubric.write(project=project, text=RULE, by=owner), by=owner)

    with pytest.raises(ConflictError, match="retire it instead"):
        rubric.drop(entry=entry, by=owner)
    rubric.retire(entry=entry, by=owner)
    with pytest.raises(ConflictError, match="write a new one"):
        rubric.edit(entry=entry, text=RULE, by=owner)
    with pytest.raises(ConflictError, match="Only a draft"):
        rubric.propose(entry=entry, by=owner)


@pytest.mark.parametrize(
    "text",
    [
        EntryText("  "),
        EntryText("x" * 4_001),
        EntryText("a\x00b"),
        EntryText("a", negative_example="\x00"),
        EntryText("a", dimension="d" * 101),
        EntryText("a", tags=("t\x00",)),
    ],
)
def test_it_refuses_texts_that_cannot_be_kept(project: Project, owner: User, text: EntryText) -> None:
    with pytest.raises(InvalidInputError):
        rubric.write(project=project, text=text, by=owner)

    assert not RubricEntry.objects.exists()


def test_a_rule_of_a_project_of_pairs_has_examples_with_its_labels(project: Project, owner: User) -> None:
    factories.make_pair(project)

    entry = rubric.write(project=project, text=RULE, by=owner)

    assert (entry.kind, entry.positive_label, entry.negative_label) == ("preference", "first", "second")


def test_two_rulings_that_agree_give_one_draft_and_a_third_is_added_to_it(project: Project, owner: User) -> None:
    decisions, runs = [], []
    for label in ("reject", "accept", "reject"):
        decisions.append(ruled(project, owner, label))
        runs.append(rubric.follow(decisions[-1]))
    assert [run is not None for run in runs] == [False, False, True]
    panel_worker.drive(run_id=runs[2].pk)  # type: ignore[union-attr]
    entry = RubricEntry.objects.get()
    third = ruled(project, owner)
    follows = rubric.follow(third), rubric.follow(third)

    assert follows == (None, None)
    assert set(entry.decisions.all()) == {decisions[0], decisions[2], third}
    assert actions(entry) == ["drafted", "support_added"]
    assert (entry.status, entry.tags) == ("draft", ["negation"])
    assert entry.negative_example == decisions[2].claim.text


def test_a_draft_is_kept_once_per_ruling_with_the_labels_of_its_examples(project: Project, owner: User) -> None:
    decision = ruled(project, owner)
    draft = RubricDraft("Rule.", "", negative=RubricExample("No.", Label.UNCERTAIN), positive_missing="None seen.")

    entry, again = (rubric.store_draft(decision=decision, draft=draft, by=owner) for _ in range(2))

    assert entry == again
    assert (entry.negative_label, entry.positive_missing, entry.tags) == ("uncertain", "None seen.", ["negation"])
    assert list(entry.decisions.all()) == [decision]


def test_adopting_without_an_example_is_said_once_beside_the_reason(project: Project, owner: User) -> None:
    draft = RubricDraft("Rule.", "", negative=RubricExample("No.", Label.REJECT), positive_missing="None seen.")
    entry = rubric.store_draft(decision=ruled(project, owner), draft=draft, by=owner)
    missing = rubric.missing_examples(entry)

    for _ in range(2):
        rubric.adopt(entry=entry, by=owner)
        rubric.retire(entry=entry, by=owner)

    assert missing == ("positive_example",)
    assert (entry.positive_missing, entry.negative_missing) == ("None seen. Adopted without one.", "")


def test_a_draft_in_the_words_of_a_living_one_adds_to_it(project: Project, owner: User) -> None:
    one, other = ruled(project, owner), ruled(project, owner, tag="time")
    kept = rubric.store_draft(decision=one, draft=RubricDraft("Rule.", "", tags=("negation",)), by=owner)

    same = rubric.store_draft(decision=other, draft=RubricDraft("Rule.", "", tags=("time",)), by=owner)

    assert same == kept
    assert same.tags == ["negation", "time"]
    assert set(same.decisions.all()) == {one, other}
    assert actions(kept) == ["drafted", "support_added"]


def test_a_ruling_that_supports_a_rule_in_force_gives_no_second_draft(project: Project, owner: User) -> None:
    decision = ruled(project, owner)
    kept = rubric.store_draft(decision=decision, draft=RubricDraft("Rule.", ""), by=owner)
    rubric.adopt(entry=kept, by=owner)

    assert rubric.store_draft(decision=decision, draft=RubricDraft("Other.", ""), by=owner) == kept
    assert RubricEntry.objects.count() == 1


def test_a_rule_by_hand_covers_its_tags_but_takes_no_ruling_as_support(project: Project, owner: User) -> None:
    entry = rubric.write(project=project, text=EntryText("Rule.", tags=("negation",)), by=owner)
    first, second = ruled(project, owner), ruled(project, owner)

    assert (rubric.follow(first), rubric.follow(second)) == (None, None)
    assert not entry.decisions.exists()


def test_a_draft_is_made_on_request_from_a_ruling_with_an_answer_only(project: Project, owner: User) -> None:
    decision = ruled(project, owner)
    decision.action = Decision.Action.VOID

    with pytest.raises(InvalidInputError, match="Only a ruling with an answer"):
        rubric.request_draft(decision=decision, by=owner)
    run = rubric.request_draft(decision=Decision.objects.get(), by=owner)
    panel_worker.drive(run_id=run.pk)

    assert RubricEvent.objects.get().by == owner
    assert run.jobs.get().result == {"entry": RubricEntry.objects.get().pk}


def add_response(project: Project, sources: list[str], text: str) -> Claim:
    instance = factories.make_instance(project, sources=sources)
    response: Response = factories.make_response(instance, text)
    return factories.make_claim(project, text, response=response)


def test_an_adopted_rule_changes_what_a_new_response_with_the_same_error_gets(project: Project, owner: User) -> None:
    sources = ["The alarm sounds after 15 minutes without power. The battery lasts 5 hours."]
    wrong = "The alarm sounds after 5 minutes without power."
    judges.add_offline_panel(project=project)
    before = add_response(project, sources, wrong)
    run_panel(project)
    text = EntryText("Check which thing a number belongs to.", negative_example=wrong, tags=("numbers and units",))
    entry = rubric.adopt(entry=rubric.write(project=project, text=text, by=owner), by=owner)

    after, true = add_response(project, sources, wrong), add_response(project, sources, "The battery lasts 5 hours.")
    run_panel(project)

    outcomes = [Claim.objects.get(pk=claim.pk).outcome.label for claim in (before, after, true)]
    assert outcomes == ["accept", "reject", "accept"]
    seen = Verdict.objects.filter(claim=after)
    assert set(seen.values_list("label", "precedent_entry", "rubric_version")) == {("reject", entry.pk, 1)}
    assert [verdict.rubric_entries for verdict in seen] == [[[entry.pk, 1]]] * 5
    assert [verdict.rubric_entries for verdict in Verdict.objects.filter(claim=before)] == [[]] * 5


def test_a_second_click_drafts_no_second_rule(project: Project, owner: User) -> None:
    decision, other = ruled(project, owner), ruled(project, owner, tag="time")

    first, again = (rubric.request_draft(decision=decision, by=owner) for _ in range(2))

    assert first == again
    assert rubric.request_draft(decision=other, by=owner) != first


def test_a_draft_longer_than_a_rule_may_be_is_cut_and_can_be_edited(project: Project, owner: User) -> None:
    example = RubricExample("x" * 9_000, Label.REJECT)
    draft = RubricDraft("y" * 9_000, "z" * 9_000, positive=example, negative=example)

    entry = rubric.store_draft(decision=ruled(project, owner), draft=draft, by=owner)

    text = EntryText(entry.criterion, entry.boundary, "", entry.positive_example, entry.negative_example)
    assert rubric.edit(entry=entry, text=text, by=owner).version == 2
