"""The parameters of a judge that steer this layer, apart from those that are sent to the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.errors import InvalidInputError
from evaluation.llm.limits import LimitSettings
from evaluation.schemas import JudgeSettings

DEFAULT_MAX_TOKENS = 8192
DEFAULT_TIMEOUT = 120.0
DEFAULT_CONNECT_TIMEOUT = 10.0
DEFAULT_CONCURRENCY = 8
MOST_CONCURRENCY = 256  # each call out is a thread
_OWN = frozenset(
    {
        *("max_tokens", "structured", "timeout", "connect_timeout", "read_timeout"),
        *("max_concurrency", "requests_per_minute", "tokens_per_minute"),
    }
)
_RESERVED = frozenset(
    {
        *("model", "messages", "system", "input", "instructions", "stream", "n", "max_completion_tokens"),
        *("max_output_tokens", "tools", "tool_choice", "response_format", "output_config", "text"),
    }
)


@dataclass(frozen=True)
class OwnParameters:
    """What a judge's parameters say to this layer.

    `max_tokens` is the longest reply. Times are in seconds: `timeout` for a whole call, `connect_timeout` until the
    server takes the connection, `read_timeout` between two pieces of a reply. `structured` is the way a provider asks
    for a schema. None of a rate means that only the server limits it.
    """

    max_tokens: int = DEFAULT_MAX_TOKENS
    timeout: float = DEFAULT_TIMEOUT
    structured: str = ""
    connect_timeout: float = DEFAULT_CONNECT_TIMEOUT
    read_timeout: float = DEFAULT_TIMEOUT
    max_concurrency: int = DEFAULT_CONCURRENCY
    requests_per_minute: int | None = None
    tokens_per_minute: int | None = None

    @classmethod
    def of(cls, settings: JudgeSettings, *, structured: tuple[str, ...] | None = None) -> OwnParameters:
        """Read and check a judge's own parameters.

        Parameters
        ----------
        settings : JudgeSettings
            The judge.
        structured : tuple of str or None
            The ways its provider knows, the default first; None where nobody asks for a schema here.

        Returns
        -------
        OwnParameters
            Defaults where the judge says nothing; neither part of a call may take longer than the whole.

        Raises
        ------
        InvalidInputError
            For a value out of range and for a parameter that only this layer may set (`messages`, `tools`, ...).
        """
        if taken := sorted(_RESERVED & set(settings.parameters)):
            raise InvalidInputError(f"Judge {settings.name} sets {', '.join(taken)}, which JuryFlow sets itself.")
        timeout = _number(settings, "timeout", DEFAULT_TIMEOUT, at_least=0.1)
        return cls(
            max_tokens=cls.max_tokens_of(settings),
            timeout=timeout,
            structured=_way(settings, structured),
            connect_timeout=min(_number(settings, "connect_timeout", DEFAULT_CONNECT_TIMEOUT, at_least=0.1), timeout),
            read_timeout=min(_number(settings, "read_timeout", timeout, at_least=0.1), timeout),
            max_concurrency=_concurrency(settings),
            requests_per_minute=_rate(settings, "requests_per_minute"),
            tokens_per_minute=_rate(settings, "tokens_per_minute"),
        )

    @staticmethod
    def max_tokens_of(settings: JudgeSettings) -> int:
        """Return the longest reply a judge may give, in tokens; raises InvalidInputError for less than 1."""
        return int(_number(settings, "max_tokens", DEFAULT_MAX_TOKENS, at_least=1))

    @property
    def limits(self) -> LimitSettings:
        """What its owner allows the judge's endpoint."""
        return LimitSettings(self.max_concurrency, self.requests_per_minute, self.tokens_per_minute)


def forwarded(parameters: Mapping[str, float | int | str]) -> dict[str, float | int | str]:
    """Return the parameters that are meant for the server, such as temperature, in order of their names."""
    return {name: parameters[name] for name in sorted(parameters) if name not in _OWN}


def _way(settings: JudgeSettings, ways: tuple[str, ...] | None) -> str:
    if ways is None:
        return str(settings.parameters.get("structured", ""))
    way = str(settings.parameters.get("structured", ways[0]))
    if way not in ways:
        known = ", ".join(ways)
        raise InvalidInputError(f"Judge {settings.name}: structured is '{way}', but must be one of {known}.")
    return way


def _concurrency(settings: JudgeSettings) -> int:
    given = int(_number(settings, "max_concurrency", DEFAULT_CONCURRENCY, at_least=1))
    if given > MOST_CONCURRENCY:
        raise InvalidInputError(
            f"Judge {settings.name}: max_concurrency is {given}, but must be at most {MOST_CONCURRENCY}."
        )
    return given


def _rate(settings: JudgeSettings, name: str) -> int | None:
    return int(_number(settings, name, 1, at_least=1)) if name in settings.parameters else None


def _number(settings: JudgeSettings, name: str, default: float, *, at_least: float) -> float:
    value = settings.parameters.get(name, default)
    if isinstance(value, str) or not at_least <= value < float("inf"):
        raise InvalidInputError(f"Judge {settings.name}: {name} is '{value}', but must be at least {at_least:g}.")
    return float(value)
