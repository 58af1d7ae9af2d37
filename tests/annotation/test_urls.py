"""Addresses: each name once, none hidden by another."""

from __future__ import annotations

from collections import Counter

import pytest
from django.urls import URLPattern, resolve, reverse

from annotation.urls import urlpatterns

VALUES = {"slug": "memos", "token": "abc-_1", "what": "claims", "fmt": "csv-safe"}


def address_of(pattern: URLPattern) -> str:
    names = pattern.pattern.converters
    return reverse(str(pattern.name), kwargs={name: VALUES.get(name, 2**62) for name in names})


def test_every_name_is_given_once() -> None:
    names = Counter(pattern.name for pattern in urlpatterns)

    assert [name for name, n in names.items() if n > 1 or not name] == []


@pytest.mark.parametrize("pattern", urlpatterns, ids=lambda pattern: pattern.name)
def test_every_address_leads_to_its_own_view(pattern: URLPattern) -> None:
    assert resolve(address_of(pattern)).url_name == pattern.name
