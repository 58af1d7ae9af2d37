"""The figure of the claim graph; text that plotly would read as markup is escaped, so that it shows literally."""

from __future__ import annotations

import html
import textwrap
from collections.abc import Sequence

from django.urls import reverse

from annotation.charts import Figure
from evaluation.selectors.graph import SPLITS, Line, Point

LOOKS = {
    "a tie": ("diamond", "var(--no)"),
    "several on each side": ("square", "var(--warn)"),
    "one against the rest": ("triangle-up", "var(--other)"),
    "all agree": ("circle", "var(--yes)"),
    "one vote or none": ("circle-open", "var(--edge)"),
    "ruled on": ("star", "var(--good)"),
}
SMALLEST, LARGEST = 9, 26
WIDTH, MOST_TEXT = 60, 300
LEGEND_HEIGHT = 96  # pixels: three lines on a phone; the legend stands at the bottom of the frame, never on the claims
LEGEND = {
    "orientation": "h",
    "x": 0,
    "y": 0,
    "yref": "container",
    "yanchor": "bottom",
    "itemclick": False,
    "itemdoubleclick": False,
}


def graph_figure(points: Sequence[Point], lines: Sequence[Line], slug: str) -> Figure:
    """Claims as points (colour and shape: split; size: degree) over their edges; a point leads to its claim."""
    placed = [point for point in points if point.place]
    top = max((point.degree for point in placed), default=1) or 1
    groups = ((word, [point for point in placed if point.split == word]) for word in SPLITS)
    hidden_axis = {"visible": False, "showgrid": False, "zeroline": False}
    return {
        "data": [_edges(lines), *(_claims(word, group, top, slug) for word, group in groups if group)],
        "layout": {
            "height": 560,
            "hovermode": "closest",
            "showlegend": True,
            "legend": LEGEND,
            "margin": {"l": 8, "r": 8, "t": 8, "b": LEGEND_HEIGHT},
            "xaxis": hidden_axis,
            "yaxis": hidden_axis,
            "hoverlabel": {"align": "left"},
        },
    }


def literal(text: str) -> str:
    """The text as plotly shows it letter by letter, in short lines."""
    shown = textwrap.shorten(text, MOST_TEXT, placeholder=" …") if len(text) > MOST_TEXT else text
    return "<br>".join(html.escape(line, quote=False) for line in textwrap.wrap(shown, WIDTH) or [""])


def _edges(lines: Sequence[Line]) -> Figure:
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [x for line in lines for x in (line.start[0], line.end[0], None)],
        "y": [y for line in lines for y in (line.start[1], line.end[1], None)],
        "line": {"width": 1.2, "color": "var(--edge)"},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def _claims(word: str, points: Sequence[Point], top: int, slug: str) -> Figure:
    symbol, colour = LOOKS[word]
    return {
        "type": "scatter",
        "mode": "markers",
        "name": word,
        "x": [point.place[0] for point in points if point.place],
        "y": [point.place[1] for point in points if point.place],
        "text": [_hover(point) for point in points],
        "hovertemplate": "%{text}<extra></extra>",
        "customdata": [[reverse("claim", kwargs={"slug": slug, "claim_id": point.claim_id})] for point in points],
        "marker": {
            "symbol": symbol,
            "color": colour,
            "size": [SMALLEST + (LARGEST - SMALLEST) * (point.degree / top) ** 0.5 for point in points],
            "opacity": 1,
            "line": {"width": 1, "color": "var(--surface)"} if symbol != "circle-open" else {"width": 2},
        },
    }


def _hover(point: Point) -> str:
    votes = literal(point.votes.words) if point.votes.words else "no votes"
    return f"{literal(point.text)}<br>{votes}<br>{literal(point.answer.phrase)}<br>{point.degree} like claims"
