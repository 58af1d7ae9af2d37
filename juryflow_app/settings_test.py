"""Settings of the tests: their own database and folder, tasks in place, a fast password hasher."""

from __future__ import annotations

import tempfile

from juryflow_app import env

env.set_default("JURYFLOW_DATA", tempfile.mkdtemp(prefix="juryflow-test-"))
env.set_default("SECRET_KEY", "only-for-tests-" + "x" * 40)

from juryflow_app.settings import *  # noqa: E402, F403
from juryflow_app.settings import DATABASES  # noqa: E402

if test_database := env.text("JURYFLOW_TEST_DATABASE"):
    DATABASES["default"]["TEST"] = {"NAME": test_database}  # a file, which threads share as they do in production
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CELERY_TASK_ALWAYS_EAGER = True
CELERY_TASK_EAGER_PROPAGATES = True
EMBEDDER = "hashing"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
PROVIDER_KEYS = {}
