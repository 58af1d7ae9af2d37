"""Words for labels."""

from __future__ import annotations

import pytest

from evaluation.exchange.labels import VoteWord, kind_of, parse_label, parse_vote
from evaluation.schemas import LABELS, ClaimKind, Label, VerdictState


@pytest.mark.parametrize(
    ("word", "label"),
    [
        ("accept", Label.ACCEPT),
        (" Not  Supported ", Label.REJECT),
        ("SOURCES DO NOT SETTLE IT", Label.UNCERTAIN),
        ("Left", Label.FIRST),
        ("right", Label.SECOND),
        ("Equally good", Label.TIE),
        ("yes", None),
        ("", None),
        ("failed", None),
    ],
)
def test_a_word_of_the_scheme_or_the_screen_is_its_label(word, label):
    assert parse_label(word) is label


@pytest.mark.parametrize("kind", list(ClaimKind))
def test_every_label_belongs_to_one_kind(kind):
    assert {kind_of(label) for label in LABELS[kind]} == {kind}


@pytest.mark.parametrize(
    ("word", "vote"),
    [
        ("tie", VoteWord(VerdictState.CAST, Label.TIE)),
        ("Abstained", VoteWord(VerdictState.ABSTAINED)),
        (" failed ", VoteWord(VerdictState.FAILED)),
        ("cast", None),
        ("", None),
    ],
)
def test_the_word_of_a_vote_is_a_label_or_a_state(word, vote):
    assert parse_vote(word) == vote
