"""What an error report of Django may show of the settings: no address of a server that carries a password."""

from __future__ import annotations

import re

from django.views.debug import SafeExceptionReporterFilter


class DiscreetFilter(SafeExceptionReporterFilter):
    """Hides the addresses of database and broker too; Django itself hides names such as KEY, SECRET and PASS."""

    hidden_settings = re.compile(f"{SafeExceptionReporterFilter.hidden_settings.pattern}|DATABASE_URL|BROKER", re.I)
