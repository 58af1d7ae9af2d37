"""What servers say of their limits in headers and error texts: what is left, and how long to wait."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from evaluation.schemas import RateHint

_LONGEST = 8 * 86_400.0  # more is a moment in time, not a wait
_UNIT_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3_600.0, "d": 86_400.0}
_PIECE = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_DURATION = re.compile(rf"(?:{_PIECE.pattern})+")
_WAIT_IN_TEXT = re.compile(
    r"(?:try again|retry) (?:in|after) (?P<wait>[\d.]+(?:ms|s|m|h|d)?(?:[\d.]+(?:ms|s|m))*)", re.I
)
_LEFT = {
    "requests": ("x-ratelimit-remaining-requests", "anthropic-ratelimit-requests-remaining"),
    "tokens": (
        "x-ratelimit-remaining-tokens",
        "anthropic-ratelimit-tokens-remaining",
        "anthropic-ratelimit-input-tokens-remaining",
    ),
}
_RESET = {
    "requests": ("x-ratelimit-reset-requests", "anthropic-ratelimit-requests-reset"),
    "tokens": (
        "x-ratelimit-reset-tokens",
        "anthropic-ratelimit-tokens-reset",
        "anthropic-ratelimit-input-tokens-reset",
    ),
}


def rate_hint(headers: Mapping[str, str], now: datetime) -> RateHint | None:
    """Read what a server says of its limits.

    Parameters
    ----------
    headers : mapping of str to str
        The headers of a reply or an error; names are looked up in lower case.
    now : datetime
        The present, aware of its zone.

    Returns
    -------
    RateHint or None
        None where no header says anything.

    Notes
    -----
    Known are the headers of OpenAI, which many servers copy (a reset is a wait: ``20ms``, ``1s``, ``6m0s``, or plain
    seconds), and of Anthropic (a reset is a moment in RFC 3339). A moment gone by is a wait of 0.
    """
    hint = RateHint(
        requests_left=_count(_first(headers, _LEFT["requests"])),
        tokens_left=_count(_first(headers, _LEFT["tokens"])),
        requests_reset=wait(_first(headers, _RESET["requests"]), now),
        tokens_reset=wait(_first(headers, _RESET["tokens"]), now),
    )
    return None if hint == RateHint() else hint


def retry_after(headers: Mapping[str, str], now: datetime, said: str = "") -> float | None:
    """Return the seconds a server asks to wait.

    Parameters
    ----------
    headers : mapping of str to str
        The headers of an error; `retry-after-ms` goes before `retry-after` in seconds or as a date.
    now : datetime
        The present, aware of its zone.
    said : str, optional
        The text of the error, read where no header says anything: "Please try again in 6m0s".

    Returns
    -------
    float or None
        None where the server does not say or nobody can read it; 0 for a date gone by.
    """
    milliseconds = wait(headers.get("retry-after-ms", ""), now)
    if milliseconds is not None:
        return milliseconds / 1_000
    if value := headers.get("retry-after", "").strip():
        return wait(value, now)
    found = _WAIT_IN_TEXT.search(said)
    return wait(found["wait"], now) if found else None


def wait(value: str, now: datetime) -> float | None:
    """Read a number of seconds, a duration such as ``1m30.5s``, or a moment in RFC 3339 or RFC 9110, as seconds."""
    value = value.strip()
    if not value:
        return None
    if _DURATION.fullmatch(value):
        return sum(float(number) * _UNIT_SECONDS[unit] for number, unit in _PIECE.findall(value))
    try:
        seconds = float(value)
    except ValueError:
        return _seconds_until(value, now)
    return seconds if 0 <= seconds <= _LONGEST else None


def _seconds_until(value: str, now: datetime) -> float | None:
    try:
        moment = datetime.fromisoformat(value) if value[:4].isdigit() else parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def _first(headers: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next((headers[name] for name in names if name in headers), "")


def _count(value: str) -> int | None:
    value = value.strip()
    return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else None
