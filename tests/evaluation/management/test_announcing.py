"""What a start prints: numbered steps with dots, warnings apart."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.core.management.base import OutputWrapper

from evaluation.management.announcing import Announcer, short


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_step_is_a_dotted_line_with_its_result() -> None:
    out = io.StringIO()

    Announcer(OutputWrapper(out)).done("3/5 Database", "ok")

    assert out.getvalue().startswith("  3/5 Database ....")
    assert out.getvalue().endswith(". ok\n")


def test_passing_states_appear_on_a_terminal_only() -> None:
    terminal, file = Terminal(), io.StringIO()

    for out in (terminal, file):
        Announcer(OutputWrapper(out)).passing("4/5 Demo", "2 of 12")

    assert "2 of 12" in terminal.getvalue()
    assert file.getvalue() == ""


def test_nothing_is_printed_when_it_is_quiet() -> None:
    out = io.StringIO()
    say = Announcer(OutputWrapper(out), is_quiet=True)

    say.line("one")
    say.done("two", "ok")

    assert out.getvalue() == ""


def test_a_path_below_home_is_shortened(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))

    assert short(tmp_path / "a" / "b") == "~/a/b"
    assert short(Path("/etc/b")) == "/etc/b"
