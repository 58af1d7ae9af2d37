"""Objects in whatever a judge wrote."""

from __future__ import annotations

import json
from time import process_time

import pytest

from evaluation.llm.finding import find_objects

BLUE = {"colour": "blue"}


def _values(text: str) -> list[object]:
    findings = find_objects(text)
    assert not findings.is_cut
    return [each.value for each in findings.values]


@pytest.mark.parametrize(
    "text",
    [
        '{"colour": "blue"}',
        '```json\n{"colour": "blue"}\n```',
        '```\n{"colour": "blue"}',
        'First:\n```python\nprint(1)\n```\nthen\n```json\n{"colour": "blue"}\n```\nDone.',
        'Sure {smile}, here: {"colour": "blue"} Hope this helps {smile} [1]',
        'I will answer as {"colour": ...} or {"colour": "blue", …} says: {"colour": "blue"}',
        '\ufeff\u200b{"colour": "blue"}\u200b',
        '{Note: in haste} {"colour": "blue"}',
        '{"colour": "blue"} // done',
    ],
)
def test_it_finds_the_object_among_other_text_and_calls_it_whole(text: str) -> None:
    findings = find_objects(text)

    assert [(each.value, each.is_mended) for each in findings.values] == [(BLUE, False)]
    assert not findings.is_cut


@pytest.mark.parametrize(
    "text",
    ['{"colour": "blue",}', "{'colour': 'blue'}", "so {'colour': 'blue'} (it's sure)", json.dumps(json.dumps(BLUE))],
)
def test_an_object_that_is_no_json_is_mended(text: str) -> None:
    findings = find_objects(text)

    assert [(each.value, each.is_mended) for each in findings.values] == [(BLUE, True)]


def test_lists_of_objects_are_found_and_lists_of_other_things_are_prose() -> None:
    assert _values('[1] and [2, 3]: [{"colour": "blue"}, {"colour": "red"}]') == [[BLUE, {"colour": "red"}]]


def test_thoughts_before_the_answer_do_not_count() -> None:
    thought = 'Is it {"colour": "red"}? Or {"colour": ?'

    assert _values(f'<think>{thought}</think>{{"colour": "blue"}}') == [BLUE]
    assert _values('It was {"colour": "red"}, no.\n</think>\n{"colour": "blue"}') == [BLUE]
    assert _values('{"colour": "blue </think> red"}') == [{"colour": "blue </think> red"}]


@pytest.mark.parametrize(
    "text",
    [
        '{"colour": "bl',
        '{"colour": "blue"',
        '[{"colour": "blue"}, {"col',
        'For example {"colour": "red"}. My answer: {"colour": "bl',
        "{'colour': 'bl",
        '<think>Perhaps {"colour": "blue"}',
        '```json\n{"outer": {"colour": "blue"}',
    ],
)
def test_a_text_that_stops_inside_an_object_is_cut(text: str) -> None:
    assert find_objects(text).is_cut


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"outer": oops, "inner": {"colour": "blue"}}', "expected a value"),
        ('{"outer": {"colour": "blue"} oops}', "expected a comma or }"),
        ('[{"colour": "blue"} {"colour": "blue"}]', "expected a comma or ]"),
        ('{colour: {"colour": "blue"}}', "expected a key in double quotes"),
        ('{"said": "he said "no", {"colour": "blue"}"}', "expected a comma or }"),
    ],
)
def test_nothing_is_taken_from_inside_an_object_that_cannot_be_read(text: str, problem: str) -> None:
    findings = find_objects(text)

    assert findings.values == []
    assert [(region, problem in said) for region, said in findings.broken] == [(text, True)]


@pytest.mark.parametrize(
    "text", ["", "blue", "{", "{}", "{smile}", "[1, 2]", "{ {", '"blue"', "a: {b} [c]", "</think>"]
)
def test_prose_holds_nothing(text: str) -> None:
    findings = find_objects(text)

    assert (findings.values, findings.broken, findings.is_cut) == ([], [], False)


@pytest.mark.parametrize(
    "bomb",
    ["{", "[", '{"a":', '[{"a', '{"a" ', "[{x ", '{"a": x} ', "/*", "{/*", '{"a"/*', "{'a", "{ ", "[ ", "</think>"],
)
def test_a_hostile_reply_of_the_longest_kind_costs_less_than_a_second(bomb: str) -> None:
    started = process_time()

    find_objects(bomb * (40_000 // len(bomb)))

    assert process_time() - started < 1
