"""The help page."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db


def test_it_explains_seven_words_with_one_picture(client: Client) -> None:
    page = client.get(reverse("help")).content.decode()

    words = page[page.index('id="words"') : page.index('id="undo"')]
    assert len(re.findall("<dt>", words)) == 7
    assert page.count('<svg class="picture"') == 1


def test_it_says_how_to_undo_and_how_to_take_everything_home(client: Client) -> None:
    page = client.get(reverse("help")).content.decode()

    assert "How to undo" in page
    assert "manage.py export_data" in page
    assert "data-open-keys" in page
