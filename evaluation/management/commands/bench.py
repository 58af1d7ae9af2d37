"""Time the claim graph, a decision or a run of the panel; touches no project and needs no database."""

from __future__ import annotations

import json
import sys
from argparse import SUPPRESS, ArgumentParser
from collections.abc import Mapping
from pathlib import Path

from django.core.management import call_command
from django.core.management.base import BaseCommand, OutputWrapper

from evaluation.management import answers, fake_server, scratch
from evaluation.management.announcing import Announcer
from evaluation.management.answers import Answer
from evaluation.services import bench, bench_panel
from evaluation.services.bench_panel import Load

MEANINGS = {
    "seconds_product": "weights of all pairs",
    "seconds_edges": "choosing each claim's neighbours",
    "seconds_networkx": "handing the graph to networkx",
    "ratio_to_matmul": "times the bare matrix product",
    "ratio_to_loops": "times faster than a loop over pairs",
    "seconds_median": "one decision: re-weighting and ranking",
    "patterns": "vote patterns",
    "ratio_to_lower_bound": "first call sent to last vote stored, over full rounds of latency",
    "seconds": "first call sent to last vote stored",
    "seconds_lower_bound": "calls / concurrency, rounded up, times latency",
    "seconds_start_up": "from the start of the worker to its first call",
    "calls": "calls the run takes if nothing goes wrong",
    "n_sent": "calls in the ledger",
    "n_received": "calls in the log of the server",
    "n_disagreeing": "questions of which ledger and log tell differently",
    "first_disagreement": "the first of them",
    "n_by_server": "what the server did",
    "n_votes": "votes stored",
    "n_lost": "votes that are neither there nor failed with a reason",
    "n_failed_by_reason": "votes that failed",
    "cpu_ms_per_call": "processor time of the worker per call, in milliseconds",
    "peak_memory_mb": "most memory of the worker",
    "memory_at_tenth_mb": "its memory when a tenth of the calls was done",
    "memory_growth_mb": "how much more it was at the end",
}


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("what", choices=["graph", "decide", "panel"])
        parser.add_argument("--claims", type=int, default=10_000, help="graph and decide only")
        parser.add_argument("--voters", type=int, default=5, help="decide only")
        parser.add_argument("--calls", type=int, default=1_024, help="panel only, as everything below")
        parser.add_argument("--concurrency", type=int, default=32, help="calls that are out at once")
        parser.add_argument("--inside", help=SUPPRESS)
        fake_server.add_options(parser)
        parser.set_defaults(latency=0.5)
        answers.add_json(parser)

    def handle(self, *_: object, what: str, as_json: bool, **options: object) -> None:
        say = Announcer(self.stdout, is_quiet=as_json)
        with answers.sentences(self.stdout):
            title, measured = _panel(options, say) if what == "panel" else _in_memory(what, options, say)
            say.passing("", "")
        lines = [f"  {title}"]
        lines += [f"  {name:<22}{_shown(value):>12}  {MEANINGS[name]}" for name, value in measured.items()]
        answers.show(self.stdout, Answer(measured, lines), as_json=as_json)


def _in_memory(what: str, options: Mapping[str, object], say: Announcer) -> tuple[str, Mapping[str, object]]:
    claims, voters = int(str(options["claims"])), int(str(options["voters"]))
    say.passing(f"{what}, {claims:,} claims", "measuring …")
    if what == "graph":
        return f"graph, {claims:,} claims", bench.bench_graph(claims=claims)
    return f"decide, {claims:,} claims, {voters} voters", bench.bench_decide(claims=claims, voters=voters)


def _panel(options: Mapping[str, object], say: Announcer) -> tuple[str, Mapping[str, object]]:
    """Measure in a process of its own, since this one may be looking at the user's database."""
    calls, concurrency = (int(str(options[name])) for name in ("calls", "concurrency"))
    load = Load(calls, concurrency, float(str(options["latency"])))
    title = f"panel, {load.calls:,} calls, {load.concurrency} at once, {load.latency:g} s each"
    if options["inside"]:
        place = json.loads(str(options["inside"]))
        return title, _inside(load, place["urls"], Path(place["log"]))
    say.passing(title, "starting a server …")
    with scratch.beside_a_server(fake_server.words_of(options)) as made:
        inside = json.dumps({"urls": dict(made.urls), "log": str(made.log)})
        words = [f"--{name}={options[name]}" for name in ("calls", "concurrency", "latency")]
        return title, made.run("bench", "panel", *words, "--inside", inside)


def _inside(load: Load, urls: Mapping[str, str], log: Path) -> Mapping[str, object]:
    call_command("migrate", verbosity=0)
    say = Announcer(OutputWrapper(sys.stderr))
    return bench_panel.measure(load=load, urls=urls, log=log, said=lambda n: say.passing("calls done", f"{n:,}"))


def _shown(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {count:,}" for name, count in value.items()) or "none"
    return f"{value:.4g}" if isinstance(value, float) else str(value)
