"""One row of a CSV of votes, and every way it can be wrong."""

from __future__ import annotations

import pytest

from evaluation.schemas import Label

HEAD = "item,judge,label\n"


def test_it_reads_every_optional_column(read_text):
    parsed = read_text(
        "item,judge,label,text,prompt,response,system,batch,source,gold,tags,confidence,rationale,order,sample,reason\n"
        'c1,a,accept,"It, lasts",How long?,It lasts.,Aster,w48,Sheet.,reject,x; y,0.25,"two\nlines",as_given,1,\n'
        "c1,a,failed,,,,,,Offer.,,,,,,2,time-out\n",
        "v.csv",
    )

    claim, vote = parsed.bundle.claims[0], parsed.bundle.verdicts[0]
    assert parsed.refusals == ()
    assert (claim.text, claim.gold, claim.tags) == ("It, lasts", Label.REJECT, ("x", "y"))
    assert (vote.confidence, vote.rationale, vote.sample) == (0.25, "two\nlines", 1)
    assert [document.text for document in parsed.bundle.documents] == ["Sheet.", "Offer."]
    assert parsed.bundle.instances[0].prompt == "How long?"
    assert (parsed.bundle.responses[0].system, parsed.bundle.responses[0].batch) == ("Aster", "w48")
    assert parsed.bundle.verdicts[1].reason == "time-out"


@pytest.mark.parametrize(
    ("content", "row", "field", "words"),
    [
        (HEAD + "c1,a\nc1,b,accept\n", 2, "", "has 2 cells"),
        (HEAD + "c1,b,accept\nc1,a,accept,x\n", 3, "", "has 4 cells"),
        ('item,judge,label,text\nc0,a,accept,"a\nb"\nc1,a\n', 4, "", "has 2 cells"),
        ("item,judge,label,item\nc1,a,accept,c1\n", 1, "item", "twice"),
        ("item,judge,lable\nc1,a,accept\n", 1, "lable", "did you mean “label”"),
        ("item,label\nc1,accept\n", 1, "judge", "missing"),
        ("item;judge;label\nc1;a;accept\n", 1, "", "commas"),
        (HEAD, None, "", "no rows"),
        (HEAD + "c1,a,yes\n", 2, "label", "no label of ours"),
        (HEAD + "c1,a,accept\nc2,a,first\n", 3, "label", "as row 2 began it"),
        (HEAD + "c1,a,\n", 2, "label", "empty"),
        (HEAD + "c1,,accept\n", 2, "judge", "must not be empty"),
        (HEAD + ",a,accept\n", 2, "item", "must not be empty"),
        (HEAD + "c1,a,accept\nc1,a,reject\n", 3, "id", "already, in row 2"),
        (HEAD + 'c1,a,"accept\n', 2, "", "ends inside a quoted cell"),
        (HEAD + 'c1,"a"b,accept\n', 2, "", "quotes do not fit"),
        (HEAD + "c1,a\x00,accept\n", 2, "", "NUL"),
        ("item,judge,label,confidence\nc1,a,accept,nan\n", 2, "confidence", "0 to 1"),
        ("item,judge,label,confidence\nc1,a,accept,1_0\n", 2, "confidence", "0 to 1"),
        ('item,judge,label,confidence\nc1,a,accept,"0,9"\n', 2, "confidence", "decimal point"),
        ("item,judge,label,confidence\nc1,a,accept,1e999\n", 2, "confidence", "0 to 1"),
        ("item,judge,label,order\nc1,a,accept,swapped\n", 2, "order", "preference"),
        ("item,judge,label,order\nc1,a,accept,2\n", 2, "order", "presentation order"),
        ("item,judge,label,text\nc1,a,accept,x\nc1,b,accept,y\n", 3, "text", "another text"),
        ("item,judge,label,gold\nc1,a,accept,accept\nc1,b,accept,reject\n", 3, "gold", "another gold"),
        ("item,judge,label,gold\nc1,a,accept,first\n", 2, "gold", "is a label for a preference"),
        ("item,text,kind\nc1,x,wish\n", 2, "kind", "statement or preference"),
        ('item,text,tags\nc1,x,"[1]"\n', 2, "tags", "1 to 100"),
        ('item,text,system\nc1,x,"a\nb"\n', 2, "system", "line breaks"),
    ],
)
def test_a_wrong_row_is_refused_with_row_and_field(read_text, content, row, field, words):
    parsed = read_text(content, "v.csv")

    first = parsed.refusals[0]
    assert (first.row, first.field) == (row, field)
    assert words in first.reason
