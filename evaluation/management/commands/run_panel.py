"""Let the judges vote on everything that they have not judged yet, here and now, and join like claims in the graph."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import asdict, dataclass

from django.core.management.base import BaseCommand

from evaluation.errors import ConflictError
from evaluation.management import answers
from evaluation.management.announcing import Announcer
from evaluation.management.answers import Answer
from evaluation.management.choosing import add_project, chosen
from evaluation.management.tables import counted, table
from evaluation.models import Job, Project, Run
from evaluation.selectors import runs
from evaluation.selectors.runs import RunPage
from evaluation.services import estimating, foreground, graph, judges, panel
from evaluation.services.estimating import RunEstimate

STEP = "Panel"


@dataclass(frozen=True)
class Wish:
    """How a run is made."""

    decompose: str
    is_again: bool
    is_dry: bool
    makes_graph: bool


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--decompose",
            default="",
            choices=["", "independent", "shared"],
            help="each judge splits answers into claims, or one does and all vote (default: as the project says)",
        )
        parser.add_argument("--again", dest="is_again", action="store_true", help="ask about what was judged, too")
        parser.add_argument("--offline", dest="adds_offline", action="store_true", help="add the five offline judges")
        parser.add_argument("--dry-run", dest="is_dry", action="store_true", help="say what it takes, ask nobody")
        parser.add_argument("--no-graph", dest="makes_graph", action="store_false", help="leave the graph as it is")
        add_project(parser)
        answers.add_json(parser)

    def handle(self, *_: object, project: str, decompose: str, as_json: bool, **flags: bool) -> None:
        self.say = Announcer(self.stdout, is_quiet=as_json)
        with answers.sentences(self.stdout):
            found = chosen(project)
            if flags["adds_offline"]:
                judges.add_offline_panel(project=found)
            wish = Wish(decompose, flags["is_again"], flags["is_dry"], flags["makes_graph"])
            answer = self._run(found, wish)
        answers.show(self.stdout, answer, as_json=as_json)

    def _run(self, project: Project, wish: Wish) -> Answer:
        estimate = estimating.estimate(project=project, decompose=wish.decompose, again=wish.is_again)
        is_open = runs.open_panel_run(project=project) is not None
        facts: dict[str, object] = {"project": project.slug, "estimate": asdict(estimate)}
        if wish.is_dry:
            return Answer(facts, _estimate_lines(estimate), "let them vote: the same command without --dry-run")
        if not is_open and not estimate.n_calls_low and estimate.n_judges and project.responses.exists():
            line = f"  Every judge has voted on everything in “{project}”: nothing was asked. Ask again with --again."
            return Answer({**facts, "run": None, "state": "done", "judges": [], "failures": []}, [line], _next(project))
        if not is_open and estimate.blockers:
            raise ConflictError(estimate.blockers[0])
        for line in _estimate_lines(estimate):
            self.say.line(line)
        opened = panel.open_run(project=project, by=project.created_by, decompose=wish.decompose, again=wish.is_again)
        run = foreground.finish(run=opened, said=self._heard)
        return self._ended(project, run, wish, facts)

    def _heard(self, run: Run) -> None:
        counts = run.jobs.exclude(state__in=Job.OPEN_STATES).count(), run.jobs.count()
        self.say.passing(STEP, f"{counts[0]} of {counts[1]} steps")

    def _ended(self, project: Project, run: Run, wish: Wish, facts: dict[str, object]) -> Answer:
        page = runs.run_page(run=run)
        self.say.done(STEP, f"{page.n_ended} of {page.n_jobs} steps, {run.state}")
        facts |= {"run": run.pk, "state": run.state, "message": run.message, "calls": page.n_calls}
        names = set(project.judges.values_list("name", flat=True))
        facts["judges"] = [
            {"name": row.judge, "cast": row.n_votes, "abstained": row.n_abstained, "failed": row.n_votes_failed}
            for row in page.judges
            if row.judge in names
        ]
        facts["failures"] = [asdict(failure) for failure in page.failures]
        facts["graph"] = self._join(project) if wish.makes_graph and run.state == Run.State.DONE else None
        return Answer(facts, _vote_lines(page), _next(project), _problem(run, page))

    def _join(self, project: Project) -> dict[str, int]:
        self.say.passing("Graph", "joining like claims …")
        built = graph.build(project=project)
        self.say.done("Graph", f"{counted(built.n_claims, 'claim')}, {counted(built.n_edges, 'edge')}")
        return {"claims": built.n_claims, "edges": built.n_edges}


def _estimate_lines(estimate: RunEstimate) -> list[str]:
    work = f"{counted(estimate.n_responses, 'response')}, {counted(estimate.n_claims, 'known claim')}"
    tokens = f"about {estimate.input_tokens:,} tokens; sends text to {', '.join(estimate.recipients)}"
    sent = tokens if estimate.recipients else "nothing leaves this machine"
    calls = f"{estimate.n_calls_low:,} to {estimate.n_calls_high:,} calls"
    lines = [f"  {work}, {counted(estimate.n_judges, 'judge')}: {calls}; {sent}"]
    return [*lines, *(f"  ! {blocker}" for blocker in estimate.blockers)]


def _vote_lines(page: RunPage) -> list[str]:
    rows = [
        (row.judge, str(row.n_votes), str(row.n_abstained), str(row.n_votes_failed), str(row.n_failed))
        for row in page.judges
    ]
    lines = table(("judge", "votes", "abstained", "failed", "steps failed"), rows)
    return [*lines, *(f"  failed {each.n} x {each.judge}: {each.reason}" for each in page.failures)]


def _problem(run: Run, page: RunPage) -> str:
    has_ended = run.state in (Run.State.DONE, Run.State.FAILED)
    if has_ended and page.failures and not any(row.n_votes + row.n_abstained for row in page.judges):
        return f"No judge could answer. First reason: {page.failures[0].reason}"
    return f"The run ended as {run.state}. {run.message}" if run.state != Run.State.DONE else ""


def _next(project: Project) -> str:
    return f"rule on what they disagree about: make run (project {project.slug})"
