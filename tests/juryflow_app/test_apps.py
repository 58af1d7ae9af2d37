"""Django loads the Celery application, so that a web process sends to the right broker."""

from __future__ import annotations

from django.apps import apps

from evaluation.tasks import drive_run
from juryflow_app.celery import app


def test_tasks_of_a_django_process_belong_to_our_application() -> None:
    assert apps.get_app_config("juryflow_app").verbose_name == "JuryFlow"
    assert drive_run.app is app
