"""The steps of a start: what is migrated, when the demo is left alone, and which programs run."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management.base import OutputWrapper
from django.utils import timezone
from pytest_django.fixtures import Settings

from evaluation.management import ports, startup
from evaluation.management.announcing import Announcer
from evaluation.management.ports import Listener
from evaluation.models import ModelPrice, Project
from evaluation.services import signin


@pytest.fixture
def out() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def say(out: io.StringIO) -> Announcer:
    return Announcer(OutputWrapper(out))


@pytest.fixture
def listener() -> Iterator[Listener]:
    with ports.listening(18_000) as listener:
        yield listener


@pytest.mark.django_db
def test_a_migrated_database_is_left_as_it_is(say: Announcer, out: io.StringIO) -> None:
    is_new = startup.bring_database_up_to_date(say)

    assert not is_new
    assert out.getvalue() == ""


@pytest.mark.django_db
def test_prices_that_came_with_this_version_are_added(say: Announcer) -> None:
    ModelPrice.objects.filter(model="gpt-4.1-mini").delete()

    startup.bring_database_up_to_date(say)

    assert ModelPrice.objects.filter(model="gpt-4.1-mini").count() == 1


def test_a_database_server_is_named_without_user_and_password(settings: Settings) -> None:
    settings.IS_EMBEDDED = False

    assert "@" not in startup.database_name()
    assert "this machine" in startup.database_name()


def test_the_demo_is_left_out_where_there_is_a_project(project: Project, say: Announcer) -> None:
    startup.load_demo(say)

    assert not Project.objects.filter(is_demo=True).exists()


@pytest.mark.django_db
def test_a_removed_demo_does_not_come_back(say: Announcer) -> None:
    owner = signin.owner()
    owner.last_login = timezone.now()
    owner.save()

    startup.load_demo(say)

    assert not Project.objects.exists()


def test_each_queue_has_a_worker_and_only_the_web_has_the_port(listener: Listener, tmp_path: Path) -> None:
    programs = {program.name: program for program in startup.programs(listener, tmp_path)}

    assert programs["web"].pass_fds == (listener.socket.fileno(),)
    assert not any(program.pass_fds for name, program in programs.items() if name != "web")
    assert "default" in programs["worker"].command
    assert "vectors" in programs["vectors"].command
    assert "solo" in programs["vectors"].command
