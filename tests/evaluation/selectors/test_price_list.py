"""Prices as listed: which of a model's rows holds today."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from evaluation.models import ModelPrice
from evaluation.selectors.price_list import price_rows

pytestmark = pytest.mark.django_db


def test_the_newest_row_that_has_begun_holds_now() -> None:
    ModelPrice.objects.all().delete()
    for host in ("", "gpu.example"):
        for days in (-30, -10, 5):
            ModelPrice.objects.create(
                provider="openai_chat",
                host=host,
                model="m",
                valid_from=timezone.now().date() + timedelta(days),
                input_micros=1,
                output_micros=1,
            )

    rows = price_rows()

    assert [row.standing for row in rows] == ["later", "now", "past"] * 2
    assert [row.price.host for row in rows] == [""] * 3 + ["gpu.example"] * 3
