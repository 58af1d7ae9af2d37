"""One table of figures after a run of slow tests in their full form: commit, date, machine, and what was recorded."""

from __future__ import annotations

import os
import platform
import subprocess
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from juryflow_app import env


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table, ready for docs/benchmarks.md, when JURYFLOW_FULL is set."""
    if not env.flag("JURYFLOW_FULL"):
        return
    reports = [
        report
        for outcome in ("passed", "failed")
        for report in terminalreporter.stats.get(outcome, [])
        if report.when == "call"
    ]
    for line in table(reports):
        terminalreporter.write_line(line)


def table(reports: Sequence[pytest.TestReport]) -> list[str]:
    """Return the lines of a Markdown table with one row a test; figures come from `record_property`."""
    rows = ["", f"Commit {commit()}, {datetime.now(UTC):%Y-%m-%d}, {machine()}", ""]
    rows += ["| test | figures | seconds | outcome |", "|---|---|---|---|"]
    for report in sorted(reports, key=lambda report: report.nodeid):
        figures = ", ".join(f"{name} {_number(value)}" for name, value in report.user_properties)
        name = report.nodeid.split("::", 1)[-1]
        rows.append(f"| {name} | {figures or '-'} | {report.duration:.1f} | {report.outcome} |")
    return rows


def _number(value: object) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def commit() -> str:
    """Return the short name of the commit, marked where files differ from it."""
    done = subprocess.run(["git", "describe", "--always", "--dirty"], capture_output=True, text=True, check=False)
    return done.stdout.strip() or "unknown"


def machine() -> str:
    """Return processor, cores, memory, system and Python in words."""
    cpu = Path("/proc/cpuinfo")
    names = [line.split(":", 1)[1].strip() for line in cpu.read_text().splitlines() if line.startswith("model name")]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{names[0] if names else platform.machine()}, {os.cpu_count()} cores, {memory:.0f} GiB, "
        f"{platform.system()}, Python {platform.python_version()}"
    )
