"""A key never stands in an error or a reply, whatever the server repeats."""

from __future__ import annotations

import json
import traceback
from urllib.parse import quote

import pytest

from evaluation.llm.errors import LLMError
from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.llm.providers.openai_chat import OpenAIChat
from tests.evaluation.llm.builders import chat_request, judge
from tests.evaluation.llm.providers.conftest import KEY, Build


@pytest.mark.parametrize("said", [KEY, quote(KEY, safe=""), KEY[:12], KEY[-9:], "key-********fgh"])
def test_key_is_blanked_when_the_server_repeats_it(build: Build, server: LocalServer, said: str) -> None:
    server.script(Step(status=401, message=f"Key {said} is unknown.", headers={"x-echo": KEY, "retry-after": KEY}))

    with pytest.raises(LLMError) as caught:
        build().complete(chat_request())

    told = "".join(traceback.format_exception(caught.value)) + repr(vars(caught.value))
    assert not any(piece in told for piece in (KEY, quote(KEY, safe=""), KEY[:8], KEY[-6:], "***fgh"))
    assert "Key ***" in str(caught.value)
    assert caught.value.__cause__ is caught.value.__context__ is None


def test_key_is_blanked_in_a_reply(build: Build, server: LocalServer) -> None:
    server.script(Step(answer={"colour": f"blue, and your key is {KEY}"}))

    reply = build().complete(chat_request())

    assert json.loads(reply.text) == {"colour": "blue, and your key is ***"}
    assert KEY not in repr(reply)


def test_key_that_cannot_be_sent_is_a_matter_for_the_owner(server: LocalServer) -> None:
    for key in ("two\nlines", "ünicode"):
        with pytest.raises(LLMError, match="check the judge's key") as caught:
            OpenAIChat(judge("openai_chat", server.openai_url), key).complete(chat_request())

        assert (caught.value.reason, caught.value.stops_judge) == ("config", True)
        assert key not in "".join(traceback.format_exception(caught.value))
