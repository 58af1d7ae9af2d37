"""The providers a judge can have, and how one is built; vendor libraries are loaded only when one is built."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib import import_module
from typing import Any, cast

from evaluation.errors import InvalidInputError, MissingPieceError
from evaluation.llm.protocol import BatchModel, ChatModel, Embedder
from evaluation.llm.providers.replay import RecordedKey, RecordedVerdict
from evaluation.schemas import JudgeSettings


@dataclass(frozen=True)
class Provider:
    """A provider as pages list it, and the place of its class, as module and name.

    `takes` names what its class is built from; `key_variable` is the environment variable of its key, empty where it
    needs none; with a `base_url` of one's own the key is optional. `is_remote` says whether text leaves the machine,
    `host` where it goes without such a `base_url`. `structured` are the ways in which it can ask for a schema, the
    default first. `batches` is the place of what makes its batch client, empty where it has no batch API.
    """

    name: str
    title: str
    place: str
    takes: tuple[str, ...]
    key_variable: str = ""
    is_remote: bool = False
    host: str = ""
    default_models: tuple[str, ...] = ()
    structured: tuple[str, ...] = ("",)
    batches: str = ""

    @property
    def has_batches(self) -> bool:
        """Whether many requests can be handed over together, for later and for less."""
        return bool(self.batches)


_OPENAI_CHAT = Provider(
    name="openai_chat",
    title="OpenAI, or any server that speaks its chat protocol (Gemini, vLLM, Ollama, Together, ...)",
    place="evaluation.llm.providers.openai_chat:OpenAIChat",
    takes=("settings", "api_key"),
    key_variable="OPENAI_API_KEY",
    is_remote=True,
    host="api.openai.com",
    default_models=("gpt-5.4-mini", "gpt-5.4", "gpt-4.1-mini"),
    structured=("json_schema", "json_object", "off"),
    batches="evaluation.llm.providers.openai_batches:of_chat",
)
_LISTED = (
    _OPENAI_CHAT,
    replace(
        _OPENAI_CHAT,
        name="openai_responses",
        title="OpenAI, through its responses protocol",
        place="evaluation.llm.providers.openai_responses:OpenAIResponses",
        batches="evaluation.llm.providers.openai_batches:of_responses",
    ),
    Provider(
        name="anthropic_messages",
        title="Anthropic",
        place="evaluation.llm.providers.anthropic_messages:AnthropicMessages",
        takes=("settings", "api_key"),
        key_variable="ANTHROPIC_API_KEY",
        is_remote=True,
        host="api.anthropic.com",
        default_models=("claude-haiku-4-5", "claude-sonnet-4-6", "claude-opus-4-6"),
        structured=("tool", "json_schema", "off"),
        batches="evaluation.llm.providers.anthropic_batches:AnthropicBatches",
    ),
    Provider(
        name="replay",
        title="Recorded votes",
        place="evaluation.llm.providers.replay:ReplayModel",
        takes=("recorded",),
        default_models=("recorded",),
    ),
    Provider(
        name="offline",
        title="Offline word-matching rules, no AI",
        place="evaluation.llm.providers.offline.model:OfflineModel",
        takes=("embedder", "aligner"),
        default_models=("words", "meaning", "numbers", "negation", "names"),
    ),
)
_OPTIONAL = frozenset({"api_key", "embedder"})
PROVIDERS: Mapping[str, Provider] = {each.name: each for each in _LISTED}


def provider(name: str) -> Provider:
    """Return a provider by name.

    Raises
    ------
    InvalidInputError
        If there is none of that name; the message lists those there are.
    """
    if name not in PROVIDERS:
        raise InvalidInputError(f"There is no provider '{name}'. Choose one of {', '.join(PROVIDERS)}.")
    return PROVIDERS[name]


def build(
    settings: JudgeSettings,
    *,
    api_key: str | None,
    embedder: Embedder | None = None,
    aligner: object | None = None,
    recorded: Mapping[RecordedKey, RecordedVerdict] | None = None,
) -> ChatModel:
    """Build the model that answers for a judge.

    Parameters
    ----------
    settings : JudgeSettings
        The judge.
    api_key : str or None
        Its key, looked up by the caller.
    embedder, aligner : optional
        What offline judges compare texts with; without an embedder "meaning" abstains.
    recorded : mapping, optional
        The verdicts of this judge for `replay`.

    Returns
    -------
    ChatModel
        Safe to be used by several threads at once.

    Raises
    ------
    InvalidInputError
        If the provider does not exist or a parameter is out of range.
    MissingPieceError
        If a key or another part is missing.
    """
    chosen = _with_key(settings, api_key)
    parts = {
        "settings": settings,
        "api_key": api_key,
        "embedder": embedder,
        "aligner": aligner,
        "recorded": recorded,
    }
    for name in chosen.takes:
        if parts[name] is None and name not in _OPTIONAL:
            raise MissingPieceError(f"Judge {settings.name} of provider {chosen.name} was built without its {name}.")
    factory = _loaded(chosen.place)
    return cast(ChatModel, factory(**{name: parts[name] for name in chosen.takes}))


def build_batches(settings: JudgeSettings, *, api_key: str | None) -> BatchModel | None:
    """Build what hands requests to the batch API of a judge's provider.

    Parameters
    ----------
    settings : JudgeSettings
        The judge.
    api_key : str or None
        Its key, looked up by the caller.

    Returns
    -------
    BatchModel or None
        None where the provider has no batch API. A server at a base URL of one's own may have none either: it says so
        when something is submitted.

    Raises
    ------
    InvalidInputError
        If the provider does not exist or a parameter is out of range.
    MissingPieceError
        If a key is missing.
    """
    chosen = _with_key(settings, api_key)
    return cast(BatchModel, _loaded(chosen.batches)(settings, api_key)) if chosen.has_batches else None


def _with_key(settings: JudgeSettings, api_key: str | None) -> Provider:
    chosen = provider(settings.provider)
    if chosen.key_variable and not api_key and not settings.base_url:
        message = f"Judge {settings.name} needs a key: set {chosen.key_variable} in the environment and start again."
        raise MissingPieceError(message)
    return chosen


def _loaded(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)
