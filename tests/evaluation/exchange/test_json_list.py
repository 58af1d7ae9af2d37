"""A JSON list of records is read like one record per line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.exchange.json_list import IS_BROKEN, Member, members_of

ROWS = [{"id": f"r{number}", "question": "q", "response": "x"} for number in (1, 2)]


def test_members_keep_their_text_and_the_row_they_begin_in():
    text = '[\n  {"a": "]\\n,"},\n  {\n  "b": 2 }\n , 3]\n'

    assert list(members_of(text)) == [Member(2, '{"a": "]\\n,"}'), Member(3, '{\n  "b": 2 }'), Member(5, "3")]


@pytest.mark.parametrize("text", ["[]", " [ ]\n"])
def test_an_empty_list_has_no_members(text):
    assert list(members_of(text)) == []


@pytest.mark.parametrize("text", ["", "[", "[1", "[1,", "[1,]", "[1 2]", "[1] 2", "[,1]", "[" * 100_000])
def test_a_list_that_is_cut_off_or_broken_says_so_at_the_end(text):
    assert list(members_of(text))[-1].problem == IS_BROKEN


@given(
    st.lists(st.recursive(st.none() | st.integers() | st.text(), st.lists, max_leaves=5)), st.sampled_from([None, 2])
)
def test_any_list_gives_its_members_back(values, indent):
    found = list(members_of(json.dumps(values, indent=indent)))

    assert [json.loads(member.text) for member in found] == values


@pytest.mark.parametrize("indent", [None, 2])
def test_a_file_with_a_list_is_imported_like_lines(read_text, indent):
    lines = read_text("\n".join(map(json.dumps, ROWS)))
    listed = read_text(json.dumps(ROWS, indent=indent), "data.json")

    assert listed.refusals == ()
    assert [each.external_id for each in listed.bundle.responses] == ["r1", "r2"]
    assert listed.bundle.responses[0].text == lines.bundle.responses[0].text


def test_refusals_in_a_list_name_the_row(read_text):
    refusals = read_text(
        '[{"id": "r1", "question": "q", "response": "x"},\n 7,\n {"question": "q"', "data.json"
    ).refusals

    assert [(refusal.row, refusal.reason[:9]) for refusal in refusals] == [(2, "Every lin"), (3, "The list ")]
