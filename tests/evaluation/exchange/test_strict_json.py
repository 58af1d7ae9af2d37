"""Strict JSON: what other readers bend or drop is refused."""

from __future__ import annotations

import pytest

from evaluation.exchange.strict_json import JsonBrokenError, JsonRefusedError, loads, text_problem


def test_it_reads_64_bit_numbers_exactly():
    assert loads('{"a": [9007199254740993, 18446744073709551615, -9223372036854775808, 0.1]}') == {
        "a": [9007199254740993, 18446744073709551615, -9223372036854775808, 0.1]
    }


@pytest.mark.parametrize(
    ("text", "field", "words"),
    [
        ('{"a": {"b": [1, "x\\u0000"]}}', "a.b[2]", "NUL"),
        ('{"a": "\\udc00"}', "a", "surrogate"),
        ('{"x\\u0000": 1}', "", "NUL"),
        ('{"a": 1, "a": 1}', "a", "twice"),
        ("[NaN]", "", "NaN"),
        ("[-1e400]", "", "too large"),
        (f"[{10**30}]", "", "64 bits"),
    ],
)
def test_what_cannot_be_kept_is_refused_with_its_path(text, field, words):
    with pytest.raises(JsonRefusedError, match=words) as caught:
        loads(text)

    assert caught.value.field == field
    assert not isinstance(caught.value, JsonBrokenError)


@pytest.mark.parametrize("text", ["", "{", '{"a": tru', "{'a': 1}", "1 2", '"a\tb"'])
def test_what_is_no_json_is_called_broken_with_its_column(text):
    with pytest.raises(JsonBrokenError, match="column"):
        loads(text)


@pytest.mark.parametrize("depth", [33, 500, 100_000])
def test_deep_nesting_is_refused_at_any_depth(depth):
    with pytest.raises(JsonRefusedError, match="nested"):
        loads("[" * depth + "]" * depth)


def test_a_whole_emoji_is_no_problem():
    assert text_problem("🙂 \u2028 \x7f") is None
