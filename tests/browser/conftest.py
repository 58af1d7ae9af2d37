"""A headless Chromium, a served world of projects, and windows that fail a test on any error in them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser import server as servers
from tests.browser.server import Server
from tests.browser.watching import Visits, Watch
from tests.browser.world import World

HERE = Path(__file__).parent
CHROMIUM = Path("/usr/bin/chromium")
OPTIONS = ("--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--force-color-profile=srgb")
LEFT_OUT = "no Chromium: browser tests are left out (apt install chromium, or .venv/bin/playwright install chromium)"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium_path() -> Path:
    """The Chromium of this machine, else the one that Playwright installed; skips the tests where there is none."""
    if CHROMIUM.exists():
        return CHROMIUM
    with sync_playwright() as playwright:
        path = Path(playwright.chromium.executable_path)
    if not path.exists():
        pytest.skip(LEFT_OUT)
    return path


@pytest.fixture(scope="session")
def folder(chromium_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the world and its server keep their files."""
    return tmp_path_factory.mktemp("browser")


@pytest.fixture(scope="session")
def world(root: Path, folder: Path) -> World:
    """The projects that the tests look at."""
    return servers.make_world(root, folder)


@pytest.fixture(scope="session")
def server(root: Path, folder: Path, world: World) -> Iterator[Server]:
    """A web server with a copy of the world."""
    running = servers.start(root, folder)
    yield running
    running.stop()


@pytest.fixture(scope="module")
def chromium(chromium_path: Path) -> Iterator[Browser]:
    """One browser for a file of tests.

    While it runs, Playwright's event loop hides the tests' database from this thread: hence another process makes the
    world, and the browser ends with the file, before tests that use the database.
    """
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=OPTIONS)
        yield browser
        browser.close()


@pytest.fixture
def restored(server: Server) -> Iterator[None]:
    """Undo what the test does to the world."""
    yield
    server.restore()


@pytest.fixture
def watch() -> Iterator[Watch]:
    """Fails the test on every error, refusal and dialog in its pages."""
    noted = Watch()
    yield noted
    assert noted.troubles == []


@pytest.fixture
def visits(chromium: Browser, server: Server, world: World, watch: Watch) -> Iterator[Visits]:
    """Windows of the people of the world."""
    opened = Visits(chromium, server, world, watch)
    yield opened
    opened.close()
