"""Replay recorded votes: a simulated expert reveals gold, claim by claim. Reads files only, needs no database."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand

from evaluation.algorithms.claim_graph import GraphSettings
from evaluation.algorithms.simulation.replay import ReplaySettings
from evaluation.errors import InvalidInputError
from evaluation.exchange.detect import ReadOptions
from evaluation.exchange.llmbar import BOTH_ORDERS
from evaluation.management import answers, replay_report
from evaluation.management.announcing import Announcer
from evaluation.management.answers import Answer
from evaluation.management.sources import add_source, source_path
from evaluation.schemas import ClaimKind, SelectionPolicy, UpdateRule
from evaluation.services import replaying

STEP = "Replay"
DEFAULTS = ReplaySettings()


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_source(parser)
        parser.add_argument("--orders", default="first", choices=["first", "both"], help="both: a voter per order")
        parser.add_argument("--update", default=DEFAULTS.update, choices=list(UpdateRule))
        parser.add_argument("--policy", default=DEFAULTS.policy, choices=list(SelectionPolicy))
        parser.add_argument("--decisions", type=int, default=DEFAULTS.decisions)
        parser.add_argument("--seeds", type=int, default=DEFAULTS.seeds, help="tie-break seeds 0, 1, …")
        parser.add_argument("--audit-every", type=int, default=0, help="every so many rulings one at random; 0: never")
        parser.add_argument("--alpha", type=float, default=GraphSettings.alpha, help="flip: weight of shared tags")
        parser.add_argument("--beta", type=float, default=GraphSettings.beta, help="flip: least likeness of neighbours")
        parser.add_argument("--plot", default="", metavar="FILE.html", help="write a picture, too")
        answers.add_json(parser)

    def handle(self, *_: object, plot: str, as_json: bool, **given: object) -> None:
        say = Announcer(self.stdout, is_quiet=as_json)
        with answers.sentences(self.stdout):
            path, options, settings = _path(given), _options(given), _settings(given)
            say.passing(STEP, "reading …")
            recording = replaying.read(path=path, fmt=str(given["fmt"]), options=options)
            say.passing(STEP, f"{settings.seeds} seeds of {settings.decisions} rulings …")
            found = replaying.run(recording=recording, settings=settings, graph=_graph(given))
            say.passing("", "")
            title = f"{path.name}: {settings.update} with {settings.policy}, {settings.seeds} seeds"
            if plot:
                replay_report.write_plot(found, title, Path(plot))
        lines = [f"  {title}", *replay_report.lines_of(found)]
        next_step = f"open {plot}" if plot else "see the course: --plot FILE.html"
        answers.show(self.stdout, Answer(found.as_dict(), lines, next_step), as_json=as_json)


def _path(given: dict[str, object]) -> Path:
    advice = "Name one file or folder with votes and gold: replay PATH"
    return source_path(str(given["file"]), str(given["path"]), advice=advice)


def _options(given: dict[str, object]) -> ReadOptions:
    orders = BOTH_ORDERS if given["orders"] == "both" else replaying.FIRST_ORDER
    kind = ClaimKind(str(given["kind"])) if given["kind"] else None
    return ReadOptions(prompt=str(given["prompt"]), orders=orders, kind=kind)


def _settings(given: dict[str, object]) -> ReplaySettings:
    audit_every = int(str(given["audit_every"]))
    if audit_every < 0:
        raise InvalidInputError(f"Audits come every so many rulings, or never with 0; not every {audit_every}.")
    return ReplaySettings(
        update=UpdateRule(str(given["update"])),
        policy=SelectionPolicy(str(given["policy"])),
        decisions=int(str(given["decisions"])),
        seeds=int(str(given["seeds"])),
        audit_every=audit_every,
    )


def _graph(given: dict[str, object]) -> GraphSettings:
    alpha, beta = float(str(given["alpha"])), float(str(given["beta"]))
    if not (0 <= alpha <= 1 and 0 <= beta <= 1):
        raise InvalidInputError(f"Alpha and beta lie between 0 and 1, not {alpha:g} and {beta:g}.")
    return GraphSettings(alpha=alpha, beta=beta)
