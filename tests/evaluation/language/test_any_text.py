"""No text, however odd, breaks the readers, and every span is where it says."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from evaluation.language.comparison import Found, compare_quantities, look_up
from evaluation.language.english import is_english
from evaluation.language.guard import Match, guard
from evaluation.language.names import find_names
from evaluation.language.negation import mismatched, read_polarity
from evaluation.language.quantities import find_quantities
from evaluation.language.sentences import split_claims, split_sentences
from evaluation.language.words import content_words, normalise, tokens

WORDS = (
    "no not 5 1.500 kg % € - to and a half million May 2024-03-01 3/4 . I 14:30 pm °C between most IV phase , ½ n't "
    "excluded was Tern at Aprıl İ mıles"
)
PIECES = st.sampled_from([*WORDS.split(), "\n", "9" * 400])
TEXTS = st.text(max_size=80) | st.lists(PIECES, max_size=14).map(" ".join)


@given(TEXTS)
def test_sentences_and_claims_stand_where_they_say(text: str) -> None:
    for sentence in split_sentences(text) + split_claims(text):
        assert text[sentence.start : sentence.end] == sentence.text


@given(TEXTS)
def test_sentences_lose_no_letter(text: str) -> None:
    kept = "".join(sentence.text for sentence in split_sentences(text))

    assert [sign for sign in kept if sign.isalnum()] == [sign for sign in text if sign.isalnum()]


@given(TEXTS)
def test_a_text_carries_its_own_quantities(text: str) -> None:
    found = find_quantities(text)

    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(look_up(quantity, found) is Found.FOUND for quantity in found)


@given(TEXTS, TEXTS)
def test_comparisons_are_symmetric(one: str, other: str) -> None:
    assert compare_quantities(one, other) is compare_quantities(other, one)
    assert guard(one, other) is guard(other, one)


@given(TEXTS)
def test_a_text_matches_itself(text: str) -> None:
    assert mismatched(text, text) == ()
    assert guard(text, text) is Match.SAME


@given(TEXTS)
def test_readers_take_any_text(text: str) -> None:
    flat = normalise(text)

    assert all(flat[token.start : token.end] == token.text for token in tokens(text))
    assert set(content_words(text)) <= read_polarity(text).all
    assert isinstance(is_english(text), bool)
    assert all(name in flat for name in find_names(text))
