"""The demo's file: three documents, twelve memos, 63 claims with planted errors of known kinds."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from evaluation.demo import larkhaven
from evaluation.exchange.records import Bundle, Parsed
from evaluation.schemas import Label

PLANTED = {
    "wrong number": 3,
    "negation": 3,
    "wrong entity": 3,
    "unsupported addition": 3,
    "overclaim": 3,
    "not settled": 2,
    "true, looks false": 6,
    "all judges agree and are wrong": 2,
    "near-verbatim true": 20,
    "plain true": 18,
}
GOLD = {
    "not settled": Label.UNCERTAIN,
    **dict.fromkeys(["true, looks false", "near-verbatim true", "plain true"], Label.ACCEPT),
}
KIND_BY_SENTENCE = {
    "The Polar Nook 140 stays cold for 18 hours without power.": "wrong number",
    "Installation is included in the price.": "negation",
    "The ward manager releases the fridge.": "wrong entity",
    "The alarm also sends a text message.": "unsupported addition",
    "Parts and labour are covered for 24 months.": "overclaim",
    "The alarm is battery-backed, so the rule is met.": "not settled",
    "At most 84 litres may be filled.": "true, looks false",
    "Three cost 5,370 EUR, so two offers are needed.": "true, looks false",
    "The alarm sounds after 5 minutes without power.": "all judges agree and are wrong",
}


def test_it_is_imported_without_a_refusal_or_a_warning(parsed: Parsed) -> None:
    assert parsed.refusals == ()
    assert parsed.warnings == ()


def test_it_has_twelve_memos_of_three_systems_on_four_questions(bundle: Bundle) -> None:
    memos = Counter((response.instance_id, response.system) for response in bundle.responses)

    assert len(bundle.instances) == 4
    assert {system for _, system in memos} == {"Aster", "Birch", "Cedar"}
    assert set(memos.values()) == {1}
    assert len(memos) == 12


def test_every_question_has_the_same_three_documents(bundle: Bundle) -> None:
    titles = {document.external_id: document.title for document in bundle.documents}

    named = [[titles[document] for document in instance.document_ids] for instance in bundle.instances]

    expected = ["Data sheet Polar Nook 140", "Offer 2214, Tern & Daughter", "Cold storage rule, Larkhaven Clinic"]
    assert named == [expected] * 4


def test_the_planted_kinds_have_their_numbers(bundle: Bundle) -> None:
    kinds = Counter(claim.metadata["planted"] for claim in bundle.claims)

    assert kinds == PLANTED
    assert kinds.total() == 63


def test_the_sentences_that_the_tour_names_are_planted_with_their_kind(bundle: Bundle) -> None:
    planted = {claim.text: claim.metadata["planted"] for claim in bundle.claims}

    assert {sentence: planted.get(sentence) for sentence in KIND_BY_SENTENCE} == KIND_BY_SENTENCE


def test_gold_follows_from_the_planted_kind(bundle: Bundle) -> None:
    expected = [GOLD.get(str(claim.metadata["planted"]), Label.REJECT) for claim in bundle.claims]

    assert [claim.gold for claim in bundle.claims] == expected


def test_every_span_covers_exactly_its_claim(bundle: Bundle) -> None:
    memos = {response.external_id: response.text for response in bundle.responses}

    for claim in bundle.claims:
        assert claim.span is not None, claim.external_id
        assert memos[claim.response_ids[0]][slice(*claim.span)] == claim.text


def test_the_claims_of_a_memo_stand_in_its_order_without_overlap(bundle: Bundle) -> None:
    spans: dict[str, list[tuple[int, int]]] = {}
    for claim in bundle.claims:
        spans.setdefault(claim.response_ids[0], []).append(claim.span or (0, 0))

    assert len(spans) == 12
    for placed in spans.values():
        assert 5 <= len(placed) <= 6
        assert all(before[1] < after[0] for before, after in pairwise(placed))


def test_every_claim_has_tags_of_the_vocabulary_and_no_tag_is_idle(bundle: Bundle) -> None:
    used = Counter(tag for claim in bundle.claims for tag in claim.tags)

    assert set(used) == set(larkhaven.TAGS)
    assert all(claim.tags for claim in bundle.claims)


def test_every_writer_has_an_error_of_their_own_and_true_sentences(bundle: Bundle) -> None:
    system = {response.external_id: response.system for response in bundle.responses}
    golds: dict[str, set[Label | None]] = {}
    for claim in bundle.claims:
        golds.setdefault(system[claim.response_ids[0]], set()).add(claim.gold)

    assert all({Label.ACCEPT, Label.REJECT} <= found for found in golds.values())


def test_the_tour_begins_with_the_installation(bundle: Bundle) -> None:
    texts = {claim.external_id: claim.text for claim in bundle.claims}

    assert texts[larkhaven.FIRST_CLAIM] == "Installation is included in the price."
