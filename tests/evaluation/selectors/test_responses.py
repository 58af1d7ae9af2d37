from __future__ import annotations

from evaluation.models import Claim
from evaluation.selectors.responses import ResponseText, response_text


def claim(pk: int, text: str, part: str) -> Claim:
    start = text.index(part)
    return Claim(pk=pk, text=part, span_start=start, span_end=start + len(part))


def marked(found: ResponseText) -> list[tuple[str, int | None, bool]]:
    return [(p.text, p.claim_id, p.is_this) for paragraph in found.paragraphs for p in paragraph.pieces if p.claim_id]


def test_it_marks_this_claim_and_the_others_and_loses_no_character() -> None:
    text = "First one. Second one.\n\nThird 😀 one."
    this, other = claim(1, text, "Third 😀 one."), claim(2, text, "Second one.")

    found = response_text(text, this, [other], frozenset({2}))

    assert marked(found) == [("Second one.", 2, False), ("Third 😀 one.", 1, True)]
    assert ["".join(p.text for p in paragraph.pieces) for paragraph in found.paragraphs] == text.split("\n\n")
    assert [paragraph.holds_claim for paragraph in found.paragraphs] == [False, True]
    assert found.n_hidden == 1


def test_this_claim_wins_where_claims_overlap() -> None:
    text = "Parts and labour are covered."
    this, wide = claim(1, text, "labour are covered"), claim(2, text, text)

    found = response_text(text, this, [wide], frozenset())

    assert marked(found) == [("Parts and ", 2, False), ("labour are covered", 1, True), (".", 2, False)]


def test_a_claim_across_paragraphs_is_marked_in_both() -> None:
    text = "One a\n\nb two"
    this = Claim(pk=1, span_start=4, span_end=8)

    found = response_text(text, this, [], frozenset())

    assert marked(found) == [("a", 1, True), ("b", 1, True)]


def test_a_claim_without_a_place_shows_the_whole_text() -> None:
    found = response_text("One.\n\nTwo.", Claim(pk=1), [], frozenset())

    assert not found.is_found
    assert len(found.near) == 2


def test_an_empty_response_has_no_paragraph() -> None:
    assert response_text("", Claim(pk=1), [], frozenset()).paragraphs == ()


def test_a_span_beyond_the_text_is_cut_at_its_end() -> None:
    found = response_text("Short.", Claim(pk=1, span_start=0, span_end=99), [], frozenset())

    assert marked(found) == [("Short.", 1, True)]
