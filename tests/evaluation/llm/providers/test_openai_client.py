"""What the providers of OpenAI's protocols share."""

from __future__ import annotations

import pytest

from evaluation.llm.protocol import Message, TextPart
from evaluation.llm.providers.openai_client import cache_hint, is_openai
from evaluation.schemas import JudgeSettings
from tests.evaluation.llm.builders import chat_request


@pytest.mark.parametrize(
    ("url", "is_own"),
    [("", True), ("https://api.openai.com/v1/", True), ("https://api.openai.com.evil.test/v1", False)],
)
def test_it_knows_openai_itself(url: str, is_own: bool) -> None:
    assert is_openai(JudgeSettings("A", "openai_chat", "m", base_url=url)) is is_own


def test_requests_with_the_same_beginning_share_a_hint() -> None:
    def asked(question: str) -> str:
        texts = (Message("system", (TextPart("Judge."),)), Message("user", (TextPart(question),)))
        return cache_hint(chat_request(messages=texts))

    source = "The offer says: " + "words " * 300

    assert asked(source + "claim 1") == asked(source + "claim 2")
    assert asked("Another offer. " + source) != asked(source)
    assert cache_hint(chat_request(model="a")) != cache_hint(chat_request(model="b"))
