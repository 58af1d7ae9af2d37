"""What the providers of OpenAI's protocols share: the client, the address, and a key for its prompt cache."""

from __future__ import annotations

import hashlib

import openai

from evaluation.llm.own_parameters import OwnParameters
from evaluation.llm.protocol import ChatRequest, TextPart
from evaluation.llm.providers import timed_http
from evaluation.llm.providers.sender import Sender, Vendor
from evaluation.schemas import JudgeSettings

OPENAI_URL = "https://api.openai.com/v1"
STRUCTURED = ("json_schema", "json_object", "off")
_VENDOR = Vendor(timeout=openai.APITimeoutError, status=openai.APIStatusError, any=openai.OpenAIError)
_PREFIX = 1_000


def url_of(settings: JudgeSettings) -> str:
    """Return where a judge's server is, OpenAI's own place unless it says otherwise."""
    return settings.base_url or OPENAI_URL


def is_openai(settings: JudgeSettings) -> bool:
    """Whether a judge is asked at OpenAI itself; others may not know its newer parameters."""
    return url_of(settings).rstrip("/") == OPENAI_URL


def sender(settings: JudgeSettings, api_key: str | None, own: OwnParameters) -> Sender:
    """Return what sends for a judge."""
    url = url_of(settings)
    http = timed_http.client(url, own)
    client = openai.OpenAI(api_key=api_key or "none", base_url=url, max_retries=0, http_client=http)
    return Sender(client, _VENDOR, settings, own, api_key or "")


def cache_hint(request: ChatRequest) -> str:
    """Return a word that requests with the same beginning share, so that OpenAI sends them where it is cached."""
    texts = [part.text for message in request.messages for part in message.parts if isinstance(part, TextPart)]
    beginning = "\n".join([request.model, texts[0] if texts else "", texts[1][:_PREFIX] if len(texts) > 1 else ""])
    return hashlib.sha256(beginning.encode("utf-8", "surrogatepass")).hexdigest()[:32]
