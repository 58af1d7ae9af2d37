"""Naming a file to read."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

import pytest

from evaluation.errors import InvalidInputError
from evaluation.management.sources import add_source, source_path


@pytest.mark.parametrize("words", [["votes.csv"], ["--path", "votes.csv"]])
def test_a_path_is_an_argument_or_an_option(words: list[str]) -> None:
    parser = ArgumentParser()
    add_source(parser)

    given = parser.parse_args(words)

    assert source_path(given.file, given.path, advice="") == Path("votes.csv")
    assert (given.fmt, given.prompt, given.kind) == ("", "Vanilla", "")


@pytest.mark.parametrize(("argument", "option"), [("", ""), ("a.csv", "b.csv")])
def test_none_and_two_paths_are_refused_with_advice(argument: str, option: str) -> None:
    with pytest.raises(InvalidInputError, match="Name one file"):
        source_path(argument, option, advice="Name one file.")
