"""Notes about running installations: locked while they live, gone afterwards."""

from __future__ import annotations

from pathlib import Path

from evaluation.management import running
from evaluation.management.running import Running


def note(pid: int, started_at: str = "2026-01-01") -> Running:
    return Running(f"http://127.0.0.1:{pid}", pid, started_at)


def test_it_is_seen_while_it_runs_and_not_afterwards(tmp_path: Path) -> None:
    with running.noted(tmp_path, note(8000)):
        during = running.all_running(tmp_path)

    assert during == [note(8000)]
    assert running.all_running(tmp_path) == []
    assert list(tmp_path.iterdir()) == []


def test_the_newest_comes_first(tmp_path: Path) -> None:
    older, newer = note(8000, "2026-01-01"), note(7000, "2026-01-02")

    with running.noted(tmp_path, older), running.noted(tmp_path, newer):
        found = running.all_running(tmp_path)

    assert found == [newer, older]


def test_a_note_left_by_a_crash_is_removed(tmp_path: Path) -> None:
    (tmp_path / "up-1.json").write_text('{"url": "http://127.0.0.1:1", "pid": 1, "started_at": ""}')

    found = running.all_running(tmp_path)

    assert found == []
    assert list(tmp_path.iterdir()) == []
