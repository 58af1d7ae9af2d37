"""What names persons is replaced before a text is sent, and comes back exactly."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.llm.protocol import ChatRequest, TextPart
from evaluation.methods.deidentify import Masked, Replacing, mask, untouched
from evaluation.methods.juryflow import decompose_request, draft_request, judge_request, review_request
from evaluation.methods.juryflow_shapes import DecompositionReply, VerdictsReply
from evaluation.schemas import (
    ClaimKind,
    ClaimText,
    JudgeSettings,
    Label,
    PanelVote,
    PrivacyRules,
    RubricExample,
    RubricText,
    SourceText,
    Subject,
)
from tests.evaluation.llm.builders import SECRET, STATEMENT_LABELS, statement_subject

ALL = PrivacyRules(emails=True, phones=True, names=("Ana Weber", "Bea"), titles=True)
JUDGE = JudgeSettings("Judge A", "openai_chat", "m-1")
TEXT = "Ana Weber (ana@x.org, +49 30 1234567) told Dr Paul Otter that Bea pays 1,790 EUR."
MASKED = "[name 1] ([email 1], [phone 1]) told Dr [name 2] that [name 3] pays 1,790 EUR."


def everywhere(text: str) -> Subject:
    example = RubricExample(text, Label.ACCEPT, text)
    entry = RubricText(7, 1, text, text, (text,), positive=example, negative=example)
    return replace(
        statement_subject("review"),
        question=text,
        labels=dict.fromkeys(STATEMENT_LABELS, text),
        prompt=text,
        context=text,
        response=text,
        sources=(SourceText(text, text),),
        claims=tuple(ClaimText(ref, ClaimKind.STATEMENT, text, (text,), text, text) for ref in "12"),
        rubric=(entry,),
        rubric_left_out=(text,),
        guidelines=text,
        tag_vocabulary=(text,),
        votes=(PanelVote("Judge B", Label.ACCEPT, text),),
        ruling=Label.ACCEPT,
        ruling_reason=text,
    )


def sent(masked: Masked) -> str:
    """All that any of the four questions would send."""
    requests: list[ChatRequest] = [
        asking(masked.subject, JUDGE, SECRET)
        for asking in (judge_request, review_request, decompose_request, draft_request)
    ]
    parts = [part for request in requests for message in request.messages for part in message.parts]
    return "\n".join([*(part.text for part in parts if isinstance(part, TextPart)), *(str(r.schema) for r in requests)])


def test_it_masks_every_text_that_is_sent_alike_and_nothing_else() -> None:
    masked = mask(everywhere(TEXT), ALL)

    assert masked.subject == everywhere(MASKED)
    assert masked.original == everywhere(TEXT)
    assert not re.search(r"Weber|ana@|1234567|Otter|\bBea\b", sent(masked))


def test_what_the_rules_leave_off_stays() -> None:
    masked = mask(replace(statement_subject(), response=TEXT), PrivacyRules(phones=True))

    assert masked.subject.response == TEXT.replace("+49 30 1234567", "[phone 1]")


def test_a_name_after_a_title_is_masked_wherever_it_stands_and_in_its_parts() -> None:
    subject = replace(statement_subject(), prompt="Otter is here.", response="Mr Paul Otter came.", context="Hi Paul!")

    masked = mask(subject, PrivacyRules(titles=True)).subject

    said = [masked.prompt, masked.context, masked.response]
    assert said == ["[name 1] is here.", "Hi [name 1, writing 2]!", "Mr [name 1, writing 3] came."]


def test_other_writings_of_one_thing_say_so() -> None:
    subject = replace(
        statement_subject(),
        response="Ana@x.org, ana@x.org; +49 30 1234567, 0049 30 1234567, +49 (0)30 1234567; Ana Weber and Weber, Bea",
    )

    masked = mask(subject, replace(ALL, names=("Ana Weber", "Weber", "Bea"))).subject

    assert masked.response == (
        "[email 1], [email 1, writing 2]; [phone 1], [phone 1, writing 2], [phone 1, writing 3]; "
        "[name 1] and [name 1, writing 2], [name 2]"
    )


def test_a_placeholder_of_the_text_itself_is_never_given_out() -> None:
    subject = replace(statement_subject(), response="[email 1] and [ Email 02 , writing 7 ] wrote to ana@x.org.")

    masked = mask(subject, ALL)

    assert masked.subject.response == "[email 1] and [ Email 02 , writing 7 ] wrote to [email 3]."
    assert masked.unmask(masked.subject.response) == subject.response
    assert masked.unmask("[email 1] [email 2] [email 3]") == "[email 1] [email 2] ana@x.org"


@pytest.mark.parametrize("spelled", ["[email 1]", "[Email 1]", "[EMAIL  1 ]", "[email 1, writing 1]"])
def test_a_judge_may_spell_a_placeholder_a_little_otherwise(spelled: str) -> None:
    assert mask(everywhere(TEXT), ALL).unmask(f"As {spelled} says.") == "As ana@x.org says."


def test_a_reply_gets_its_originals_back_in_every_text() -> None:
    reply = VerdictsReply.model_validate(
        {
            "verdicts": [
                {
                    "claim": "1",
                    "rationale": "[name 1] says so; [name 9] not.",
                    "verdict": "accept",
                    "tags": ["[email 1]"],
                },
                {"claim": "2", "rationale": "", "verdict": "reject", "confidence": 0.5},
            ]
        }
    )

    restored = mask(everywhere(TEXT), ALL).restore(reply)

    assert [(v.rationale, v.verdict, v.tags, v.confidence) for v in restored.verdicts] == [
        ("Ana Weber says so; [name 9] not.", "accept", ("ana@x.org",), None),
        ("", "reject", (), 0.5),
    ]


def test_claims_and_quotes_come_back_so_that_they_stand_in_the_response() -> None:
    masked = mask(replace(statement_subject("decompose"), response=TEXT), ALL)
    found = {"text": masked.subject.response, "quote": masked.subject.response, "rationale": "", "verdict": "accept"}

    restored = masked.restore(DecompositionReply.model_validate({"claims": [found]}))

    assert restored.claims[0].quote == masked.original.response


def test_a_subject_that_is_not_masked_gives_replies_back_as_they_are() -> None:
    reply = VerdictsReply(verdicts=())

    assert untouched(statement_subject()).restore(reply) is reply
    assert untouched(statement_subject()).subject == statement_subject()


def test_equal_subjects_give_equal_requests() -> None:
    assert mask(everywhere(TEXT), ALL) == mask(everywhere(TEXT), ALL)


PIECES = st.sampled_from(
    [
        *("ana@x.org", "Ana@X.org", "+49 30 1234567", "030 1234567", "Ana Weber", "Weber", "Bea", "Dr Otter", "Otter"),
        *(
            "[email 1]",
            "[name 2]",
            "[phone 1, writing 2]",
            "[",
            "]",
            "[name",
            "1]",
            ", writing 2",
            " ",
            "\n",
            ".",
            "x",
            "1",
        ),
    ]
)
TEXTS = st.lists(PIECES, max_size=12).map("".join) | st.lists(PIECES, max_size=9).map(" ".join) | st.text(max_size=30)


@given(TEXTS, TEXTS)
def test_masked_texts_come_back_exactly(one: str, other: str) -> None:
    subject = replace(statement_subject(), response=one, context=other)

    masked = mask(subject, ALL)

    assert (masked.unmask(masked.subject.response), masked.unmask(masked.subject.context)) == (one, other)


@settings(deadline=None, max_examples=40)
@given(TEXTS)
def test_nothing_that_was_masked_is_left_in_anything_sent(text: str) -> None:
    masked = mask(everywhere(text), ALL)

    message = sent(masked)
    left = [each for each in masked.originals.values() if re.search(rf"(?<!\w){re.escape(each)}(?!\w)", message)]
    assert left == []


def test_what_is_replaced_is_told_with_its_place() -> None:
    found = Replacing([TEXT], ALL).found(TEXT)

    assert [(each.kind, each.original, each.placeholder) for each in found] == [
        ("name", "Ana Weber", "[name 1]"),
        ("email", "ana@x.org", "[email 1]"),
        ("phone", "+49 30 1234567", "[phone 1]"),
        ("name", "Paul Otter", "[name 2]"),
        ("name", "Bea", "[name 3]"),
    ]
    assert all(TEXT[each.start : each.end] == each.original for each in found)


def test_a_number_in_one_place_is_known_in_every_other() -> None:
    subject = replace(statement_subject(), context="phone: 555 0199", response="It is 555 0199, not 555 01990.")

    masked = mask(subject, ALL).subject

    assert (masked.context, masked.response) == ("phone: [phone 1]", "It is [phone 1], not 555 01990.")


def test_a_thousand_numbers_in_a_row_are_all_replaced() -> None:
    subject = replace(statement_subject(), response="+49 30 1234567" * 1_000)

    assert mask(subject, ALL).subject.response == "[phone 1]" * 1_000
