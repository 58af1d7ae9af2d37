"""Reading an object by its fields: wrong types are noted with their path, and reading goes on."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from evaluation.exchange.fields import Fields, clip, id_problem
from evaluation.exchange.problems import ProblemLog
from evaluation.exchange.records import JsonObject, Position


def fields_of(values: JsonObject) -> Fields:
    return Fields(values, ProblemLog(), Position("f", 3), "claims[1]")


def reasons(fields: Fields) -> list[tuple[str, str]]:
    return [(refusal.field, refusal.reason) for refusal in fields.log.refusals]


def test_absent_and_null_fields_are_empty_and_no_problem():
    fields = fields_of({"text": None})

    assert (fields.text("text"), fields.name("id"), fields.number("x", 0, 1), fields.flag("void")) == (
        "",
        "",
        None,
        None,
    )
    assert (fields.count("n"), fields.items("list"), fields.mapping("map"), fields.tags()) == (0, [], {}, ())
    assert reasons(fields) == []


@pytest.mark.parametrize(
    ("method", "value", "words"),
    [
        ("text", True, "not true or false"),
        ("name", [], "not a list"),
        ("required_text", "  ", "empty"),
        ("items", "x", "list in square brackets"),
        ("mapping", [], "object in curly brackets"),
        ("children", ["x"], "object in curly brackets"),
        ("flag", 1, "true or false is expected"),
        ("count", 1.5, "whole number"),
        ("label", "yes", "no label of ours"),
        ("instant", "yesterday", "ISO 8601"),
        ("instant", "0001-01-01T00:00:00+14:00", "ISO 8601"),
    ],
)
def test_a_value_of_another_type_is_noted_with_its_path(method, value, words):
    fields = fields_of({"x": value})

    getattr(fields, method)("x")

    ((path, reason),) = reasons(fields)
    assert path.startswith("claims[1].x")
    assert words in reason


@pytest.mark.parametrize(
    ("value", "words"), [("0.5", "number is expected"), (True, "number is expected"), (2, "between")]
)
def test_a_number_must_be_one_within_its_bounds(value, words):
    fields = fields_of({"confidence": value})

    assert fields.number("confidence", 0, 1) is None
    assert words in reasons(fields)[0][1]


def test_tags_stand_once_each_and_bad_ones_are_named():
    fields = fields_of({"tags": ["a", "b", "a", " ", 7, "x" * 101]})

    assert fields.tags() == ("a", "b")
    assert [path for path, _ in reasons(fields)] == ["claims[1].tags[4]", "claims[1].tags[5]", "claims[1].tags[6]"]


def test_an_instant_is_kept_in_utc():
    assert fields_of({"at": "2024-03-31T01:30:00+01:00"}).instant("at") == datetime(2024, 3, 31, 0, 30, tzinfo=UTC)


def test_finish_names_unknown_fields_and_what_they_may_have_meant():
    fields = fields_of({"txet": "x", "zzz": 1})
    fields.text("text")

    fields.finish()

    assert [(path, "did you mean" in reason) for path, reason in reasons(fields)] == [
        ("claims[1].txet", True),
        ("claims[1].zzz", False),
    ]


@pytest.mark.parametrize("value", ["", " a", "a ", "a\nb", "a\x00", "x" * 201])
def test_what_cannot_be_an_id_has_a_reason(value):
    assert id_problem(value)


@pytest.mark.parametrize("value", ["a b", "q/1", "重置 🙂", "x" * 200])
def test_ordinary_names_are_ids(value):
    assert id_problem(value) is None


def test_long_texts_are_clipped_in_messages():
    assert clip("x" * 100) == "x" * 60 + "…"


def test_a_missing_field_says_what_to_add():
    fields = fields_of({})

    fields.required_name("id")

    assert reasons(fields) == [("claims[1].id", 'The field is missing; add it, for example "id": "q1".')]
