"""The set-up script: what it installs, when it does nothing, and how it shows progress."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest

from juryflow_app import setup_env
from juryflow_app.setup_env import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def progress(tmp_path: Path) -> Progress:
    return Progress("  2/5 Packages", total=3, out=Terminal(), site_packages=tmp_path)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("[project]\n")
    (tmp_path / "constraints.txt").write_text("torch==2.13.0\n")
    return tmp_path


def test_it_asks_for_what_runs_and_what_develops() -> None:
    pyproject = '[project]\ndependencies = ["django"]\n[project.optional-dependencies]\ndev = ["ruff"]\n'

    wanted = setup_env.requirements(pyproject)

    assert wanted == ["django", "ruff"]


def test_every_requirement_is_pinned_in_the_constraints(root: Path) -> None:
    wanted = setup_env.requirements((root / "pyproject.toml").read_text())
    pins = setup_env.pinned((root / "constraints.txt").read_text())

    named = {normal(pin.split("==")[0]) for pin in pins}

    assert {normal(name) for name in wanted} <= named
    assert all("==" in pin and "+" not in pin for pin in pins)


def normal(requirement: str) -> str:
    name = requirement
    for sign in "[=<>;! ":
        name = name.split(sign)[0]
    return name.lower().replace("_", "-")


def test_fingerprint_changes_with_constraints_and_index(folder: Path) -> None:
    first = setup_env.fingerprint(root=folder, torch_index="")
    other_index = setup_env.fingerprint(root=folder, torch_index="cpu")
    (folder / "constraints.txt").write_text("torch==2.13.1\n")

    other_pins = setup_env.fingerprint(root=folder, torch_index="")

    assert len({first, other_index, other_pins}) == 3


def test_comments_in_the_constraints_are_no_packages() -> None:
    pins = setup_env.pinned("# made by pip freeze\n\na==1\nb==2\n")

    assert pins == ["a==1", "b==2"]


def test_progress_counts_each_package_once(progress: Progress) -> None:
    for line in ("Collecting a_b==1", "  Collecting A-B>=1 (from c)", "Requirement already satisfied: c in x"):
        progress.read(line)

    assert progress.word == "collected 2 of 3"


def test_progress_counts_what_is_installed_on_disk(progress: Progress, tmp_path: Path) -> None:
    (tmp_path / "a-1.dist-info").mkdir()
    progress.read("Installing collected packages: a, b")

    progress.show()

    assert "installed 1 of 3" in progress.out.getvalue()  # type: ignore[attr-defined]


def test_progress_is_not_repeated_at_once_where_no_terminal_is(tmp_path: Path) -> None:
    out = io.StringIO()
    progress = Progress("Packages", total=3, out=out, site_packages=tmp_path)

    for _ in range(5):
        progress.show()

    assert out.getvalue().count("\n") == 1


def test_lines_come_while_the_program_runs() -> None:
    command = [sys.executable, "-c", "print('one'); print('two')"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as program:
        assert program.stdout

        lines = [line for line in setup_env.output_lines(program.stdout, every=5.0) if line is not None]

    assert lines == ["one", "two"]


def test_a_silent_program_gives_time_to_show_progress() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        assert program.stdout

        first = next(setup_env.output_lines(program.stdout, every=0.01))

        program.communicate(b"\n")
    assert first is None


def test_clock_shows_minutes_and_seconds() -> None:
    assert setup_env.clock(72.9) == "1:12"


def test_an_old_python_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    with pytest.raises(setup_env.SetupError, match="sudo apt install"):
        setup_env.newer_python()


def test_it_does_nothing_where_the_stamp_fits(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stamp = folder / "stamp"
    stamp.write_text(setup_env.fingerprint(root=folder, torch_index=""))
    (folder / "bin").mkdir()
    (folder / "bin" / "python").touch()
    for name, path in (("ROOT", folder), ("VENV", folder), ("STAMP", stamp)):
        monkeypatch.setattr(setup_env, name, path)
    out = io.StringIO()

    has_changed = setup_env.prepare(torch_index="", out=out)

    assert not has_changed
    assert out.getvalue() == ""
