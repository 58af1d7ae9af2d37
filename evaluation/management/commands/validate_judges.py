"""Compare the judges and their majority with gold labels."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from evaluation.management import answers
from evaluation.management.answers import Answer
from evaluation.management.choosing import add_project, chosen
from evaluation.management.tables import decimals, percent, table
from evaluation.schemas import ClaimKind
from evaluation.services import validation
from evaluation.services.validation import Measured, Validation


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--kind", default="", choices=["", *ClaimKind], help="needed where several have labels")
        add_project(parser)
        answers.add_json(parser)

    def handle(self, *_: object, project: str, kind: str, as_json: bool, **__: object) -> None:
        with answers.sentences(self.stdout):
            found = chosen(project)
            measured = validation.validate(project=found, kind=kind)
        facts = {"project": found.slug, **measured.as_dict()}
        next_step = f"rule on what they disagree about: make run (project {found.slug})"
        answers.show(self.stdout, Answer(facts, _lines(measured), next_step), as_json=as_json)


def _lines(measured: Validation) -> list[str]:
    labels = list(measured.gold)
    head = ("judge", "balanced", "right", "kappa", "votes", "no vote", *(f"of {label}" for label in labels))
    rows = [_row(each, labels) for each in (measured.majority, *measured.judges)]
    gold = ", ".join(f"{n} {label}" for label, n in measured.gold.items())
    return [
        f"  {measured.n_gold} labelled claims ({gold}); the majority ties on {measured.n_ties}, counted in shares",
        *table(head, rows),
        f"  Balanced is the mean over labels of the share found; guessing reaches {percent(1 / len(labels))}.",
    ]


def _row(each: Measured, labels: list[str]) -> tuple[str, ...]:
    found = (percent(each.recall.get(label)) for label in labels)
    no_vote = str(each.n_abstained + each.n_failed)
    shares = (percent(each.balanced_accuracy), percent(each.accuracy), decimals(each.kappa))
    return (each.name, *shares, str(each.n), no_vote, *found)
