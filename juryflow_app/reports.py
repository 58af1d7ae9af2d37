"""What error reports and logs show: no address that carries a password, and no traceback of a plain refusal."""

from __future__ import annotations

import logging
import re

from django.http import HttpRequest
from django.views.debug import SafeExceptionReporterFilter


class DiscreetFilter(SafeExceptionReporterFilter):
    """Hides the addresses of database and broker too; Django itself hides names such as KEY, SECRET and PASS."""

    hidden_settings = re.compile(f"{SafeExceptionReporterFilter.hidden_settings.pattern}|DATABASE_URL|BROKER", re.I)

    def is_active(self, _request: HttpRequest | None) -> bool:
        """Hide typed keys with DEBUG switched on, too: its error page shows every field of a form."""
        return True


class PlainRefusals(logging.Filter):
    """Leaves the traceback out of requests that were refused: the sentence names the page, and nothing is broken."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name == "django.request" and record.levelno < logging.ERROR:
            record.exc_info = record.exc_text = None
        return True
