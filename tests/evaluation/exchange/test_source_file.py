"""Files that are no readable text are refused with what to do."""

from __future__ import annotations

import io
import os
import zipfile

import pytest

from evaluation.exchange.detect import read
from evaluation.exchange.problems import ProblemLog
from evaluation.exchange.source_file import SourceFile

ROW = '{"id":"r","question":"q","response":"x"}'


@pytest.mark.parametrize(
    ("content", "row", "words"),
    [
        (b"", None, "empty"),
        (b"\xef\xbb\xbf", None, "empty"),
        (b"\n \n", None, "no record"),
        (ROW.encode("utf-16"), None, "UTF-16"),
        (b"PK\x03\x04rest", None, "zip archive; unpack it"),
        (b"\xd0\xcf\x11\xe0rest", None, "save the sheet as CSV UTF-8"),
        (b"\x1f\x8brest", None, "compressed"),
        (ROW.encode() + b'\n{"id":"caf\xe9","question":"q","response":"x"}\n', 2, "not UTF-8"),
        (ROW.encode() + b'\n{"id":"caf\xc3', 2, "middle of a character"),
    ],
)
def test_a_file_that_is_no_text_is_refused_with_what_to_do(read_text, content, row, words):
    parsed = read_text(content)

    assert parsed.refusals[0].row == row
    assert words in parsed.refusals[0].reason


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ("xl/workbook.xml", "This is an Excel file; save the sheet as CSV UTF-8"),
        ("word/document.xml", "This is a Word file"),
        ("content.xml", "This is an OpenDocument file"),
        ("votes.csv", "This is a zip archive; unpack it"),
    ],
)
def test_a_zip_is_called_by_what_is_in_it(read_text, inside, words):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(inside, "x")

    parsed = read_text(packed.getvalue(), "upload")

    assert [words in refusal.reason for refusal in parsed.refusals] == [True]


@pytest.mark.parametrize("fmt", [None, "jsonl", "votes", "llmbar"])
def test_a_missing_file_is_refused(tmp_path, fmt):
    parsed = read(tmp_path / "none.jsonl", fmt)

    assert len(parsed.refusals) == 1
    assert parsed.refusals[0].file == "none.jsonl"


def test_a_folder_given_as_jsonl_is_refused(tmp_path):
    assert "folder" in read(tmp_path, "jsonl").refusals[0].reason


def test_a_pipe_is_refused_without_waiting_for_it(tmp_path):
    os.mkfifo(tmp_path / "pipe.jsonl")

    assert "regular file" in read(tmp_path / "pipe.jsonl").refusals[0].reason


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads every file")
def test_a_file_without_permission_is_refused(tmp_path):
    path = tmp_path / "locked.jsonl"
    path.write_text(ROW)
    path.chmod(0)

    assert "cannot be read" in read(path).refusals[0].reason


def test_lines_end_at_line_feeds_only_and_the_open_last_one_is_marked(tmp_path):
    path = tmp_path / "a.txt"
    path.write_bytes("\ufeffa\u2028b\r\nc".encode())

    lines = list(SourceFile(path, "a.txt").lines(ProblemLog()))

    assert [(line.row, line.text, line.is_last_open) for line in lines] == [(1, "a\u2028b\r", False), (2, "c", True)]
