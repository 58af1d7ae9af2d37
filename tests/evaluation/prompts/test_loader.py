"""Prompt files and how they are filled."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import evaluation.prompts
from evaluation.errors import InvalidInputError
from evaluation.prompts import fill, load, load_persona, persona_names

FOLDER = Path(evaluation.prompts.__file__).parent


def test_it_loads_the_newest_version_with_its_stamp() -> None:
    prompt = load("judge")

    assert (prompt.stamp.name, prompt.stamp.version) == ("judge", 2)
    assert load("judge", 1).stamp.version == 1
    assert re.fullmatch("[0-9a-f]{64}", prompt.stamp.sha256)
    assert "{{ question }}" in prompt.system
    assert "{{ claims }}" in prompt.user


@pytest.mark.parametrize(
    ("name", "version"), [("judge", 99), ("nothing", None), ("../prompts/judge", None), ("", None)]
)
def test_file_that_does_not_exist_is_named(name: str, version: int | None) -> None:
    with pytest.raises(InvalidInputError, match="There is no prompt file"):
        load(name, version)


def test_empty_persona_is_the_neutral_one_and_an_unknown_one_is_refused() -> None:
    assert load_persona("").stamp.name == "personas/neutral"
    with pytest.raises(InvalidInputError, match="personas/pirate"):
        load_persona("pirate")


def test_every_persona_folder_is_listed() -> None:
    folders = {path.name for path in (FOLDER / "personas").iterdir() if path.is_dir()}

    assert set(persona_names()) == folders
    assert persona_names()[0] == "neutral"


def test_braces_and_places_inside_a_value_stay_as_they_are() -> None:
    filled = fill("{{ a }} and {{ b }}", {"a": "{{ b }} ${7*7} {{7*7}} \\1", "b": "B"})

    assert filled == "{{ b }} ${7*7} {{7*7}} \\1 and B"


@pytest.mark.parametrize(("values", "said"), [({}, "without a value: .'a'"), ({"a": "", "c": ""}, "placeholder: .'c'")])
def test_missing_and_unused_values_are_refused(values: dict[str, str], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        fill("{{ a }}", values)
