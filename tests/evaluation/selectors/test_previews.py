from __future__ import annotations

from django.contrib.auth.models import User

from evaluation.models import Project
from evaluation.selectors.answers import reader
from evaluation.selectors.claims import visible_claims
from evaluation.selectors.previews import preview_view
from evaluation.services import preview
from tests import factories


def test_it_says_what_would_move_and_stores_nothing(project: Project, owner: User) -> None:
    judges = factories.make_judges(project, 2)
    claims = [factories.make_claim(project) for _ in range(3)]
    for claim in claims:
        factories.vote(claim, {judges[0]: "accept", judges[1]: "reject"})
    claim = visible_claims(project).get(pk=claims[0].pk)

    view = preview_view(reader(project, owner.pk), claim, "reject", preview.preview(claim=claim, label="reject"))

    assert (view.ruling.words, view.n_moved, view.is_warning) == ("Not supported", 2, False)
    assert [(row.before.phrase, row.after.phrase, row.n_claims) for row in view.rows] == [
        ("a tie", "leans “Not supported”", 2)
    ]
    assert not project.decisions.exists()


def test_patterns_that_read_the_same_are_one_row(project: Project, owner: User) -> None:
    judges = factories.make_judges(project, 3)
    claims = [factories.make_claim(project) for _ in range(3)]
    factories.vote(claims[0], {judges[0]: "accept", judges[1]: "accept", judges[2]: "reject"})
    factories.vote(claims[1], {judges[0]: "accept", judges[2]: "reject"})
    factories.vote(claims[2], {judges[1]: "accept", judges[2]: "reject"})
    claim = visible_claims(project).get(pk=claims[0].pk)

    view = preview_view(reader(project, owner.pk), claim, "reject", preview.preview(claim=claim, label="reject"))

    assert [(row.split.words, row.n_claims) for row in view.rows] == [("1 Supported · 1 Not supported", 2)]
