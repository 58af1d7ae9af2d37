"""Time the claim graph or a decision on random data; touches no project and needs no database."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from evaluation.management import answers
from evaluation.management.announcing import Announcer
from evaluation.management.answers import Answer
from evaluation.services import bench

MEANINGS = {
    "seconds_product": "weights of all pairs",
    "seconds_edges": "choosing each claim's neighbours",
    "seconds_networkx": "handing the graph to networkx",
    "ratio_to_matmul": "times the bare matrix product",
    "ratio_to_loops": "times faster than a loop over pairs",
    "seconds_median": "one decision: re-weighting and ranking",
    "patterns": "vote patterns",
}


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=["graph", "decide"])
        parser.add_argument("--claims", type=int, default=10_000)
        parser.add_argument("--voters", type=int, default=5, help="decide only")
        answers.add_json(parser)

    def handle(self, *_: object, what: str, claims: int, voters: int, as_json: bool, **__: object) -> None:
        say = Announcer(self.stdout, is_quiet=as_json)
        with answers.sentences(self.stdout):
            say.passing(f"{what}, {claims:,} claims", "measuring …")
            measured: dict[str, float] | dict[str, float | int]
            measured = (
                bench.bench_graph(claims=claims)
                if what == "graph"
                else bench.bench_decide(claims=claims, voters=voters)
            )
            say.passing("", "")
        with_voters = f", {voters} voters" if what == "decide" else ""
        lines = [f"  {what}, {claims:,} claims{with_voters}"]
        lines += [f"  {name:<18}{value:>12.4g}  {MEANINGS[name]}" for name, value in measured.items()]
        answers.show(self.stdout, Answer(measured, lines), as_json=as_json)
