"""Loads the Celery application with Django, so that every process sends tasks to the same broker."""

from django.apps import AppConfig

from juryflow_app.celery import app as celery_app

__all__ = ["WiringConfig", "celery_app"]


class WiringConfig(AppConfig):
    name = "juryflow_app"
    verbose_name = "JuryFlow"
