"""`load_demo` loads the demo once."""

from __future__ import annotations

import pytest

from evaluation.models import Project
from tests.evaluation.management.commands.conftest import Ask

pytestmark = pytest.mark.django_db


def test_it_loads_the_demo_and_finds_it_the_second_time(ask: Ask) -> None:
    first = ask("load_demo")

    second = ask("load_demo")

    assert first == second
    assert first["judges"] == 5
    assert first["claims"] == Project.objects.get(is_demo=True).claims.count() > 40
