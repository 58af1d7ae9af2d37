"""Fixtures that every test may use, and the table of figures of `make endurance`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User

from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Project
from evaluation.services import projects
from juryflow_app import env
from tests.endurance_table import pytest_terminal_summary

__all__ = ["pytest_terminal_summary"]

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The repository's top folder."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with recorded data beside the repository, or where JURYFLOW_SHARED says; skips where it is absent."""
    folder = Path(env.text("JURYFLOW_SHARED") or ROOT.parent / "shared")
    if not (folder / "data").is_dir():
        pytest.skip(f"the shared data is absent: neither ../shared nor JURYFLOW_SHARED has it ({folder.name}/data)")
    return folder


@pytest.fixture(scope="session")
def is_full() -> bool:
    """Whether slow tests run in their full form (JURYFLOW_FULL=1, `make endurance`)."""
    return env.flag("JURYFLOW_FULL")


@pytest.fixture
def owner(db: None) -> User:
    return User.objects.create_user("tom", first_name="Tom")


@pytest.fixture
def project(owner: User) -> Project:
    """An empty project about statements that `owner` owns."""
    return projects.create(name="Fridge memos", owner=owner)


@pytest.fixture
def server() -> Iterator[LocalServer]:
    """A server on this machine that speaks the providers' protocols, for judges that are asked over HTTP."""
    with LocalServer() as running:
        yield running
