from __future__ import annotations

import json
from typing import Any

import plotly.graph_objects as go
import pytest

from annotation.charts import Figure
from annotation.graph_chart import LOOKS, graph_figure, literal
from evaluation.selectors.answers import Answer, Split
from evaluation.selectors.graph import SPLITS, Line, Point


def point(pk: int, split: str = "a tie", text: str = "A claim.", degree: int = 1) -> Point:
    return Point(
        pk, text, degree, (float(pk), 0.0), split, Split((), "1 yes · 1 no", 2), Answer("split", "a tie", 0, True)
    )


def drawn(figure: Figure) -> Any:
    """The traces as the page gets them."""
    return json.loads(json.dumps(figure))["data"]


def test_each_split_is_a_named_trace_with_a_shape_of_its_own() -> None:
    figure = graph_figure([point(1), point(2, "all agree")], [Line((1.0, 0.0), (2.0, 0.0), 0.7)], "fridge")

    edges, tie, agree = drawn(figure)
    assert edges["x"] == [1.0, 2.0, None]
    assert (tie["name"], agree["name"]) == ("a tie", "all agree")
    assert tie["marker"]["symbol"] != agree["marker"]["symbol"]
    assert tie["customdata"] == [["/p/fridge/claims/1/"]]


def test_every_split_has_a_look_and_no_two_share_a_shape_or_a_colour() -> None:
    assert set(LOOKS) == set(SPLITS)
    assert len({shape for shape, _ in LOOKS.values()}) == len(SPLITS)
    assert len({colour for _, colour in LOOKS.values()}) == len(SPLITS)


def test_size_grows_with_the_degree() -> None:
    figure = graph_figure([point(1, degree=1), point(2, degree=9)], [], "fridge")

    small, large = drawn(figure)[1]["marker"]["size"]
    assert small < large == 26


@pytest.mark.parametrize(
    "hostile",
    [
        "<img src=x onerror=alert(1)>",
        '"><b>bold',
        "</script><script>alert(2)</script>",
        "<a href='javascript:alert(3)'>",
    ],
)
def test_hostile_text_reaches_plotly_without_a_tag(hostile: str) -> None:
    figure = graph_figure([point(1, text=hostile)], [], "fridge")

    hover = drawn(figure)[1]["text"][0]
    assert "<" not in hover.replace("<br>", "")


def test_an_entity_stays_as_it_was_written() -> None:
    assert literal("&lt;b&gt;") == "&amp;lt;b&amp;gt;"


def test_a_long_text_is_cut_and_broken_into_lines() -> None:
    shown = literal("word " * 200)

    assert shown.endswith("…")
    assert max(map(len, shown.split("<br>"))) <= 60


def test_plotly_itself_accepts_the_figure() -> None:
    figure = graph_figure([point(1), point(2, "one vote or none")], [Line((1.0, 0.0), (2.0, 0.0), 0.7)], "fridge")

    plain = json.loads(json.dumps(figure).replace('"var(--', '"#').replace(')"', '"'))
    for trace in plain["data"]:
        for part in (trace.get("marker", {}), trace.get("line", {}), trace.get("marker", {}).get("line", {})):
            part.pop("color", None)

    assert len(go.Figure(plain).data) == 3


def test_the_legend_stands_below_the_claims_at_any_width() -> None:
    layout = json.loads(json.dumps(graph_figure([point(1)], [], "fridge")))["layout"]

    assert (layout["legend"]["yref"], layout["legend"]["y"], layout["legend"]["yanchor"]) == ("container", 0, "bottom")
    assert layout["margin"]["b"] >= 90
