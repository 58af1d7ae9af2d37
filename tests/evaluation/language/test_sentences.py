"""Sentences and their code-point spans."""

from __future__ import annotations

import pytest

from evaluation.language.sentences import split_claims, split_sentences


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Keeps 8 °C. Weight 61 kg.", ["Keeps 8 °C.", "Weight 61 kg."]),
        ("Keeps 8 C. Weight 61 kg.", ["Keeps 8 C.", "Weight 61 kg."]),
        ("Mr. Smith of the U.S. Army met J. Doe.", ["Mr. Smith of the U.S. Army met J. Doe."]),
        ("It closed on Sept. 3. Then it opened.", ["It closed on Sept. 3.", "Then it opened."]),
        ("It cost 3.5 EUR, i.e. little. Fine!", ["It cost 3.5 EUR, i.e. little.", "Fine!"]),
        ("See no. 5 first. The answer is no. Really.", ["See no. 5 first.", "The answer is no.", "Really."]),
        ("He left at 5 p.m. Then he slept.", ["He left at 5 p.m.", "Then he slept."]),
        ('He said "Stop." Then he left.', ['He said "Stop."', "Then he left."]),
        ("价格不变。安装不包括。", ["价格不变。", "安装不包括。"]),
        ("First part\n\nSecond part", ["First part", "Second part"]),
        ("| a | 1 |\n| b | 2 |", ["| a | 1 |", "| b | 2 |"]),
        ("wrapped\nline is one. Next.", ["wrapped\nline is one.", "Next."]),
        ("", []),
    ],
)
def test_sentences_are_cut_at_their_ends_only(text: str, expected: list[str]) -> None:
    found = split_sentences(text)

    assert [sentence.text for sentence in found] == expected
    assert all(text[sentence.start : sentence.end] == sentence.text for sentence in found)


def test_spans_hold_after_an_emoji() -> None:
    text = "Good 👩‍🔬 news. Installation is included."

    found = split_sentences(text)

    assert text[found[1].start : found[1].end] == "Installation is included."


def test_claims_leave_out_headings_questions_and_list_marks() -> None:
    text = "# Memo\n\nIs it good? It is.\n- One unit is 1,940 EUR.\n2. It weighs 61 kg.\nIn short:\n---"

    found = split_claims(text)

    assert [claim.text for claim in found] == ["It is.", "One unit is 1,940 EUR.", "It weighs 61 kg."]
    assert all(text[claim.start : claim.end] == claim.text for claim in found)
