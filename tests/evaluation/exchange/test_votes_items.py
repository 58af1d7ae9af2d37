"""Rows of one item make one claim with its instance, responses and sources."""

from __future__ import annotations

from evaluation.schemas import ClaimKind, PresentationOrder

HEAD = "item,judge,label\n"


def test_bare_votes_give_one_warning_for_all_texts_that_are_missing(read_text):
    parsed = read_text(HEAD + "c1,a,accept\nc2,a,accept\n", "v.csv")

    assert [(notice.row, "2, this is the first" in notice.reason) for notice in parsed.warnings] == [(2, True)]


def test_items_of_one_prompt_and_answer_share_them(read_text):
    rows = "c1,a,accept,P,R\nc2,a,reject,P,R\n"

    bundle = read_text("item,judge,label,prompt,response\n" + rows, "v.csv").bundle

    assert (len(bundle.instances), len(bundle.responses), len(bundle.claims)) == (1, 1, 2)


def test_preference_labels_make_pairs_with_two_answers(read_text):
    rows = "p1,a,first,as_given,X,Y\np1,a,second,swapped,X,Y\np2,a,failed,,X,Z\n"

    bundle = read_text("item,judge,label,order,response,second_response\n" + rows, "v.csv").bundle

    assert [claim.kind for claim in bundle.claims] == [ClaimKind.PREFERENCE] * 2
    assert bundle.claims[0].response_ids == ("p1/first", "p1/second")
    assert bundle.verdicts[1].order is PresentationOrder.SWAPPED
    assert [response.text for response in bundle.responses] == ["X", "Y", "X", "Z"]


def test_rows_without_votes_describe_claims(read_text):
    parsed = read_text("item,text\nc1,Text one\n", "v.csv")

    assert parsed.refusals == ()
    assert parsed.bundle.claims[0].text == "Text one"
    assert not parsed.bundle.verdicts
