"""The parameters of a judge that steer this layer, apart from those that are sent to the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evaluation.errors import InvalidInputError
from evaluation.schemas import JudgeSettings

DEFAULT_MAX_TOKENS = 8192
DEFAULT_TIMEOUT = 120.0
_OWN = frozenset({"max_tokens", "timeout", "structured"})
_RESERVED = frozenset(
    {"model", "messages", "system", "stream", "n", "tools", "tool_choice", "response_format", "max_completion_tokens"}
)


@dataclass(frozen=True)
class OwnParameters:
    """`max_tokens` of a reply, `timeout` in seconds, and `structured`, the way a provider asks for a schema."""

    max_tokens: int = DEFAULT_MAX_TOKENS
    timeout: float = DEFAULT_TIMEOUT
    structured: str = ""

    @classmethod
    def of(cls, settings: JudgeSettings, *, structured: tuple[str, ...] = ("",)) -> OwnParameters:
        """Read and check a judge's own parameters.

        Parameters
        ----------
        settings : JudgeSettings
            The judge.
        structured : tuple of str
            The ways its provider knows, the default first.

        Returns
        -------
        OwnParameters
            Defaults where the judge says nothing.

        Raises
        ------
        InvalidInputError
            For a value out of range and for a parameter that only this layer may set (`messages`, `tools`, ...).
        """
        given = settings.parameters
        if taken := sorted(_RESERVED & set(given)):
            raise InvalidInputError(f"Judge {settings.name} sets {', '.join(taken)}, which JuryFlow sets itself.")
        way = str(given.get("structured", structured[0]))
        if way not in structured:
            known = ", ".join(structured)
            raise InvalidInputError(f"Judge {settings.name}: structured is '{way}', but must be one of {known}.")
        return cls(cls.max_tokens_of(settings), _number(settings, "timeout", DEFAULT_TIMEOUT, at_least=0.1), way)

    @staticmethod
    def max_tokens_of(settings: JudgeSettings) -> int:
        """Return the longest reply a judge may give, in tokens; raises InvalidInputError for less than 1."""
        return int(_number(settings, "max_tokens", DEFAULT_MAX_TOKENS, at_least=1))


def forwarded(parameters: Mapping[str, float | int | str]) -> dict[str, float | int | str]:
    """Return the parameters that are meant for the server, such as temperature, in order of their names."""
    return {name: parameters[name] for name in sorted(parameters) if name not in _OWN}


def _number(settings: JudgeSettings, name: str, default: float, *, at_least: float) -> float:
    value = settings.parameters.get(name, default)
    if isinstance(value, str) or not at_least <= value < float("inf"):
        raise InvalidInputError(f"Judge {settings.name}: {name} is '{value}', but must be at least {at_least:g}.")
    return float(value)
