"""What a claim's page offers before a ruling: a second opinion, and a look at what would change."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Claim, Project, Run, Verdict
from tests import factories

FRAGMENT = {"HX-Request": "true"}


def address(name: str, claim: Claim) -> str:
    return reverse(name, kwargs={"slug": claim.project.slug, "claim_id": claim.pk})


@pytest.mark.parametrize(
    ("provider", "words"),
    [
        ("replay", "AI second opinion: needs a judge of a provider</button>"),
        ("offline", "Second opinion (word-matching rule) <kbd>a</kbd>"),
        ("openai_chat", "AI second opinion <kbd>a</kbd>"),
    ],
)
def test_the_button_says_who_gives_a_second_opinion(
    signed_in: Client, project: Project, provider: str, words: str
) -> None:
    claim = factories.make_disputed(project, factories.make_judges(project, provider=provider))[0]

    assert words in signed_in.get(address("claim", claim)).content.decode()


def test_a_result_comes_into_view_and_waiting_does_not(signed_in: Client, project: Project) -> None:
    judge = factories.make_judges(project, provider="offline")[0]
    claim = factories.make_disputed(project, [judge, *factories.make_judges(project, 2)])[0]

    waiting = signed_in.post(address("second-opinion", claim), headers=FRAGMENT)
    run = Run.objects.latest("pk")
    Verdict.objects.create(claim=claim, judge=judge, run=run, purpose="review", state="cast", label="accept")
    claim.jobs.update(state="done")
    result = signed_in.get(address("second-opinion", claim), headers=FRAGMENT)

    assert "HX-Reswap" not in waiting.headers
    assert "<h2>Second opinion</h2>" in waiting.content.decode()
    assert result.headers["HX-Reswap"] == "outerHTML show:#second-opinion:top"
    assert "<h2>Second opinion</h2>" in result.content.decode()


def test_a_preview_that_moves_nothing_takes_one_line(signed_in: Client, project: Project) -> None:
    claim = factories.make_disputed(project, factories.make_judges(project))[0]

    part = signed_in.get(address("preview", claim), headers=FRAGMENT).content.decode()

    assert part.count('class="card preview compact"') == 3
    assert part.count("would move none of 1 open answer<") == 3
