from __future__ import annotations

from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evaluation.models import Decision, Project
from evaluation.selectors.answers import reader
from evaluation.selectors.last_ruling import last_ruling
from evaluation.services import decisions, rubric
from evaluation.services.rubric_support import EntryText
from tests import factories


def ruled(project: Project, owner: User, label: str = "reject", n_ties: int = 3) -> Decision:
    judges = list(project.judges.all()) or factories.make_judges(project, 2)
    claims = [factories.make_claim(project) for _ in range(n_ties + 1)]
    for claim in claims:
        factories.vote(claim, {judges[0]: "accept", judges[1]: "reject"})
    return factories.rule(claims[0], owner, label)


def test_the_strip_is_about_the_last_ruling_that_stands(project: Project, owner: User) -> None:
    decision = ruled(project, owner)
    person = reader(project, owner.pk)

    strip = last_ruling(person)
    decisions.undo(decision=decision, by=owner)

    assert strip is not None
    assert (strip.ruled, strip.n_moved, strip.n_ties) == ("Not supported", 3, 3)
    assert (strip.claim, strip.action) == (decision.claim.text, "rule")
    assert last_ruling(person) is None


def test_it_says_who_agreed_and_which_answers_got_firmer_where_none_moved(project: Project, owner: User) -> None:
    ruled(project, owner)
    ruled(project, owner, n_ties=0)

    strip = last_ruling(reader(project, owner.pk))

    right = project.judges.order_by("pk")[1]
    assert strip is not None
    assert strip.n_moved == 0
    assert strip.effects == (f"{right.name} now agreed with experts 2 of 2", "3 open answers got firmer")


def test_it_says_so_when_no_judge_sided(project: Project, owner: User) -> None:
    ruled(project, owner, "uncertain", n_ties=0)

    strip = last_ruling(reader(project, owner.pk))

    assert strip is not None
    assert strip.effects == ("no judge sided with you",)


def test_a_rule_that_the_ruling_counts_for_is_named_as_long_as_it_lives(project: Project, owner: User) -> None:
    decision = ruled(project, owner, n_ties=0)
    entry = rubric.write(project=project, text=EntryText("Units " * 20), by=owner)
    entry.decisions.add(decision)
    person = reader(project, owner.pk)

    before = last_ruling(person)
    rubric.drop(entry=entry, by=owner)
    after = last_ruling(person)

    assert before is not None
    assert after is not None
    assert before.effects[-1].startswith("it counts for the drafted rule “Units Units")
    assert before.effects[-1].endswith("…”")
    assert not [effect for effect in after.effects if "rule" in effect]


def test_it_takes_three_queries(project: Project, owner: User) -> None:
    ruled(project, owner)
    person = reader(project, owner.pk)

    with CaptureQueriesContext(connection) as taken:
        last_ruling(person)

    assert len(taken) == 3
