"""Vote patterns and splits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.algorithms.patterns import pattern_of
from evaluation.schemas import Vote

NAMES = st.text(alphabet="ab|:,%", min_size=1, max_size=3)
VOTES = st.dictionaries(NAMES, NAMES, max_size=4)


def test_it_puts_votes_in_order() -> None:
    pattern = pattern_of("statement", 3, [Vote("b", "reject"), Vote("a", "accept")])

    assert pattern.key == "statement|3|a:accept|b:reject"
    assert pattern.counts() == {"accept": 1, "reject": 1}
    assert pattern.n_cast == 2


def test_a_mirror_is_the_same_split_but_another_pattern() -> None:
    pattern = pattern_of("preference", 1, [Vote("a", "first"), Vote("b", "second"), Vote("c", "first")])
    mirror = pattern_of("preference", 1, [Vote("a", "second"), Vote("b", "first"), Vote("c", "second")])
    other = pattern_of("preference", 1, [Vote("a", "first"), Vote("b", "first"), Vote("c", "second")])

    assert pattern.key != mirror.key
    assert pattern.split == mirror.split != other.split


def test_samples_of_one_voter_count_their_share_when_they_differ() -> None:
    votes = [Vote("a", "accept", 1 / 3), Vote("a", "reject", 1 / 3), Vote("a", "accept", 1 / 3), Vote("b", "reject")]

    pattern = pattern_of("statement", 1, votes)

    assert pattern.key == "statement|1|a:accept:0.666667|a:reject:0.333333|b:reject"
    assert pattern.counts() == pytest.approx({"accept": 2 / 3, "reject": 4 / 3})
    assert pattern.n_cast == 2


def test_samples_of_one_voter_are_one_vote_when_they_agree() -> None:
    split_up = pattern_of("statement", 1, [Vote("a", "accept", 0.5), Vote("a", "accept", 0.5)])

    assert split_up == pattern_of("statement", 1, [Vote("a", "accept")])


def test_the_pattern_is_empty_when_nobody_voted() -> None:
    pattern = pattern_of("statement", 1, [])

    assert (pattern.key, pattern.n_cast, pattern.counts()) == ("statement|1", 0, {})


def test_a_share_of_zero_is_refused() -> None:
    with pytest.raises(ValueError, match="voter 'a'"):
        pattern_of("statement", 1, [Vote("a", "accept", 0.0)])


@given(first=VOTES, second=VOTES)
def test_keys_are_equal_only_when_votes_are(first: dict[str, str], second: dict[str, str]) -> None:
    keys = [pattern_of("k", 1, [Vote(*pair) for pair in votes.items()]).key for votes in (first, second)]

    assert (keys[0] == keys[1]) == (first == second)


def test_keys_differ_when_a_name_looks_like_an_escaped_one() -> None:
    assert pattern_of("k", 1, [Vote("a|b", "x")]).key != pattern_of("k", 1, [Vote("a%7Cb", "x")]).key
