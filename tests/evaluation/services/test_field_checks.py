"""What was typed is refused with the field and what is wrong with it."""

from __future__ import annotations

import pytest

from evaluation.errors import InvalidInputError
from evaluation.models import Judge
from evaluation.services import field_checks


def check(judge: Judge) -> None:
    field_checks.check(judge, texts=("name", "model"), refusal="This judge cannot be kept", exclude=("project",))


def test_it_takes_what_the_fields_take() -> None:
    check(Judge(name="Ada", provider="openai_chat", model="m"))


def test_every_field_with_a_problem_is_named() -> None:
    with pytest.raises(InvalidInputError, match=r"This judge cannot be kept; .*model: .*at most.*name: Null") as caught:
        check(Judge(name="A\x00da", provider="openai_chat", model="m" * 1_000))

    assert "project" not in str(caught.value)
