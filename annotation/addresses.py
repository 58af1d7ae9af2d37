"""Addresses that are given to other people."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

from django.http import HttpRequest


def is_for_this_computer_only(request: HttpRequest) -> bool:
    """Whether the page was opened at a loopback address: links made from it lead nowhere on another computer."""
    host = urlsplit(f"//{request.get_host()}").hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
