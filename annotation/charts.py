"""Figures as plain data for plotly; colours are names of the style sheet, so that both schemes fit."""

from __future__ import annotations

from collections.abc import Sequence

from evaluation.selectors.method_details import SplitCount

Figure = dict[str, object]


def split_figure(splits: Sequence[SplitCount]) -> Figure:
    """Bars: how many claims have votes that split so."""
    axis = {"gridcolor": "var(--line)", "zerolinecolor": "var(--edge)", "fixedrange": True}
    return {
        "data": [
            {
                "type": "bar",
                "x": [row.split for row in splits],
                "y": [row.n for row in splits],
                "text": [str(row.n) for row in splits],
                "textposition": "auto",
                "marker": {"color": "var(--accent)"},
                "hovertemplate": "%{x}: %{y} claims<extra></extra>",
            }
        ],
        "layout": {
            "height": 260,
            "xaxis": {**axis, "type": "category", "title": {"text": "votes for each label"}},
            "yaxis": {**axis, "title": {"text": "claims"}, "rangemode": "tozero"},
        },
    }
