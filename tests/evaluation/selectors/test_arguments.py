from __future__ import annotations

from django.contrib.auth.models import User

from evaluation.models import Claim, Judge, Project, Verdict
from evaluation.selectors.answers import Reader
from evaluation.selectors.arguments import Arguments, arguments_on
from tests import factories


def read(project: Project, claim: Claim, *, names_shown: bool = False) -> Arguments:
    words = Reader(project, 1, 0).words(claim.kind, claim.pk)
    return arguments_on(claim, words, names_shown=names_shown)


def judged(project: Project) -> tuple[Claim, list[Judge]]:
    judges = factories.make_judges(project, 4)
    claim = factories.make_claim(project)
    factories.vote(claim, {judges[0]: "accept", judges[1]: "accept", judges[2]: "reject", judges[3]: ""})
    return claim, judges


def test_arguments_are_grouped_for_and_against_without_names(project: Project) -> None:
    claim, _ = judged(project)

    found = read(project, claim)

    assert [(side.title, len(side.arguments)) for side in found.sides] == [
        ("For: “Supported”", 2),
        ("Against: “Not supported”", 1),
    ]
    assert {argument.judge for side in found.sides for argument in side.arguments} == {""}
    assert found.traces == ()
    assert (found.n_voted, found.n_judges) == (3, 4)


def test_names_and_votes_appear_when_they_may_be_seen(project: Project) -> None:
    claim, judges = judged(project)

    found = read(project, claim, names_shown=True)

    assert [argument.judge for argument in found.sides[0].arguments] == [judges[0].name, judges[1].name]
    assert found.silent == (f"{judges[3].name} did not vote: {judges[3].name} says nothing.",)
    assert len(found.traces) == 4


def test_failed_judges_are_counted_by_reason_in_words(project: Project) -> None:
    claim, judges = judged(project)
    failed = claim.verdicts.filter(judge__in=judges[:2])
    failed.update(state=Verdict.State.FAILED, label="", failure_reason="timeout")

    found = read(project, claim)

    assert "2 judges could not be asked: time-out." in found.silent


def test_the_rules_that_judges_saw_are_listed_once(project: Project, owner: User) -> None:
    claim, _ = judged(project)
    rule = project.rubric_entries.create(criterion="Units must match.")
    claim.verdicts.update(rubric_entries=[[rule.pk, 1]])

    assert read(project, claim).rules == (rule,)


def test_only_offline_judges_make_an_offline_panel(project: Project) -> None:
    offline = factories.make_judges(project, 2, provider="offline")
    claim = factories.make_claim(project)
    factories.vote(claim, dict.fromkeys(offline, "accept"))

    assert read(project, claim).is_offline
    assert not read(project, factories.make_claim(project)).is_offline


def test_votes_are_counted_out_of_the_panel_and_few_make_it_thin(project: Project) -> None:
    claim, judges = judged(project)
    few = factories.make_claim(project)
    factories.vote(few, {judges[0]: "accept"})
    fresh = factories.make_judges(project, 1)[0]

    counted = [(found.n_voted, found.n_judges, found.is_thin) for found in (read(project, claim), read(project, few))]

    assert counted == [(3, 5, False), (1, 5, True)]
    assert read(project, claim, names_shown=True).silent[-1] == f"{fresh.name} has not been asked."
    assert read(project, few).silent == ("4 judges have not been asked.",)
    assert not read(project, factories.make_claim(project)).is_thin


def test_a_judge_that_was_asked_several_times_has_one_argument_for_each_of_its_answers(project: Project) -> None:
    wavering, firm = factories.make_judges(project, 2)
    claim = factories.make_claim(project)
    factories.vote_repeatedly(claim, {wavering: ("accept", "reject", "accept"), firm: ("accept",) * 3})

    found = read(project, claim, names_shown=True)

    said = [(argument.judge, argument.times, len(argument.others)) for argument in found.sides[0].arguments]
    assert said == [(wavering.name, "2 of 3 times", 1), (firm.name, "", 2)]
    assert [argument.times for argument in found.sides[1].arguments] == ["1 of 3 times"]
    assert found.spread == (f"{wavering.name}: 2 of 3 times “Supported”, 1 of 3 times “Not supported”.",)
    assert [trace.sample for trace in found.traces] == [1, 2, 3, 1, 2, 3]
