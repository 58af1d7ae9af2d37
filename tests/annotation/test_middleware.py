"""Times in the viewer's zone."""

from __future__ import annotations

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.utils import timezone

from annotation.middleware import TimezoneMiddleware, viewer_zone


def tell_zone(_: HttpRequest) -> HttpResponse:
    return HttpResponse(timezone.get_current_timezone_name())


def test_it_takes_the_zone_that_the_browser_names(rf: RequestFactory) -> None:
    request = rf.get("/")
    request.COOKIES["timezone"] = "Asia/Kolkata"

    answer = TimezoneMiddleware(tell_zone)(request)

    assert answer.content == b"Asia/Kolkata"
    assert timezone.get_current_timezone_name() == "UTC"


@pytest.mark.parametrize("name", ["", "Mars/Base", "../etc/passwd", "/abs", "a\x00b", "Europe"])
def test_an_unknown_zone_is_utc(name: str) -> None:
    assert viewer_zone(name).key == "UTC"
