"""The timing of a run: what it reports of a small one, and that it keeps away from other projects."""

from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.errors import ConflictError, InvalidInputError
from evaluation.llm.local_server.answering import Behaviour
from evaluation.llm.local_server.faults import Faults
from evaluation.llm.local_server.latency import Latency
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Project
from evaluation.services.bench_panel import Load, measure, memory_mb

pytestmark = pytest.mark.django_db


def measured(load: Load, folder: Path, faults: Faults) -> dict[str, object]:
    log = folder / "log.jsonl"
    with LocalServer(behaviour=Behaviour(faults=faults), log=log) as server:
        urls = {"openai_chat": server.openai_url, "anthropic_messages": server.url}
        return measure(load=load, urls=urls, log=log, said=lambda _: None)


def test_it_reports_a_run_in_which_nothing_goes_wrong(tmp_path: Path) -> None:
    found = measured(Load(8, 4, 0.05), tmp_path, Faults(latency=Latency(0.05)))

    assert (found["n_sent"], found["n_received"], found["n_disagreeing"]) == (8, 8, 0)
    assert (found["n_votes"], found["n_lost"], found["n_failed_by_reason"]) == (40, 0, {})
    assert found["n_by_server"] == {"answered": 8}
    assert found["seconds_lower_bound"] == pytest.approx(0.1)
    ratio, cpu, peak = (found[name] for name in ("ratio_to_lower_bound", "cpu_ms_per_call", "peak_memory_mb"))
    assert isinstance(ratio, float)
    assert 1 <= ratio < 60
    assert isinstance(cpu, float)
    assert cpu > 0
    assert isinstance(peak, float)
    assert peak > memory_mb() / 2


def test_votes_that_fail_are_counted_by_their_reason_and_none_is_lost(tmp_path: Path) -> None:
    found = measured(Load(6, 6, 0.05), tmp_path, Faults(refused=0.5, seed=1))

    refused, failed = found["n_by_server"], found["n_failed_by_reason"]
    assert isinstance(refused, dict)
    assert isinstance(failed, dict)
    assert 0 < refused["refused"] < 6
    assert failed == {"refused": 5 * refused["refused"]}
    assert (found["n_lost"], found["n_votes"]) == (0, 30 - failed["refused"])


def test_it_keeps_away_from_projects_of_other_people(project: Project, tmp_path: Path) -> None:
    with pytest.raises(ConflictError, match="empty database of its own"):
        measure(load=Load(1, 1, 1.0), urls={}, log=tmp_path / "log", said=lambda _: None)


@pytest.mark.parametrize("wrong", [(0, 1, 1.0), (1, 0, 1.0), (1, 1, 0.0)])
def test_a_run_of_nothing_is_not_timed(wrong: tuple[int, int, float]) -> None:
    with pytest.raises(InvalidInputError, match="at least 1 call"):
        Load(*wrong)


def test_the_lower_bound_counts_full_rounds() -> None:
    assert [Load(calls, 32, 0.5).lower_bound for calls in (1, 32, 33, 1_024)] == [0.5, 0.5, 1.0, 16.0]
