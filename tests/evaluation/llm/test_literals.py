"""Objects written as Python literals."""

from __future__ import annotations

import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.llm.literals import python_value

plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(plain)
def test_it_reads_what_python_writes(value: object) -> None:
    assert python_value(repr({"it's": value})) == {"it's": value}


def test_backslashes_that_escape_nothing_stay_and_nobody_is_warned() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")

        assert python_value(r"[{'a': 'C:\path \d', 'b': (1, -2)}]") == [{"a": r"C:\path \d", "b": [1, -2]}]


@pytest.mark.parametrize(
    "text",
    [
        *(
            '{"a": 1}',
            "'a'",
            "{'a': 1",
            "{'a': print()}",
            "{'a': b'x'}",
            "{'a': 1j}",
            "{'a': {1}}",
            "{'a': x}",
            "{1: 'a'}",
        ),
        *(
            "{**{'a': 1}}",
            "{'a': 1, 'a': 2}",
            "{'a': f'{1}'}",
            "{'a': 1 + 1}",
            "{'a': -'b'}",
            "{'a': ...}",
            "{'a': 1e999j}",
        ),
        *("{'a':" * 500 + "1" + "}" * 500, "['" + "a" * 200_000 + "']"),
    ],
)
def test_anything_else_is_none_and_nothing_is_run(text: str) -> None:
    assert python_value(text) is None
