from __future__ import annotations

import numpy as np
import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evaluation.algorithms.selection import Candidate, rank
from evaluation.models import Claim, Judge, Outcome, Project
from evaluation.schemas import SelectionPolicy
from evaluation.selectors.answers import reader
from evaluation.selectors.queue import QueueFilter, candidate_count, queue_page, ranked_claims
from tests import factories


def random_votes(project: Project, judges: list[Judge], n: int) -> list[Claim]:
    rng = np.random.default_rng(5)
    claims = [factories.make_claim(project, tags=["price"] if rng.random() < 0.3 else []) for _ in range(n)]
    run = factories.make_run(project)
    for claim in claims:
        votes = {
            judge: str(rng.choice(["accept", "reject", "uncertain", ""], p=[0.5, 0.3, 0.1, 0.1])) for judge in judges
        }
        factories.vote(claim, votes, run=run)
        Claim.objects.filter(pk=claim.pk).update(degree=int(rng.integers(3)))
    return claims


def expected_order(project: Project, n_rulings: int) -> list[int]:
    """The order of the algorithm over single claims, which the page must give without touching them all."""
    ruled = list(project.decisions.filter(undo__isnull=True).values_list("pattern_id", flat=True))
    candidates = [
        Candidate(
            outcome.claim_id,
            str(outcome.pattern_id),
            outcome.pattern.split,
            outcome.pattern.panel_entropy,
            outcome.pattern.entropy,
            ruled.count(outcome.pattern_id),
            outcome.claim.degree,
            outcome.pattern.is_full,
        )
        for outcome in Outcome.objects.filter(source="panel", pattern__is_candidate=True).select_related(
            "claim", "pattern"
        )
    ]
    return [scored.claim_id for scored in rank(candidates, n_rulings, SelectionPolicy.POSTERIOR_ENTROPY)]


def test_it_ranks_claims_as_the_algorithm_does(project: Project, owner: User) -> None:
    claims = random_votes(project, factories.make_judges(project, 4), 40)
    disputed = [claim for claim in claims if Outcome.objects.get(claim=claim).pattern.is_candidate]
    for claim in disputed[:3]:
        factories.rule(claim, owner)
    order = expected_order(project, n_rulings=3)

    ranked = ranked_claims(project, limit=100)

    assert [found.claim_id for found in ranked] == order
    assert [found.rank for found in ranked] == list(range(1, len(order) + 1))
    assert candidate_count(project) == len(order)


@pytest.mark.parametrize("limit", [1, 2, 3, 5, 8, 13])
def test_a_limit_gives_the_first_of_the_same_order(project: Project, limit: int) -> None:
    random_votes(project, factories.make_judges(project, 3), 30)
    order = expected_order(project, n_rulings=0)

    assert [found.claim_id for found in ranked_claims(project, limit=limit)] == order[:limit]


def test_excluded_claims_are_left_out_and_the_next_take_their_place(project: Project) -> None:
    random_votes(project, factories.make_judges(project, 3), 30)
    order = expected_order(project, n_rulings=0)

    ranked = ranked_claims(project, limit=4, exclude=order[:3])

    assert [found.claim_id for found in ranked] == order[3:7]


def test_pages_of_the_queue_follow_the_same_order(project: Project, owner: User) -> None:
    random_votes(project, factories.make_judges(project, 4), 70)
    order = expected_order(project, n_rulings=0)
    person = reader(project, owner.pk)

    pages = [queue_page(person, page=number) for number in (1, 2)]

    assert [row.claim_id for page in pages for row in page.rows] == order[:50]
    assert [row.rank for row in pages[1].rows][:2] == [26, 27]


def test_a_random_policy_draws_an_order_that_stays(project: Project) -> None:
    factories.make_disputed(project, factories.make_judges(project), n=12)
    project.parameters = {"policy": "random"}

    first = [found.claim_id for found in ranked_claims(project, limit=12)]

    assert first == [found.claim_id for found in ranked_claims(project, limit=12)]
    assert first != sorted(first)


def test_the_number_of_queries_does_not_grow_with_the_claims(project: Project, owner: User) -> None:
    judges = factories.make_judges(project, 4)
    counts = []
    for n in (10, 60):
        random_votes(project, judges, n)
        with CaptureQueriesContext(connection) as taken:
            queue_page(reader(project, owner.pk))
            ranked_claims(project, limit=50, exclude=[1])
        counts.append(len(taken))

    assert counts[1] <= counts[0] + 2
    assert counts[1] <= 24


def test_it_filters_by_a_tag_even_with_marks_and_letters_in_it(project: Project, owner: User) -> None:
    judges = factories.make_judges(project)
    hostile = '</script>"é\\'
    wanted = factories.make_disputed(project, judges, tags=[hostile])[0]
    factories.make_disputed(project, judges, n=2, tags=["</script>"])

    page = queue_page(reader(project, owner.pk), only=QueueFilter(tag=hostile))

    assert [row.claim_id for row in page.rows] == [wanted.pk]
    assert page.n_candidates == 1


def test_it_filters_by_the_split_of_a_pattern_and_its_mirror(project: Project, owner: User) -> None:
    judges = factories.make_judges(project)
    alike = factories.make_disputed(project, judges, n=2)
    mirror, other = factories.make_claim(project), factories.make_claim(project)
    factories.vote(mirror, {judges[0]: "reject", judges[1]: "reject", judges[2]: "accept"})
    factories.vote(other, {judges[0]: "accept", judges[1]: "reject", judges[2]: "reject"})
    pattern_id = Outcome.objects.get(claim=alike[0]).pattern_id

    page = queue_page(reader(project, owner.pk), only=QueueFilter(pattern_id=pattern_id))

    assert {row.claim_id for row in page.rows} == {*(claim.pk for claim in alike), mirror.pk}
    assert {row.n_same_split for row in page.rows} == {2}


def test_thin_and_unjudged_claims_are_listed_apart(project: Project, owner: User) -> None:
    judges = factories.make_judges(project)
    thin, unjudged = factories.make_claim(project), factories.make_claim(project)
    factories.vote(thin, {judges[0]: "accept"})

    page = queue_page(reader(project, owner.pk))

    assert page.rows == ()
    assert [(row.claim_id, row.text, row.why) for row in page.thin.rows] == [
        (thin.pk, thin.text, ("2 judges have not been asked.",))
    ]
    assert [(row.claim_id, row.why) for row in page.unjudged.rows] == [(unjudged.pk, ("No judge has been asked.",))]
    assert page.failed.n_votes == 0
