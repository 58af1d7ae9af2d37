"""The Celery application; broker messages are wake-ups, the database holds the work."""

from __future__ import annotations

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "juryflow_app.settings")

app = Celery("juryflow")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
