"""Shows times in the viewer's zone: the browser names it in a cookie, UTC otherwise."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone


class TimezoneMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with timezone.override(viewer_zone(request.COOKIES.get("timezone", ""))):
            return self.get_response(request)


def viewer_zone(name: str) -> zoneinfo.ZoneInfo:
    """Return the named zone; UTC where the name is empty or unknown."""
    try:
        return zoneinfo.ZoneInfo(name or "UTC")
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return zoneinfo.ZoneInfo("UTC")
