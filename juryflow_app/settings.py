"""Settings: the environment in, typed constants out; the embedded default needs no server."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONE, SELF, UNSAFE_INLINE

from juryflow_app import env

BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = env.data_dir()

DEBUG = env.flag("DEBUG")
SECRET_KEY = env.secret_key(DATA_DIR)
SECRET_KEY_FALLBACKS = env.words("SECRET_KEY_FALLBACKS")
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", ["127.0.0.1", "localhost", "[::1]"])
CSRF_TRUSTED_ORIGINS = env.words("CSRF_TRUSTED_ORIGINS")
IS_BEHIND_TLS = env.flag("BEHIND_TLS")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_BEHIND_TLS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if IS_BEHIND_TLS else None
SECURE_HSTS_SECONDS = 31_536_000 if IS_BEHIND_TLS else 0
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
DEFAULT_EXCEPTION_REPORTER_FILTER = "juryflow_app.reports.DiscreetFilter"

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django_htmx",
    "template_partials",
    "csp",
    "juryflow_app.apps.WiringConfig",
    "evaluation",
    "annotation",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "csp.middleware.CSPMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "annotation.middleware.TimezoneMiddleware",
]

ROOT_URLCONF = "juryflow_app.urls"
WSGI_APPLICATION = "juryflow_app.wsgi.application"
ASGI_APPLICATION = "juryflow_app.asgi.application"

TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        # plotly sets style attributes on the elements of a figure
        "style-src": [SELF, UNSAFE_INLINE],
        "img-src": [SELF, "data:", "blob:"],
        "object-src": [NONE],
        "base-uri": [SELF],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    },
}

DATABASE_URL = env.text("DATABASE_URL", f"sqlite:///{DATA_DIR / 'juryflow.sqlite3'}")
DATABASES = {"default": dj_database_url.parse(DATABASE_URL, conn_max_age=60)}
IS_EMBEDDED = DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3"
if IS_EMBEDDED:
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]
AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend", "sesame.backends.ModelBackend"]
SESAME_MAX_AGE = 24 * 3600
SESAME_ONE_TIME = True
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "home"
LOGOUT_REDIRECT_URL = "sign-in"

LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_I18N = True
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = DATA_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
DATA_UPLOAD_MAX_MEMORY_SIZE = 220 * 1024 * 1024

BROKER_FILE = DATA_DIR / "broker.sqlite3"
BROKER_URL = env.text("BROKER_URL", f"sqla+sqlite:///{BROKER_FILE}")
CELERY_BROKER_URL = BROKER_URL
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_DEFAULT_QUEUE = "default"
# Only this queue's worker loads the model; everything else goes to the default queue.
CELERY_TASK_ROUTES = {"evaluation.tasks.drive_vectors": {"queue": "vectors"}}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULE = {"sweep": {"task": "evaluation.tasks.sweep", "schedule": 20.0, "options": {"expires": 20}}}

# The model is a package on this machine: the hub is never asked, neither at build nor at run time.
env.set_default("HF_HUB_OFFLINE", "1")
env.set_default("HF_HUB_DISABLE_PROGRESS_BARS", "1")

# Keys of remote judges by the name of their variable; one that an owner types is sealed and kept with its judge.
PROVIDER_KEYS = env.every_key()
FENCE_SECRET = SECRET_KEY.encode()
EMBEDDER = env.text("JURYFLOW_EMBEDDER", "sentence_transformer")
JOB_LEASE_SECONDS = 120

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s: %(message)s"}},
    "filters": {"refusals": {"()": "juryflow_app.reports.PlainRefusals"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "line", "filters": ["refusals"]}},
    "loggers": {
        "sentence_transformers": {"level": "WARNING"},
        # at DEBUG the vendors' libraries log what is sent: a project's text belongs into no log
        **{name: {"level": "WARNING"} for name in ("openai", "anthropic", "httpx2", "httpcore2")},
    },
    "root": {"handlers": ["console"], "level": env.text("LOG_LEVEL", "INFO")},
}
