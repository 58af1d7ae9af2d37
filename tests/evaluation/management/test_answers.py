"""Answers of commands: one JSON object, lines for people, and sentences for what went wrong."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import CommandError
from django.core.management.base import OutputWrapper
from django.db import OperationalError, connection

from evaluation.errors import InvalidInputError
from evaluation.management.answers import Answer, sentences, show

ANSWER = Answer({"n": 1, "name": "é"}, ["  one claim"], "open it")


def out() -> OutputWrapper:
    return OutputWrapper(StringIO())


def test_json_is_one_object_and_nothing_else() -> None:
    stream = StringIO()

    show(OutputWrapper(stream), ANSWER, as_json=True)

    assert json.loads(stream.getvalue()) == ANSWER.facts


def test_people_read_lines_and_the_next_step() -> None:
    stream = StringIO()

    show(OutputWrapper(stream), ANSWER, as_json=False)

    assert stream.getvalue() == "  one claim\n  Next   open it\n"


def test_a_problem_is_raised_after_the_facts_are_printed() -> None:
    stream = StringIO()

    with pytest.raises(CommandError, match="nothing stored"):
        show(OutputWrapper(stream), Answer({"n": 0}, problem="nothing stored"), as_json=True)

    assert json.loads(stream.getvalue()) == {"n": 0}


@pytest.mark.parametrize(
    ("error", "sentence", "code"),
    [
        (InvalidInputError("Name a file."), "^Name a file.$", 1),
        (OperationalError("no such table: x"), "no such table: x.*manage.py migrate", 1),
        (KeyboardInterrupt(), "run it again to go on", 130),
    ],
)
def test_what_a_person_can_put_right_becomes_a_sentence(error: BaseException, sentence: str, code: int) -> None:
    with pytest.raises(CommandError, match=sentence) as caught, sentences(out()):
        raise error

    assert caught.value.returncode == code


def test_a_database_without_tables_is_named_with_what_chooses_it() -> None:
    with pytest.raises(CommandError) as caught, sentences(out()):
        raise OperationalError("no such table: x")

    assert f"The database {connection.settings_dict['NAME']} (its folder is chosen by JURYFLOW_DATA" in str(
        caught.value
    )


def test_a_mistake_of_ours_stays_what_it_is() -> None:
    with pytest.raises(ZeroDivisionError), sentences(out()):
        _ = 1 / 0
