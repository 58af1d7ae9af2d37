"""Do in the foreground what follows from rulings and was not done: second looks and drafted rules."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import asdict

from django.core.management.base import BaseCommand

from evaluation.errors import InvalidInputError
from evaluation.management import answers
from evaluation.management.announcing import Announcer
from evaluation.management.answers import Answer
from evaluation.management.choosing import add_project, chosen
from evaluation.management.tables import counted
from evaluation.models import Decision, Job, Project, Run
from evaluation.services import followups, foreground, literal_flip
from evaluation.services.foreground import FollowedUp

STEP = "Following up"


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--decision", type=int, metavar="ID", help="only what follows from this ruling")
        parser.add_argument("--flip", type=int, metavar="ID", help="what the literal variant would turn over")
        parser.add_argument("--dry-run", dest="is_dry", action="store_true", help="show it, do nothing")
        add_project(parser)
        answers.add_json(parser)

    def handle(
        self, *_: object, decision: int | None, flip: int | None, project: str, is_dry: bool, **flags: bool
    ) -> None:
        as_json = flags["as_json"]
        self.say = Announcer(self.stdout, is_quiet=as_json)
        with answers.sentences(self.stdout):
            if decision is not None and flip is not None:
                raise InvalidInputError("Choose either --decision or --flip.")
            if flip is not None:
                answer = _flip(_decision(flip, project), is_dry=is_dry)
            elif decision is not None:
                answer = self._one(_decision(decision, project), is_dry=is_dry)
            else:
                answer = self._all(chosen(project), is_dry=is_dry)
        answers.show(self.stdout, answer, as_json=as_json)

    def _all(self, project: Project, *, is_dry: bool) -> Answer:
        if is_dry:
            waiting = project.runs.filter(kind__in=foreground.FOLLOWING, state__in=Run.OPEN_STATES).count()
            rulings = [decision.pk for decision in foreground.not_followed_up(project)]
            facts = {"project": project.slug, "waiting_runs": waiting, "rulings": rulings}
            line = f"  {counted(waiting, 'queued run')}, {counted(len(rulings), 'ruling')} without any follow-up yet"
            return Answer(facts, [line], "do it: the same command without --dry-run")
        found = foreground.catch_up(project=project, said=self._heard)
        return self._followed(project, found)

    def _one(self, decision: Decision, *, is_dry: bool) -> Answer:
        if is_dry:
            return _changes(decision)
        return self._followed(decision.project, foreground.follow_up(decision=decision, said=self._heard))

    def _heard(self, run: Run) -> None:
        left = run.jobs.filter(state__in=Job.OPEN_STATES).count()
        self.say.passing(STEP, f"{counted(left, 'step')} left")

    def _followed(self, project: Project, found: FollowedUp) -> Answer:
        self.say.passing("", "")
        facts: dict[str, object] = {
            "project": project.slug,
            "rulings": found.n_rulings,
            "runs": [run.pk for run in found.runs],
            "proposals": found.n_proposals,
            "drafts": found.n_drafts,
            "failures": list(found.failures),
        }
        if not found.runs:
            return Answer(facts, ["  Nothing was left to do: re-weighting is done with each ruling."])
        proposals = counted(found.n_proposals, "proposal")
        line = f"  {counted(found.n_rulings, 'ruling')} followed up: {proposals}, {counted(found.n_drafts, 'draft')}"
        failed = [f"  failed: {reason}" for reason in found.failures]
        return Answer(facts, [line, *failed], f"answer proposals, read drafts: make run (project {project.slug})")


def _decision(pk: int, project: str) -> Decision:
    rulings = Decision.objects.select_related("project", "claim", "undo")
    if project:
        rulings = rulings.filter(project=chosen(project))
    found = rulings.filter(pk=pk).first()
    if found is None:
        raise InvalidInputError(f"There is no ruling {pk}: export_data --what decisions lists them.")
    return found


def _changes(decision: Decision) -> Answer:
    propagation = getattr(decision, "propagation", None)
    moves = [
        {
            "claims": move.n_claims,
            "before": move.before_label or move.before_state,
            "after": move.after_label or move.after_state,
        }
        for move in (propagation.moves.all() if propagation else ())
    ]
    proposals = [
        {"claim": each.claim.external_id, "before": each.before_label, "label": each.label, "state": each.state}
        for each in decision.proposals.select_related("claim")
    ]
    pending = followups.pending(decision)
    n_moved = propagation.n_moved if propagation else 0
    facts: dict[str, object] = {"decision": decision.pk, "n_moved": n_moved, "moves": moves}
    facts |= {"proposals": proposals, "steps_left": pending}
    lines = [f"  Ruling {decision.pk} moved {counted(n_moved, 'answer')} by re-weighting the judges"]
    lines += [f"    {move['claims']} x {move['before']} -> {move['after']}" for move in moves]
    lines += [f"  {counted(len(proposals), 'proposal')} from the second look, {counted(pending, 'step')} left"]
    return Answer(facts, lines, f"do what is left: manage.py propagate --decision {decision.pk}")


def _flip(decision: Decision, *, is_dry: bool) -> Answer:
    if not is_dry:
        raise InvalidInputError("The literal variant is for comparison and never stored: add --dry-run.")
    found = literal_flip.would_flip(decision=decision)
    facts = {"decision": decision.pk, **asdict(found)}
    near = counted(found.n_neighbours, "disputed neighbour")
    lines = [
        f"  Ruling {decision.pk}: {found.before} -> {found.ruling}",
        f"  {near}: {len(found.turned)} would be turned over, {found.n_defended} kept as they are",
        *(f"    {each.before} -> {each.after}  {each.claim_id}  {each.text[:80]}" for each in found.turned),
        "  Nothing was stored: on recorded votes this breaks about as much as it puts right.",
    ]
    return Answer(facts, lines)
