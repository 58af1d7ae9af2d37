"""Files are written whole or not at all."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from evaluation.errors import InvalidInputError
from evaluation.management.files import write_whole


def test_pieces_arrive_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "out.csv"

    size = write_whole(file, ["a,b\r\n", "ü\r\n"])

    assert file.read_bytes() == "a,b\r\nü\r\n".encode()
    assert size == len(file.read_bytes())


def test_what_was_there_stays_when_writing_fails(tmp_path: Path) -> None:
    file = tmp_path / "out.csv"
    file.write_text("before")

    def broken() -> Iterator[str]:
        yield "half"
        raise InvalidInputError("no more")

    with pytest.raises(InvalidInputError, match="no more"):
        write_whole(file, broken())

    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("out.csv", "before")]


def test_a_folder_that_is_absent_is_named(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match=r"absent/out.csv cannot be written \(No such file"):
        write_whole(tmp_path / "absent" / "out.csv", [])


def test_a_reader_that_has_gone_ends_the_writing_quietly(root: Path) -> None:
    code = (
        "from evaluation.management.files import tolerating_a_closed_pipe\n"
        "with tolerating_a_closed_pipe():\n"
        "    for _ in range(100_000): print('x' * 100)\n"
    )

    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        assert writer.stderr is not None
        writer.stdout.readline()
        writer.stdout.close()
        errors = writer.stderr.read()

    assert (writer.returncode, errors) == (0, "")
