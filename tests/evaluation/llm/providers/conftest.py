"""Each remote provider with its real client library, at a server on this machine."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evaluation.llm.local_server.server import LocalServer
from evaluation.llm.protocol import ChatModel
from evaluation.llm.providers.anthropic_messages import AnthropicMessages
from evaluation.llm.providers.openai_chat import OpenAIChat
from evaluation.llm.providers.openai_responses import OpenAIResponses
from tests.evaluation.llm.builders import judge

Build = Callable[..., ChatModel]
KEY = "key-1234/ab+cdefgh"
PROVIDERS: dict[str, Callable[..., ChatModel]] = {
    "openai_chat": OpenAIChat,
    "openai_responses": OpenAIResponses,
    "anthropic_messages": AnthropicMessages,
}


def _built(name: str, url: str, **parameters: float | int | str) -> ChatModel:
    base = url if name == "anthropic_messages" else f"{url}/v1"
    return PROVIDERS[name](judge(name, base, **parameters), KEY)


@pytest.fixture(params=list(PROVIDERS))
def build(request: pytest.FixtureRequest, server: LocalServer) -> Build:
    return lambda url=server.url, **parameters: _built(request.param, url, **parameters)
