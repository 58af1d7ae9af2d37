"""What `doctor` finds, and what it advises."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from pytest_django.fixtures import Settings

from evaluation.management import checks, running
from evaluation.management.running import Running
from evaluation.models import Purse
from tests.factories import make_asked_judge, make_project


def test_python_and_packages_are_in_order_here() -> None:
    assert checks.python().state == "ok"
    assert checks.model_package().state == "ok"


def test_a_missing_package_is_named(tmp_path: Path, settings: Settings) -> None:
    settings.BASE_DIR = tmp_path
    (tmp_path / "constraints.txt").write_text("no-such-package==1.0\n")

    check = checks.packages()

    assert check.state == "bad"
    assert "no-such-package" in check.found
    assert check.advice == "Run: make setup"


def test_another_version_is_only_a_warning(tmp_path: Path, settings: Settings) -> None:
    settings.BASE_DIR = tmp_path
    (tmp_path / "constraints.txt").write_text("pytest==0.1\n")

    check = checks.packages()

    assert check.state == "warning"
    assert "instead of 0.1" in check.found


def test_a_local_suffix_of_a_version_is_no_difference(tmp_path: Path, settings: Settings) -> None:
    settings.BASE_DIR = tmp_path
    (tmp_path / "constraints.txt").write_text(f"torch=={version('torch')}\n")

    assert checks.packages().state == "ok"


@pytest.mark.django_db
def test_a_database_that_lacks_a_migration_is_bad() -> None:
    newest = MigrationExecutor(connection).loader.graph.leaf_nodes("evaluation")[0]
    MigrationRecorder(connection).record_unapplied(*newest)

    check = checks.database()

    assert check.state == "bad"
    assert "make run" in check.advice


def test_no_running_worker_says_how_to_start_one(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path

    check = checks.worker()

    assert check.state == "warning"
    assert "make run" in check.advice


def test_a_running_worker_is_found(tmp_path: Path, settings: Settings) -> None:
    settings.DATA_DIR = tmp_path

    with running.noted(tmp_path, Running("http://127.0.0.1:8001", 1, "2026-01-01T00:00:00+00:00")):
        check = checks.worker()

    assert check.state == "ok"
    assert "http://127.0.0.1:8001" in check.found


def test_a_full_disk_is_bad(tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(checks, "LEAST_FREE_BYTES", 10**18)

    assert checks.disk().state == "bad"


def test_keys_are_named_and_never_shown(settings: Settings) -> None:
    settings.PROVIDER_KEYS = {"OPENAI_API_KEY": "sk-secret"}

    check = checks.keys()

    assert check.found == "OPENAI_API_KEY found"
    assert "sk-secret" not in repr(check)


@pytest.mark.django_db
def test_a_judge_without_a_price_is_named_with_the_way_to_enter_it() -> None:
    project = make_project()
    make_asked_judge(project, "", model="gpt-4.1-mini")
    before = checks.prices()

    strange = make_asked_judge(project, "http://gpu.example/v1", model="own-7b")

    after = checks.prices()
    assert before.state == "ok"
    assert (after.state, after.found) == ("warning", f"unknown for {strange.name} (own-7b)")
    assert "Prices" in after.advice


@pytest.mark.django_db
def test_a_purse_that_differs_from_the_ledger_is_told() -> None:
    project = make_project("Memos")
    before = checks.money()

    Purse.objects.create(project=project, key="project", spent_micros=2_500_000)

    after = checks.money()
    assert before.state == "ok"
    assert after.found == "Memos: $2.50 in the purse, $0 in the ledger"
