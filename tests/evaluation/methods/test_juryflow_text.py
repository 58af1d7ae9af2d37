"""How the matter of a request is written out for a judge."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evaluation.llm.fence import read_fenced
from evaluation.methods.juryflow_text import Writer
from evaluation.schemas import (
    Label,
    PanelVote,
    PresentationOrder,
    RubricExample,
    RubricText,
    SourceText,
    Subject,
)
from tests.evaluation.llm.builders import SECRET, pair_subject, statement_subject

EMPTY = replace(statement_subject(), sources=(), claims=(), tag_vocabulary=())
SWAPPED = pair_subject(PresentationOrder.SWAPPED)
POEM = RubricExample("A short poem.", Label.FIRST, "ruled by Ana")


def writer(subject: Subject) -> Writer:
    return Writer(subject, SECRET)


def blocks(text: str) -> dict[str, str]:
    return {block.name: block.content for block in read_fenced(text)}


def test_labels_are_listed_in_display_order_with_the_way_out_last() -> None:
    lines = writer(statement_subject()).labels().splitlines()

    assert [line.split(":")[0] for line in lines] == ["- accept", "- reject", "- uncertain", "- cannot_assess"]
    assert lines[1] == "- reject: Not supported"


def test_what_is_absent_is_said_and_never_left_blank() -> None:
    said = writer(EMPTY)

    assert said.sources() == "(none given)"
    assert said.rubric() == "(none yet)"
    assert said.left_out() == "(none)"
    assert said.votes() == "(no votes)"
    assert said.guidelines() == said.tags() == said.ruling() == said.precedent(()) == "(none)"
    assert said.fenced("context", " \n") == "(none)"


def test_titles_of_sources_stand_inside_the_fence() -> None:
    sources = (SourceText("Offer <<<", "Prices hold."), SourceText("", "Weight 61 kg."))

    written = writer(replace(EMPTY, sources=sources)).sources()

    assert blocks(written) == {"source 1": "Offer <<<\n\nPrices hold.", "source 2": "Weight 61 kg."}


def test_a_rule_is_written_with_its_limit_and_its_examples_under_their_labels() -> None:
    rule = RubricText(
        7,
        2,
        "Check the negation.",
        boundary="The text quotes.",
        tags=("negation",),
        positive=RubricExample("It is not included.", Label.ACCEPT),
        negative=RubricExample("It is included.", Label.REJECT, "ruled by Ana"),
    )

    written = writer(replace(EMPTY, rubric=(rule,))).rubric()

    assert written.startswith("What a block named “rule” says about claims holds here;")
    assert blocks(written)["rule 7"] == "Check the negation.\nHolds not when: The text quotes."
    assert "Example, accept (Supported):" in written
    assert "Example, reject (Not supported):" in written
    assert blocks(written)["example"] == "It is included.\n(ruled by Ana)"


def test_a_rule_of_several_lines_cannot_pass_for_a_limit() -> None:
    rule = RubricText(7, 1, "Check the names.\nHolds not when: ever.", boundary=" ")

    written = writer(replace(EMPTY, rubric=(rule,))).rubric()

    assert blocks(written) == {"rule 7": "Check the names. Holds not when: ever."}


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("rule 4 (Check names.)",), "1 further rule did not fit:"),
        (("rule 4", "rule 9"), "2 further rules did not fit:"),
    ],
)
def test_rules_that_did_not_fit_are_counted_and_named_in_a_fence(names: tuple[str, ...], said: str) -> None:
    written = writer(replace(EMPTY, rubric_left_out=names)).left_out()

    assert written.startswith(f"{said}\n<<<")
    assert blocks(written) == {"rules left out": "; ".join(names)}


@pytest.mark.parametrize("order", list(PresentationOrder))
def test_an_example_of_a_pair_says_what_was_favoured_and_not_where_it_stood(order: PresentationOrder) -> None:
    rule = RubricText(7, 1, "Prefer brevity.", positive=POEM)

    written = writer(replace(pair_subject(order), rubric=(rule,))).rubric()

    assert "Example, favoured:" in written
    assert not {"first", "second", "Left", "Right"} & set(written.split())


def test_a_swapped_pair_is_shown_and_told_in_the_order_of_the_page() -> None:
    votes = (PanelVote("A", Label.FIRST, "It rhymes."), PanelVote("B", Label.TIE, "Both do."))
    subject = replace(SWAPPED, votes=votes, ruling=Label.SECOND, ruling_reason="Longer.")

    shown = blocks(writer(subject).claims(subject.claims))

    assert (shown["first answer"], shown["second answer"]) == ("A long essay.", "A short poem.")
    assert "For second (Right): 1" in writer(subject).votes()
    assert "For tie (Equally good): 1" in writer(subject).votes()
    assert writer(subject).ruling().startswith("Ruling: first (Left)")


def test_votes_stand_label_by_label_in_display_order_without_names() -> None:
    votes = (
        PanelVote("Judge Z", Label.REJECT, "The offer says not."),
        PanelVote("Judge Y", Label.ACCEPT, "It is common."),
        PanelVote("Judge X", Label.REJECT, "Not in the price."),
    )

    written = writer(replace(EMPTY, votes=votes)).votes()

    heads = [line for line in written.splitlines() if line.startswith("For ")]
    assert heads == ["For accept (Supported): 1", "For reject (Not supported): 2"]
    assert "Judge" not in written
    assert [block.content for block in read_fenced(written)] == [
        "It is common.",
        "The offer says not.",
        "Not in the price.",
    ]


def test_a_label_that_was_taken_off_the_scheme_is_still_named() -> None:
    subject = replace(EMPTY, labels={Label.ACCEPT: "Yes"}, ruling=Label.REJECT)

    assert writer(subject).ruling() == "Ruling: reject (reject)\nReason: (none)"


def test_a_precedent_shows_the_claim_before_its_ruling() -> None:
    subject = replace(statement_subject("review"), ruling=Label.REJECT, ruling_reason="The offer says not.")

    written = writer(subject).precedent(subject.claims[1:])

    assert written.index("Installation is included.") < written.index("Ruling: reject (Not supported)")
