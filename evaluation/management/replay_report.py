"""A replay as a table for a terminal and as a picture in a file of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import plotly.graph_objects as go

from evaluation.algorithms.simulation.replay import ReplayResult, Spread
from evaluation.management.files import write_whole
from evaluation.management.tables import decimals, percent, table

LEGEND = (
    "  “all items” counts ruled ones as right; lowest and highest are over the tie-break seeds; "
    "“any judge right”: at least one vote equals gold."
)
LINE, BAND = "#1f5fa8", "rgba(31, 95, 168, 0.18)"


def lines_of(found: ReplayResult) -> Iterator[str]:
    """Yield the figures for people."""
    yield (
        f"  {found.n} items, judges disagree on {found.n_disagree}; majority {percent(found.majority)}, "
        f"any judge right {percent(found.oracle_any)}"
    )
    rows = [(judge.name, percent(judge.accuracy), decimals(judge.kappa)) for judge in found.judges]
    yield from table(("judge", "right", "kappa"), rows)
    yield ""
    head = ("rulings", "all items", "lowest", "highest", "not ruled on", "lowest", "highest")
    courses = [
        (point, *_cells(spread), *_cells(found.undecided_accuracy[point])) for point, spread in found.accuracy.items()
    ]
    yield from table(head, courses)
    last = len(found.curve) - 1
    yield f"  mean over rulings 1 to {last}: {' / '.join(_cells(found.auc))} (mean, lowest, highest)"
    yield LEGEND


def _cells(spread: Spread) -> tuple[str, str, str]:
    return percent(spread.mean), percent(spread.min), percent(spread.max)


def write_plot(found: ReplayResult, title: str, file: Path) -> None:
    """Write the course of the accuracy as one HTML file that needs no network. Raises InvalidInputError."""
    turns = list(range(len(found.curve)))
    figure = go.Figure()
    figure.add_scatter(x=turns, y=[spread.max for spread in found.curve], line={"width": 0}, showlegend=False)
    lowest = [spread.min for spread in found.curve]
    band = {"fill": "tonexty", "fillcolor": BAND, "line": {"width": 0}}
    figure.add_scatter(x=turns, y=lowest, name="lowest to highest seed", **band)
    figure.add_scatter(x=turns, y=[spread.mean for spread in found.curve], line={"color": LINE}, name="mean")
    figure.add_hline(y=found.majority, line={"dash": "dot"}, annotation_text="majority")
    figure.add_hline(y=found.oracle_any, line={"dash": "dot"}, annotation_text="any judge right")
    figure.update_layout(title=title, xaxis_title="rulings", yaxis_title="right, all items", yaxis_tickformat=".0%")
    write_whole(file, [figure.to_html(include_plotlyjs=True, full_html=True)])
