"""A web process that has served every page has not imported torch: it stays small, and vectors are for workers."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from tests.browser.server import environment, make_world

SERVE = "import django; django.setup(); from tests.flows import serving; serving.main()"


@pytest.fixture(scope="module")
def served(root: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What the process says of itself; it has the settings of a real start, MiniLM as its embedder among them."""
    folder = tmp_path_factory.mktemp("web")
    world = make_world(root, folder)
    surroundings = environment(folder, folder / "world.sqlite3") | {"DJANGO_SETTINGS_MODULE": "juryflow_app.settings"}
    done = subprocess.run(
        [sys.executable, "-c", SERVE],
        cwd=root,
        env=surroundings,
        input=json.dumps(asdict(world)),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_it_serves_every_page(served: dict[str, object]) -> None:
    pages = served["pages"]

    assert isinstance(pages, dict)
    assert len(pages) > 60
    assert {title: statuses for title, statuses in pages.items() if statuses[0] != statuses[1]} == {}


def test_it_rules_undoes_adopts_and_starts_a_run(served: dict[str, object]) -> None:
    assert served["actions"] == [302, 302, 302, 302]


def test_it_has_not_imported_torch(served: dict[str, object]) -> None:
    assert served["heavy"] == []
