from __future__ import annotations

from django.contrib.auth.models import User

from evaluation.models import Decision, Judge, PatternMove, Project
from evaluation.selectors.answers import Reader
from evaluation.selectors.causes import cause_of
from tests import factories


def cause(project: Project, decision: Decision, who: str = "you") -> str:
    fresh = Decision.objects.select_related("propagation").get(pk=decision.pk)
    moves = list(PatternMove.objects.filter(propagation__decision=fresh).select_related("pattern"))
    judges = {judge.pk: judge for judge in Judge.objects.all()}
    return cause_of(fresh, moves, judges, Reader(project, 1, 0).unplaced_words("statement"), who).sentence


def ties(project: Project, judges: list[Judge], n: int) -> None:
    """Claims on which the first judge accepts and the second rejects."""
    for _ in range(n):
        factories.vote(factories.make_claim(project), {judges[0]: "accept", judges[1]: "reject"})


def test_it_names_who_sided_and_the_claims_on_which_they_stood_alone(project: Project, owner: User) -> None:
    judges = factories.make_judges(project, 2)
    ties(project, judges, 3)
    claim = factories.make_claim(project)
    factories.vote(claim, {judges[0]: "accept", judges[1]: "reject"})

    decision = factories.rule(claim, owner, "reject")

    assert cause(project, decision) == (
        f"Judge {judges[1].name} sided with you (now 1 of 1); "
        f"judge {judges[0].name} sided against you (now 0 of 1). "
        "Three claims on which exactly this judge stood against one now lean “Not supported”. "
        "There the winning side gained and the losing side lost."
    )


def test_offline_judges_are_never_said_to_have_learned(project: Project, owner: User) -> None:
    judges = factories.make_judges(project, 2, provider="offline")
    ties(project, judges, 3)
    claim = factories.make_claim(project)
    factories.vote(claim, {judges[0]: "accept", judges[1]: "reject"})

    decision = factories.rule(claim, owner, "reject")

    assert cause(project, decision) == (
        f"Judge {judges[1].name} sided with you (now 1 of 1); "
        f"judge {judges[0].name} sided against you (now 0 of 1). "
        "3 answers were a tie and now lean “Not supported”. There the winning side gained and the losing side lost."
    )


def test_one_answer_takes_the_singular(project: Project, owner: User) -> None:
    judges = factories.make_judges(project, 2, provider="offline")
    ties(project, judges, 2)

    decision = factories.rule(project.claims.get(pk=project.claims.earliest("pk").pk), owner, "accept")

    assert "1 answer was a tie and now leans “Supported”." in cause(project, decision)


def test_it_says_so_when_nothing_moved_and_nobody_sided(project: Project, owner: User) -> None:
    claim = factories.make_claim(project)
    first, second = factories.make_judges(project, 2)
    factories.vote(claim, dict.fromkeys([first, second], "accept"))

    decision = factories.rule(claim, owner, "reject")

    assert cause(project, decision, "Tom") == (
        f"No judge sided with Tom; judges {first.name} and {second.name} sided against Tom (now 0 of 1 each). "
        "No other current answer moved."
    )


def test_answers_that_stayed_but_got_firmer_or_weaker_are_counted(project: Project, owner: User) -> None:
    a, b, c = factories.make_judges(project, 3)
    claim, *others = (factories.make_claim(project) for _ in range(4))
    factories.vote(claim, {a: "accept", b: "reject"})
    for other in others[:2]:
        factories.vote(other, {a: "reject", b: "accept", c: "accept"})
    factories.vote(others[2], {a: "accept", b: "reject", c: "accept"})

    decision = factories.rule(claim, owner, "reject")

    assert cause(project, decision).endswith("No other current answer moved. 2 open answers got firmer, 1 less firm.")
