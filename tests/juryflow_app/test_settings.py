"""The settings of the embedded default, seen from a process of their own and from real responses."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from django.http import HttpResponse
from django.test import Client

Run = Callable[..., str]

SHOW = """
import json, os
import django
django.setup()
from django.conf import settings
from django.db import connection
from django.db.transaction import atomic
report = {
    "debug": settings.DEBUG, "hosts": settings.ALLOWED_HOSTS, "embedded": settings.IS_EMBEDDED,
    "database": settings.DATABASES["default"]["NAME"], "broker": settings.CELERY_BROKER_URL,
    "secure": [settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE], "hsts": settings.SECURE_HSTS_SECONDS,
    "hub": os.environ["HF_HUB_OFFLINE"], "keys": sorted(settings.PROVIDER_KEYS),
}
if settings.IS_EMBEDDED:
    with connection.cursor() as cursor:
        for pragma in ("journal_mode", "busy_timeout", "synchronous"):
            cursor.execute(f"PRAGMA {pragma}")
            report[pragma] = cursor.fetchone()[0]
    connection.connection.set_trace_callback(lambda sql: report.setdefault("begun", sql))
    with atomic():
        pass
print(json.dumps(report))
"""
REPORT = """
import django
from django.test import RequestFactory
django.setup()
from django.views.debug import ExceptionReporter
request = RequestFactory(OPENAI_API_KEY="sk-in-meta").get("/")
print(ExceptionReporter(request, ValueError, ValueError("x"), None).get_traceback_html())
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of the processes."""
    return tmp_path_factory.mktemp("data")


@pytest.fixture(scope="module")
def run(folder: Path, root: Path) -> Run:
    """Run a script under the real settings with nothing but the given environment; the same question is asked once."""

    @cache
    def in_process(script: str, **environment: str) -> str:
        own = {"DJANGO_SETTINGS_MODULE": "juryflow_app.settings", "JURYFLOW_DATA": str(folder), "PATH": os.defpath}
        done = subprocess.run(
            [sys.executable, "-c", script],
            cwd=root, env=own | environment, capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return done.stdout

    return in_process


def test_the_default_needs_no_server_and_is_safe(run: Run, folder: Path) -> None:
    report = json.loads(run(SHOW))

    assert report["embedded"]
    assert report["database"] == str(folder / "juryflow.sqlite3")
    assert report["broker"] == f"sqla+sqlite:///{folder / 'broker.sqlite3'}"
    assert not report["debug"]
    assert report["hosts"] == ["127.0.0.1", "localhost", "[::1]"]


def test_sqlite_waits_for_writers_and_takes_the_lock_at_once(run: Run) -> None:
    report = json.loads(run(SHOW))

    assert report["journal_mode"] == "wal"
    assert report["busy_timeout"] == 20_000
    assert report["synchronous"] == 1
    assert report["begun"].startswith("BEGIN IMMEDIATE")


def test_another_database_gets_none_of_the_options_of_sqlite(run: Run) -> None:
    report = json.loads(run(SHOW, DATABASE_URL="postgres://jury:hidden@db.example/jury"))

    assert (report["embedded"], report["database"]) == (False, "jury")


def test_the_model_hub_is_never_asked_unless_somebody_says_so(run: Run) -> None:
    assert json.loads(run(SHOW))["hub"] == "1"
    assert json.loads(run(SHOW, HF_HUB_OFFLINE="0"))["hub"] == "0"


@pytest.mark.parametrize(("behind", "hsts"), [("", 0), ("1", 31_536_000)])
def test_cookies_are_bound_to_tls_where_it_is_there(run: Run, behind: str, hsts: int) -> None:
    report = json.loads(run(SHOW, BEHIND_TLS=behind))

    assert report["secure"] == [bool(behind)] * 2
    assert report["hsts"] == hsts


def test_an_error_page_shows_keys_by_name_and_no_password(run: Run) -> None:
    secrets = {
        "OPENAI_API_KEY": "sk-of-the-panel",
        "SECRET_KEY": "key-of-the-site",
        "DATABASE_URL": "postgres://jury:database-password@db.example/jury",
        "BROKER_URL": "amqp://jury:broker-password@queue.example//",
    }

    page = run(REPORT, DEBUG="1", **secrets)

    assert "PROVIDER_KEYS" in page
    assert "CELERY_BROKER_URL" in page
    for hidden in ("sk-of-the-panel", "sk-in-meta", "key-of-the-site", "database-password", "broker-password"):
        assert hidden not in page


def answer(client: Client) -> HttpResponse:
    response = client.get("/sign-in/")
    assert isinstance(response, HttpResponse)
    return response


@pytest.mark.django_db
def test_the_content_policy_is_enforced_and_runs_scripts_of_our_own_only(client: Client) -> None:
    headers = answer(client).headers

    policy = {part.split()[0]: part.split()[1:] for part in headers["Content-Security-Policy"].split(";")}
    assert "Content-Security-Policy-Report-Only" not in headers
    assert policy["script-src"] == ["'self'"]
    assert policy["default-src"] == ["'self'"]
    assert policy["object-src"] == policy["frame-ancestors"] == ["'none'"]
    assert "'unsafe-eval'" not in headers["Content-Security-Policy"]


@pytest.mark.django_db
def test_a_page_is_in_no_frame_and_tells_others_no_address(client: Client) -> None:
    headers = answer(client).headers

    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Content-Type-Options"] == "nosniff"
