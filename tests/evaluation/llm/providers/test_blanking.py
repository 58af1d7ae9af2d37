"""No trace of a key is left in what a server said."""

from __future__ import annotations

import base64
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.llm.providers.blanking import as_written, blanked

KEY = "sk-proj-A1b2/C3+d4E5f6=G7h8"


@pytest.mark.parametrize(
    "said",
    [
        f"Key {KEY} is unknown.",
        f"Key {KEY.upper()} is unknown.",
        f"Key {quote(KEY, safe='')} is unknown.",
        f"Key {quote(quote(KEY, safe=''), safe='')} is unknown.",
        "".join(f"%{ord(letter):02x}" for letter in KEY),
        f"Key …{KEY[-8:]} is unknown.",
        f"Key {KEY[:9]} is unknown.",
        "Incorrect key: sk-pr*****h8.",
        "Incorrect key: sk-pr...G7h8.",
        "Incorrect key: sk-pr…G7h8.",
        f"headers: {{'authorization': 'Bearer {KEY}'}}",
        base64.b64encode(f"user:{KEY}".encode()).decode(),
        "The key is sk-ant-another_one_of_the_owner",
    ],
)
def test_it_blanks_the_key_whole_in_part_masked_and_encoded(said: str) -> None:
    shown = blanked(said, KEY).lower()

    assert "***" in shown
    assert not any(KEY.lower()[start : start + 6] in shown for start in range(len(KEY) - 5))
    assert "g7h8" not in shown
    assert "another_one" not in shown


@given(
    key=st.text("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_/+=", min_size=8, max_size=60),
    before=st.text(max_size=20),
    after=st.text(max_size=20),
    data=st.data(),
)
def test_no_piece_of_six_characters_is_left_of_any_key(key: str, before: str, after: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(key) - 6))
    piece = key[start : data.draw(st.integers(start + 6, len(key)))]

    shown = blanked(f"{before}{piece}{after}", key).lower()

    assert not any(piece.lower()[at : at + 6] in shown for at in range(len(piece) - 5))


def test_words_that_only_resemble_are_left_alone() -> None:
    said = "The model gpt-5 does not know temperature; 50% of calls pass ..."

    assert blanked(said, KEY) == said


def test_word_that_a_plain_server_takes_for_a_key_is_no_secret() -> None:
    assert blanked("I know no xyz.", "xyz") == "I know no xyz."
    assert as_written("xyz") == ()


def test_reply_is_searched_for_the_key_as_url_and_as_json_write_it() -> None:
    assert as_written("aaaa/bbbb") == ("aaaa/bbbb", "aaaa%2Fbbbb", "aaaa\\/bbbb")
