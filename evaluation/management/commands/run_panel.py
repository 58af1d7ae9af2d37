"""Let the judges vote on everything that they have not judged yet, here and now, and join like claims in the graph."""

from __future__ import annotations

from argparse import ArgumentParser, ArgumentTypeError
from dataclasses import asdict, dataclass
from decimal import Decimal, InvalidOperation

from django.core.management.base import BaseCommand

from evaluation.errors import ConflictError, InvalidInputError
from evaluation.management import answers, run_lines
from evaluation.management.announcing import Announcer
from evaluation.management.answers import Answer
from evaluation.management.choosing import add_project, chosen
from evaluation.management.tables import counted
from evaluation.models import Job, Project, Purse, Run
from evaluation.selectors import runs
from evaluation.selectors.dollars import micros_of
from evaluation.services import expecting, foreground, graph, judges, panel, voting_rules
from evaluation.services.counting import Wish
from evaluation.services.expecting import Expected
from evaluation.services.panel import RunOptions

STEP = "Panel"
MOST_DOLLARS = 1_000_000


@dataclass(frozen=True)
class _Flags:
    """What the command does besides the run itself."""

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
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--again", action="store_true", help="ask about what was judged, too")
        what.add_argument("--only-failed", action="store_true", help="ask only for what failed before")
        parser.add_argument(
            "--samples",
            type=_samples,
            default=0,
            help="votes of each judge on each claim (default: as the project says)",
        )
        parser.add_argument(
            "--cap", type=_dollars, default=None, metavar="DOLLARS", help="pause before it would cost more than this"
        )
        parser.add_argument("--in-batches", action="store_true", help="ask through batch APIs: half the price, slow")
        parser.add_argument("--offline", dest="adds_offline", action="store_true", help="add the five offline judges")
        parser.add_argument("--dry-run", dest="is_dry", action="store_true", help="say what it takes, ask nobody")
        parser.add_argument("--no-graph", dest="makes_graph", action="store_false", help="leave the graph as it is")
        add_project(parser)
        answers.add_json(parser)

    def handle(self, *_: object, project: str, as_json: bool, cap: int | None, samples: int, **words: object) -> None:
        self.say = Announcer(self.stdout, is_quiet=as_json)
        options = RunOptions(
            decompose=str(words["decompose"]),
            again=bool(words["again"]),
            only_failed=bool(words["only_failed"]),
            samples=samples,
            cap_micros=cap,
            in_batches=bool(words["in_batches"]),
        )
        with answers.sentences(self.stdout):
            found = chosen(project)
            if words["adds_offline"]:
                judges.add_offline_panel(project=found)
            answer = self._run(found, options, _Flags(bool(words["is_dry"]), bool(words["makes_graph"])))
        answers.show(self.stdout, answer, as_json=as_json)

    def _run(self, project: Project, options: RunOptions, flags: _Flags) -> Answer:
        wish = Wish(options.decompose, options.again, options.samples, options.only_failed)
        expected = expecting.expect(
            project=project, wish=wish, in_batches=options.in_batches, cap_micros=options.cap_micros
        )
        takes = expected.takes
        facts: dict[str, object] = {
            "project": project.slug,
            "estimate": asdict(takes),
            "cost": run_lines.cost_facts(expected.costs),
        }
        lines = run_lines.expected_lines(expected)
        is_nothing_left = not takes.n_calls_low and takes.n_judges > 0 and project.responses.exists()
        run = runs.open_panel_run(project=project)
        if flags.is_dry:
            return _only_said(project, expected, facts, options, is_nothing_left=is_nothing_left and run is None)
        if run is None:
            if is_nothing_left:
                return _nothing_to_ask(project, facts, options)
            if expected.blockers:
                raise ConflictError(expected.blockers[0])
            for line in lines:
                self.say.line(line)
            run = panel.open_run(project=project, by=project.created_by, options=options)
        else:
            run = self._joined(run, options)
        return self._ended(project, foreground.finish(run=run, said=self._heard), flags, facts)

    def _joined(self, run: Run, options: RunOptions) -> Run:
        """The open run as it goes on; raises ConflictError where something else is wanted than it does."""
        if others := _contradictions(run, options):
            raise ConflictError(
                f"Run {run.pk} is open and goes on as it was begun, so {', '.join(others)} cannot be followed: leave "
                "that out to go on with it, or stop it on its page first."
            )
        is_paused = run.state == Run.State.PAUSED
        if not is_paused and options.cap_micros not in (None, _cap_of(run)):
            raise ConflictError(f"Run {run.pk} is {run.state}: pause it on its page before you give it another cap.")
        self.stderr.write(f"Works on run {run.pk} of “{run.project}”, which is open already.", str)
        return panel.resume(run=run, cap_micros=options.cap_micros) if is_paused else run

    def _heard(self, run: Run) -> None:
        counts = run.jobs.exclude(state__in=Job.OPEN_STATES).count(), run.jobs.count()
        self.say.passing(STEP, f"{counts[0]} of {counts[1]} steps")

    def _ended(self, project: Project, run: Run, flags: _Flags, facts: dict[str, object]) -> Answer:
        page = runs.run_page(run=run)
        self.say.done(STEP, f"{page.n_ended} of {page.n_jobs} steps, {run.state}")
        facts |= run_lines.page_facts(page, set(project.judges.values_list("name", flat=True)))
        facts["graph"] = self._join(project) if flags.makes_graph and run.state == Run.State.DONE else None
        return Answer(facts, run_lines.vote_lines(page), _next(project), run_lines.problem(run, page))

    def _join(self, project: Project) -> dict[str, int]:
        self.say.passing("Graph", "joining like claims …")
        built = graph.build(project=project)
        self.say.done("Graph", f"{counted(built.n_claims, 'claim')}, {counted(built.n_edges, 'edge')}")
        return {"claims": built.n_claims, "edges": built.n_edges}


def _dollars(text: str) -> int:
    try:
        amount = Decimal(text.removeprefix("$"))
    except InvalidOperation:
        raise ArgumentTypeError(f"“{text}” is no amount of dollars: write it such as 2.50.") from None
    if not amount.is_finite() or not 0 <= amount <= MOST_DOLLARS:
        raise ArgumentTypeError(f"A cap is between 0 and {MOST_DOLLARS:,} dollars, not {text}.")
    return micros_of(amount)


def _samples(text: str) -> int:
    if not text.isdecimal():
        raise ArgumentTypeError(f"“{text}” is no number of votes: write it such as 3.")
    try:
        voting_rules.check_samples(int(text))
    except InvalidInputError as error:
        raise ArgumentTypeError(str(error)) from None
    return int(text)


def _contradictions(run: Run, options: RunOptions) -> list[str]:
    """The options that ask for something else than an open run does; what it was begun for is not known any more."""
    asked = {
        "--again": options.again,
        "--only-failed": options.only_failed,
        "--samples": options.samples not in (0, run.samples),
        "--in-batches": options.in_batches and not run.in_batches,
        "--decompose": options.decompose not in ("", run.decompose),
    }
    return [name for name, is_other in asked.items() if is_other]


def _cap_of(run: Run) -> int | None:
    return Purse.objects.filter(run=run).values_list("cap_micros", flat=True).first()


def _only_said(
    project: Project, expected: Expected, facts: dict[str, object], options: RunOptions, *, is_nothing_left: bool
) -> Answer:
    """The answer to --dry-run."""
    lines = run_lines.expected_lines(expected)
    if is_nothing_left:
        return Answer(facts, [*lines, _nothing_line(project, options)], _next(project))
    return Answer(facts, lines, "" if expected.blockers else "let them vote: the same command without --dry-run")


def _nothing_line(project: Project, options: RunOptions) -> str:
    if options.only_failed:
        return f"  No vote failed in “{project}”: nothing was asked."
    return f"  Every judge has voted on everything in “{project}”: nothing was asked. Ask again with --again."


def _nothing_to_ask(project: Project, facts: dict[str, object], options: RunOptions) -> Answer:
    said: dict[str, object] = {"run": None, "state": "done", "judges": [], "failures": []}
    return Answer({**facts, **said}, [_nothing_line(project, options)], _next(project))


def _next(project: Project) -> str:
    return f"rule on what they disagree about: make run (project {project.slug})"
