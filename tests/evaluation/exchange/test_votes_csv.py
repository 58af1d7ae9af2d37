"""A CSV of votes in long form, and every way it can be wrong."""

from __future__ import annotations

from evaluation.schemas import ClaimKind, Label, VerdictState

HEAD = "item,judge,label\n"


def test_it_reads_bare_votes(read_text):
    parsed = read_text(HEAD + "c1,a,accept\nc1,b,Not supported\nc2,a,abstained\n", "v.csv")

    bundle = parsed.bundle
    assert parsed.refusals == ()
    assert parsed.format == "votes"
    assert [claim.external_id for claim in bundle.claims] == ["c1", "c2"]
    assert [(vote.state, vote.label) for vote in bundle.verdicts] == [
        (VerdictState.CAST, Label.ACCEPT),
        (VerdictState.CAST, Label.REJECT),
        (VerdictState.ABSTAINED, None),
    ]
    assert bundle.project_hints.kind is ClaimKind.STATEMENT
    assert bundle.claims[0].response_ids == ("c1",)
    assert bundle.responses[0].text == ""


def test_a_cell_longer_than_the_csv_module_allows_by_itself_is_read(read_text):
    parsed = read_text(f"item,text\nc1,{'x' * 200_000}\n", "v.csv")

    assert parsed.refusals == ()
    assert len(parsed.bundle.claims[0].text) == 200_000


def test_a_table_with_a_column_per_judge_is_told_how_to_be_long(read_text):
    (refusal,) = read_text("item,text,GPT,palm\nc1,It is cold.,accept,reject\n", "v.csv").refusals

    assert (refusal.row, refusal.field) == (1, "GPT, palm")
    assert "one row per vote with the columns item, judge and label, such as c1,GPT,accept" in refusal.reason


def test_an_unknown_column_without_votes_is_no_judge(read_text):
    refusals = read_text("item,txet\nc1,It is cold.\n", "v.csv").refusals

    assert "did you mean “text”?" in refusals[0].reason
