"""The journal: whole lines that another process can read at any time."""

from __future__ import annotations

from pathlib import Path

from evaluation.llm.local_server.journal import Entry, Journal, entries


def entry(number: int = 1) -> Entry:
    return Entry(number, 12.5, "/v1/messages", "m", "abc", ("11", "12"), "answered", 200, 10, "many", "batch_1")


def test_what_is_written_is_read_again_from_the_file_and_from_memory(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "log.jsonl")

    for number in (1, 2):
        journal.write(entry(number))

    assert list(entries((tmp_path / "log.jsonl").read_text())) == [entry(1), entry(2)]
    assert list(entries(journal.text())) == [entry(1), entry(2)]


def test_a_file_is_continued_and_a_line_cut_short_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    for number in (1, 2):
        journal = Journal(file)
        journal.write(entry(number))
        journal.close()

    text = file.read_text()

    assert [each.number for each in entries(text)] == [1, 2]
    assert [each.number for each in entries(text[:-4])] == [1]
