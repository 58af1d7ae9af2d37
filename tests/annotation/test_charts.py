"""Figures as plain data."""

from __future__ import annotations

import json

from annotation.charts import split_figure
from evaluation.selectors.method_details import SplitCount


def test_bars_stand_in_the_order_of_the_splits() -> None:
    figure = split_figure([SplitCount("5-0", 11), SplitCount("3-2", 8)])

    bars = figure["data"]
    assert isinstance(bars, list)
    assert (bars[0]["x"], bars[0]["y"]) == (["5-0", "3-2"], [11, 8])


def test_colours_are_names_of_the_style_sheet() -> None:
    text = json.dumps(split_figure([SplitCount("2-1", 1)]))

    assert "var(--accent)" in text
    assert "#" not in text


def test_a_split_is_no_date_to_the_axis() -> None:
    layout = split_figure([])["layout"]

    assert isinstance(layout, dict)
    assert layout["xaxis"]["type"] == "category"
