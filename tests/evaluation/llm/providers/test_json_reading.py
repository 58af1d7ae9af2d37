"""JSON of a server is read whatever its shape."""

from __future__ import annotations

import pytest

from evaluation.llm.providers.json_reading import inner, items, words


@pytest.mark.parametrize("value", [None, 3, "text", [], ["text"], True])
def test_it_finds_nothing_where_nothing_is(value: object) -> None:
    assert (inner(value), items(value)) == ({}, [])


def test_objects_and_lists_are_found() -> None:
    assert inner({"a": 1}) == {"a": 1}
    assert items([{"a": 1}, None, "x", {"b": 2}]) == [{"a": 1}, {"b": 2}]


@pytest.mark.parametrize(
    ("value", "text"),
    [("blue", "blue"), ([{"type": "text", "text": "a"}, {"text": "b"}, {"image": 1}], "a\nb"), (None, ""), (3, "")],
)
def test_text_is_found_as_it_is_and_in_parts(value: object, text: str) -> None:
    assert words(value) == text
