"""Score responses and systems by their weakest links, from what holds true of each claim now."""

from __future__ import annotations

from argparse import ArgumentParser
from collections import Counter
from dataclasses import asdict

from django.core.management.base import BaseCommand

from evaluation.management import answers
from evaluation.management.answers import Answer
from evaluation.management.choosing import add_project, chosen
from evaluation.management.tables import decimals, table
from evaluation.models import Project
from evaluation.services import scoring
from evaluation.services.scoring import ScoredResponse, Scores

SHOWN = 20


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_project(parser)
        answers.add_json(parser)

    def handle(self, *_: object, project: str, as_json: bool, **__: object) -> None:
        with answers.sentences(self.stdout):
            found = chosen(project)
            scores = scoring.scores(project=found)
        next_step = f"see the claims behind a score: make run (project {found.slug})"
        answers.show(self.stdout, Answer(_facts(found, scores), _lines(scores), next_step), as_json=as_json)


def _facts(project: Project, scores: Scores) -> dict[str, object]:
    return {
        "project": project.slug,
        "responses": [_response_facts(each) for each in scores.responses],
        "pairs": [asdict(each) for each in scores.pairs],
        "systems": [asdict(each) for each in scores.systems],
        "is_ranked": scores.is_ranked,
        "ranking": scores.ranking,
    }


def _response_facts(each: ScoredResponse) -> dict[str, object]:
    return {
        "id": each.external_id,
        "system": each.system,
        "score": each.score.value,
        "assessed": each.score.n_assessed,
        "claims": each.score.n_claims,
        "errors": list(each.errors),
        "serious": list(each.serious),
    }


def _lines(scores: Scores) -> list[str]:
    return [*_response_lines(scores), *_pair_lines(scores), *_system_lines(scores), f"  {scores.ranking}"]


def _response_lines(scores: Scores) -> list[str]:
    with_claims = [each for each in scores.responses if each.score.n_claims]
    if not with_claims:
        return ["  No response has statements: responses are not assessed."]
    worst = sorted(with_claims, key=lambda each: (each.score.value is None, each.score.value or 0.0, each.external_id))
    rows = [
        (
            each.external_id,
            each.system or "-",
            _score(each.score.value),
            f"{each.score.n_assessed} of {each.score.n_claims}",
            ", ".join((*(f"serious {name}" for name in each.serious), *_others(each))[:3]) or "-",
        )
        for each in worst[:SHOWN]
    ]
    more = [f"  … and {len(worst) - SHOWN} better ones; --json has all."] if len(worst) > SHOWN else []
    return [*table(("response, worst first", "system", "score", "assessed", "what cost it"), rows), *more, ""]


def _others(each: ScoredResponse) -> list[str]:
    return [name for name in each.errors if name not in each.serious]


def _score(value: float | None) -> str:
    return "not assessed" if value is None else decimals(value)


def _pair_lines(scores: Scores) -> list[str]:
    if not scores.pairs:
        return []
    won = Counter(each.winner or "undecided" for each in scores.pairs)
    parts = ", ".join(f"{word} {n}" for word, n in sorted(won.items()))
    return [f"  {len(scores.pairs)} pairs: {parts}", ""]


def _system_lines(scores: Scores) -> list[str]:
    if not scores.systems:
        return []
    rows = [
        (
            each.name,
            _score(each.value),
            f"{each.n_assessed} of {each.n_responses}",
            str(each.n_serious),
            f"{each.n_won}/{each.n_lost}/{each.n_level}",
        )
        for each in scores.systems
    ]
    return [*table(("system", "mean score", "assessed", "serious", "pairs won/lost/level"), rows), ""]
