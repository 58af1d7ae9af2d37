"""Bad JSONL lines, claims and votes above all: each wrong thing is refused with row, field and a sentence."""

from __future__ import annotations

import pytest

GOOD = '{"id":"r1","question":"Q","response":"A","claims":[{"id":"c1","text":"A"}]}\n'
VOTE = '{"type":"verdict","claim":"c1","judge":"j",%s}'


@pytest.mark.parametrize(
    ("line", "field", "words"),
    [
        ('{"id":"r2","question":"Q","respons":"A"}', "respons", "not known here; did you mean"),
        ('{"id":"r1","question":"Q","response":"B"}', "id", "is there already, in row 1"),
        ('{"id":"r2","question":"Q","respon', "", "last line is cut off"),
        ('{"id":"r2","question":"Q","response":"a\\u0000b"}', "response", "NUL"),
        ('{"id":"r2","question":"Q","response":"a\x00b"}', "", "NUL"),
        ('{"id":"r2","question":"Q","response":"\\ud83d"}', "response", "surrogate"),
        ('{"id":"r2","id":"r3","question":"Q","response":"A"}', "id", "twice"),
        ('{"id":2.5,"question":"Q","response":"A"}', "id", "whole number"),
        ('{"id":" r2","question":"Q","response":"A"}', "id", "begin or end with a space"),
        ('{"id":"r2","response":"A"}', "prompt", "missing"),
        ('{"id":"r2","question":"Q","response":7}', "response", "not a number"),
        ('{"id":"r2","question":"Q","response":"A","metadata":{"x":NaN}}', "", "NaN"),
        ('{"id":"r2","question":"Q","response":"A","metadata":{"x":-Infinity}}', "", "Infinity"),
        ('{"id":"r2","question":"Q","response":"A","metadata":{"x":1e999}}', "", "too large"),
        ('{"id":"r2","question":"Q","response":"A","metadata":{"x":18446744073709551616}}', "", "64 bits"),
        ('{"id":"r2","question":"Q","response":"A","metadata":{"x":' + "9" * 5000 + "}}", "", "64 bits"),
        ('{"id":"r2","question":"Q","response":"A","metadata":' + '{"a":' * 40 + "1" + "}" * 41, "metadata", "nested"),
        ("[" * 100_000, "", "nested"),
        ('["not an object"]', "", "one JSON object"),
        ('{"type":"claims","id":"x"}', "type", "must be one of"),
        ('{"type":"verdict","claim":"c9","judge":"j","label":"accept"}', "claim", "no claim “c9”"),
        (VOTE % '"label":"yes"', "label", "no label of ours"),
        (VOTE % '"label":"first"', "label", "accept, reject, uncertain"),
        (VOTE % '"label":null', "label", "no label"),
        (VOTE % '"state":"failed","label":"accept"', "label", "failed cannot carry"),
        (VOTE % '"label":"accept","order":"swapped"', "order", "preference"),
        (VOTE % '"label":"accept","confidence":1.5', "confidence", "between 0 and 1"),
        (VOTE % '"label":"accept","sample":-1', "sample", "0 to 9,999"),
        ('{"type":"response","id":"r2","instance":"q9","text":"x"}', "instance", "no instance “q9”"),
        ('{"id":"q2","prompt":"p","sources":["d9"]}', "sources", "no document “d9”"),
        ('{"type":"claim","id":"c2","responses":["r1","r1"],"text":"x"}', "responses", "2 different responses"),
        ('{"type":"claim","id":"c2","text":"x"}', "responses", "names 1 different responses"),
        ('{"type":"project","version":2}', "version", "Only version 1"),
        ('{"type":"project","kind":"preference"}', "kind", "all claims are preference"),
        (
            '{"type":"decision","id":"1","claim":"c1","label":"accept","expert":"A","at":"2024-06-01 12:00"}',
            "at",
            "no offset",
        ),
        (
            '{"type":"decision","id":"1","claim":"c1","expert":"A","at":"2024-06-01T12:00:00Z"}',
            "label",
            "give one of the two",
        ),
    ],
)
def test_a_bad_line_is_refused_with_row_and_field(read_text, line, field, words):
    parsed = read_text(GOOD + line)

    matching = [refusal for refusal in parsed.refusals if words in refusal.reason]
    assert matching, [str(refusal) for refusal in parsed.refusals]
    assert matching[0].file == "data.jsonl"
    assert matching[0].field.startswith(field)
    assert matching[0].row == (1 if "project" in line and "kind" in line else 2)


def test_the_same_vote_twice_is_refused(read_text):
    vote = VOTE % '"label":"accept"'

    parsed = read_text(f"{GOOD}{vote}\n{vote}\n")

    assert [refusal.row for refusal in parsed.refusals] == [3]


def test_every_bad_line_is_named_not_only_the_first(read_text):
    parsed = read_text(GOOD + '{"id":"r2"}\n{"id":"r3","question":"Q","response":true}\n')

    assert {refusal.row for refusal in parsed.refusals} == {2, 3}


def test_reading_stops_after_a_thousand_refusals(read_text):
    parsed = read_text("1\n" * 5000)

    assert len(parsed.refusals) == 1001
    assert "stopped" in parsed.refusals[-1].reason
    assert not list(parsed.bundle.records())


def test_a_broken_line_in_the_middle_is_not_called_cut_off(read_text):
    parsed = read_text('{"id":"r1"\n' + GOOD)

    assert "valid JSON" in parsed.refusals[0].reason
    assert "cut off" not in parsed.refusals[0].reason


def test_another_text_under_a_shared_document_id_is_refused(read_text):
    parsed = read_text(
        '{"id":"q1","prompt":"p","sources":[{"id":"d","text":"t"}]}\n'
        '{"id":"q2","prompt":"p","sources":[{"id":"d","text":"u"}]}\n'
    )

    assert [(refusal.row, refusal.field) for refusal in parsed.refusals] == [(2, "id")]
