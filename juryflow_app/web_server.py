"""Configuration of gunicorn: a stop does not wait for connections that browsers open ahead and send nothing on."""

from __future__ import annotations

from gunicorn.workers import gthread

IDLE_SECONDS = 1.0


def post_fork(_server: object, _worker: object) -> None:
    """Let a silent connection hold a thread for one second, not five: a stopping worker has to wait for it."""
    gthread.DEFAULT_WORKER_DATA_TIMEOUT = IDLE_SECONDS
