"""A whole run over a server at which much goes wrong: every claim is voted on, or failed with its reason."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from evaluation.llm.local_server.journal import entries
from evaluation.management import scratch
from evaluation.models import Run
from evaluation.services import panel, panel_worker
from tests.flows import endurance

pytestmark = [pytest.mark.slow, pytest.mark.django_db]

FAULTS = {
    "latency": 0.05,
    "rate-limited": 0.1,
    "retry-after": 0.05,
    "server-errors": 0.03,
    "cut": 0.02,
    "malformed": 0.02,
    "seed": 21,
}


def test_every_claim_is_voted_on_or_failed_with_its_reason_and_the_server_agrees_call_by_call(
    is_full: bool, record_property: Callable[[str, object], None]
) -> None:
    calls = 2_000 if is_full else 200
    with scratch.beside_a_server(
        [word for name, value in FAULTS.items() for word in (f"--{name}", str(value))]
    ) as made:
        run = panel.open_run(project=endurance.make_project(made.urls, calls), by=None)

        ended = panel_worker.drive(run_id=run.pk)

        log = list(entries(made.log.read_text(encoding="utf-8")))
    figures = endurance.check(run, log, [])
    done = Counter(entry.done for entry in log)
    for name, value in (figures | done).items():
        record_property(name, value)
    assert ended.state == Run.State.DONE
    assert figures["calls"] == len(log) > 1.1 * calls
    assert min(done[name] for name in ("rate_limited", "server_error", "cut")) > 0
    assert done["malformed_text"] + done["malformed_body"] > 0
    assert figures["votes"] + figures["failed"] == 5 * calls
