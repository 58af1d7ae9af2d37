"""Claims that are listed apart, with what their judges did."""

from __future__ import annotations

import pytest
from pytest_django import DjangoAssertNumQueries

from evaluation.models import Claim, Project
from evaluation.selectors.apart import PAGE_SIZE, Kind, apart, apart_page, failed_votes
from tests import factories

pytestmark = pytest.mark.django_db


def failing(project: Project, reason: str, n: int = 1) -> list[Claim]:
    """Claims on which one judge that can be asked failed and another voted."""
    judges = list(project.judges.order_by("pk")) or [
        factories.make_asked_judge(project, "http://127.0.0.1:9/v1") for _ in range(2)
    ]
    claims = [factories.make_claim(project) for _ in range(n)]
    for claim in claims:
        factories.vote_repeatedly(claim, {judges[0]: ("",), judges[1]: ("accept",)})
        claim.verdicts.filter(judge=judges[0]).update(failure_reason=reason)
    return claims


def test_votes_that_failed_are_counted_with_their_claims_and_reasons(project: Project) -> None:
    failing(project, "timeout", 2)
    failing(project, "shape")
    failing(project, "invalid_output")
    failing(project, "cut_off")
    failing(project, "truncated")

    found = failed_votes(project)

    assert (found.n_votes, found.n_claims) == (6, 6)
    assert dict(found.reasons) == {
        "time-out": 2,
        "its answer was cut off": 2,
        "its answer did not have the asked form": 1,
        "its answer could not be read": 1,
    }


def test_a_failed_vote_counts_only_where_it_can_be_asked_for_again(project: Project) -> None:
    failing(project, "timeout")
    (recorded,) = factories.make_judges(project, 1)
    factories.vote_repeatedly(factories.make_claim(project), {recorded: ("",)})
    before = failed_votes(project).n_votes
    project.judges.filter(verdicts__state="failed").exclude(pk=recorded.pk).update(is_active=False)

    assert before == 1
    assert failed_votes(project).n_votes == 0
    assert apart(project, Kind.FAILED, limit=5).n == 0


def test_each_kind_lists_its_claims_with_what_the_judges_did(project: Project) -> None:
    (failed,) = failing(project, "rate_limit")
    silent, fresh = factories.make_claim(project), factories.make_claim(project)
    factories.vote(silent, dict.fromkeys(project.judges.all(), ""))
    void = factories.make_claim(project)
    void.is_void = True
    void.save()

    listed = {kind: apart(project, kind, limit=5) for kind in Kind}

    assert {kind: [(row.claim_id, row.why) for row in found.rows] for kind, found in listed.items()} == {
        Kind.UNJUDGED: [
            (silent.pk, ("2 judges did not vote.",)),
            (fresh.pk, ("No judge has been asked.",)),
        ],
        Kind.THIN: [(failed.pk, ("1 judge could not be asked: the provider was busy.",))],
        Kind.FAILED: [(failed.pk, ("1 judge could not be asked: the provider was busy.",))],
    }
    assert listed[Kind.UNJUDGED].title == "Not judged"


def test_a_long_list_comes_in_pages(project: Project, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    for _ in range(PAGE_SIZE + 2):
        factories.make_claim(project)

    with django_assert_num_queries(4):
        last = apart_page(project, Kind.UNJUDGED, page=99)
    first = apart_page(project, Kind.UNJUDGED, page=1)

    assert (last.page, last.n_pages, len(last.rows), last.before) == (2, 2, 2, 1)
    assert (first.page, len(first.rows), first.after, first.n_more) == (1, PAGE_SIZE, 2, 2)
    assert apart(project, Kind.UNJUDGED, limit=3).n_more == PAGE_SIZE - 1
