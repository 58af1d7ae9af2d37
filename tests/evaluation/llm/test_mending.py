"""JSON as judges write it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.llm.mending import BrokenError, CutError, decode
from tests.evaluation.llm.dirt import dirty, members, texts


def _value(text: str) -> object:
    decoded = decode(text, 0)
    assert decoded.end == len(text)
    assert decoded.is_mended
    return decoded.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1, // checked twice\n "b": 2}', {"a": 1, "b": 2}),
        ('{"a": 1, /* checked } \n " twice */ "b": 2}', {"a": 1, "b": 2}),
        ('{"a": [1, 2,],}', {"a": [1, 2]}),
        ('{"a": "line one\nline two\ttab"}', {"a": "line one\nline two\ttab"}),
        (r'{"a": "C:\path \d \$5 \u12"}', {"a": r"C:\path \d \$5 \u12"}),
        (r'{"a": "it\'s"}', {"a": "it's"}),
        ('{\ufeff"a"\u200b:\u00a01}', {"a": 1}),
        (r'{"a": "\ud83d\ude42 \ud83d",}', {"a": "🙂 \ud83d"}),
    ],
    ids=["line comment", "block comment", "commas", "raw break", "backslashes", "apostrophe", "zero width", "halves"],
)
def test_it_looks_past_what_means_nothing(text: str, value: object) -> None:
    assert _value(text) == value


def test_what_needs_no_mending_is_not_said_to_be_mended() -> None:
    decoded = decode('so {"a": "// no, ] comment \\\\d"} it is', 3)

    assert (decoded.value, decoded.end, decoded.is_mended) == ({"a": "// no, ] comment \\d"}, 32, False)


@pytest.mark.parametrize(
    "text",
    [
        *(
            '{"a": "b',
            '{"a": "b"',
            '{"a": "b",',
            '{"a": ',
            '{"a"',
            '{"a',
            "{",
            '{"a": [1, 2',
            '{"a": tr',
            '{"a": -',
            '{"a": 1.',
        ),
        *('{"a": 1 /* and', '{"a": 1 /', '{"a": "b\\', '{"a": "\\u12', '{"a": 1e', '{"a": {"b": 1}, // and so on'),
    ],
)
def test_a_value_that_ends_too_early_is_cut_and_never_closed(text: str) -> None:
    with pytest.raises(CutError):
        decode(text, 0)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"a": "b" "c": 1}', "a comma or } at"),
        ('{"a": , "b": 1}', "a value at"),
        ('{"a" 1}', "a colon at"),
        ("{a: 1}", "a key in double quotes at"),
        ("{'a': 1}", "a key in double quotes at"),
        ('{"a": 1,, "b": 2}', "a key in double quotes at"),
        ('{, "a": 1}', "a key in double quotes at"),
        ('{"a": [1 2]}', "a comma or ] at"),
        ('{"a": True}', "a value at"),
        ('{"a": NaN}', "a value at"),
        ('{"a": 05}', "a value at"),
        ('{"a": .5}', "a value at"),
        ('{"a": "he said "no""}', "a comma or } at"),
        ('{"a": 1, "a": 2}', '"a" stands there twice'),
        ('{"a": ' + "9" * 5_000 + "}", "too long"),
        ("[" * 101 + "]" * 101, "nested too deeply"),
    ],
)
def test_what_can_be_read_in_two_ways_or_none_is_broken(text: str, problem: str) -> None:
    with pytest.raises(BrokenError, match=problem):
        decode(text if "[[[" not in text else f"[1,{text},]", 0)


def test_the_place_of_what_is_wrong_is_told() -> None:
    with pytest.raises(BrokenError, match='\'oops, "b"') as caught:
        decode('{"a": oops, "b": 1}', 0)

    assert caught.value.at == 6


def test_one_key_twice_with_the_same_value_says_one_thing() -> None:
    assert decode('{"a": "x", "a": "x"}', 0).value == {"a": "x"}


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_whatever_the_dirt_the_value_is_the_one_that_was_meant(data: st.DataObject) -> None:
    value = {"a": data.draw(members)}

    decoded = decode(data.draw(dirty(value)), 0)

    assert decoded.value == value


@settings(max_examples=150, deadline=None)
@given(texts, st.data())
def test_texts_are_never_changed(text: str, data: st.DataObject) -> None:
    decoded = decode(f'{{"a":{json.dumps(text, ensure_ascii=data.draw(st.booleans()))},}}', 0)

    assert (decoded.value, decoded.is_mended) == ({"a": text}, True)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_beginning_of_a_value_is_a_value(data: st.DataObject) -> None:
    text = data.draw(dirty({"a": data.draw(members)}))
    end = data.draw(st.integers(1, len(text) - 1))

    with pytest.raises(CutError):
        decode(text[:end], 0)
