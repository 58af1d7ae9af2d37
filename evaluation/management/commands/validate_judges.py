"""Compare the judges and their majority with gold labels, or asking about claims together with asking about each."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from evaluation.management import answers, together_lines
from evaluation.management.announcing import Announcer
from evaluation.management.answers import Answer
from evaluation.management.choosing import add_project, chosen
from evaluation.management.tables import counted, decimals, percent, table
from evaluation.models import Job, Project, Run
from evaluation.schemas import ClaimKind
from evaluation.services import foreground, together, validation
from evaluation.services.validation import Measured, Validation

STEP = "Together and alone"


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--kind", default="", choices=["", *ClaimKind], help="needed where several have labels")
        parser.add_argument(
            "--batched-vs-single",
            dest="compares_together",
            action="store_true",
            help="ask each judge about all claims of a response in one call, and about each claim in a call of its own",
        )
        parser.add_argument(
            "--responses",
            dest="n_responses",
            type=int,
            default=together.N_RESPONSES,
            help="how many responses that is done for (default: %(default)s)",
        )
        parser.add_argument("--seed", type=int, default=0, help="which responses are drawn (default: %(default)s)")
        add_project(parser)
        answers.add_json(parser)

    def handle(self, *_: object, project: str, kind: str, as_json: bool, **how: bool | int) -> None:
        self.say = Announcer(self.stdout, is_quiet=as_json)
        with answers.sentences(self.stdout):
            found = chosen(project)
            if how["compares_together"]:
                answer = self._together(found, int(how["n_responses"]), int(how["seed"]))
            else:
                answer = _against_gold(found, kind)
        answers.show(self.stdout, answer, as_json=as_json)

    def _together(self, project: Project, n_responses: int, seed: int) -> Answer:
        run = together.request(project=project, by=project.created_by, n_responses=n_responses, seed=seed)
        self.say.line(f"  {counted(run.jobs.count(), 'question')}; nothing of it is a vote")
        run = foreground.finish(run=run, said=self._heard)
        self.say.done(STEP, run.state)
        measured = together.measure(run=run)
        next_step = f"let them vote: manage.py run_panel --project {project.slug}"
        return Answer({"project": project.slug, **measured.as_dict()}, together_lines.lines(measured), next_step)

    def _heard(self, run: Run) -> None:
        n_ended = run.jobs.exclude(state__in=Job.OPEN_STATES).count()
        self.say.passing(STEP, f"{n_ended} of {run.jobs.count()} questions")


def _against_gold(project: Project, kind: str) -> Answer:
    measured = validation.validate(project=project, kind=kind)
    next_step = f"rule on what they disagree about: make run (project {project.slug})"
    return Answer({"project": project.slug, **measured.as_dict()}, _lines(measured), next_step)


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
