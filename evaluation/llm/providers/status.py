"""Classifies failed HTTP calls of any provider; knows no vendor library."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from evaluation.llm.errors import LLMError

_TOO_LONG = ("context length", "context_length", "context window", "prompt is too long", "too many tokens")
_USED_UP = ("insufficient_quota", "credit balance", "billing")
_SHOWN_CHARACTERS = 300


@dataclass(frozen=True)
class FailedCall:
    """What is known of a failed call; `secret` is blanked wherever the server repeats it."""

    provider: str
    status: int
    message: str
    headers: Mapping[str, str]
    secret: str = ""


def classified(call: FailedCall) -> LLMError:
    """Turn an HTTP status into the error the retry loop understands.

    Parameters
    ----------
    call : FailedCall
        Status, message and headers of the reply.

    Returns
    -------
    LLMError
        To be raised by the provider.

    Notes
    -----
    Retryable are 408, 409, 425, 429 and every 5xx (529 "overloaded" included), but not a 429 that says that the
    account is used up. Retry-After is read in seconds or as a date; a date gone by is 0.
    """
    reason, retryable = _reason(call)
    said = call.message.replace(call.secret, "***") if call.secret else call.message
    sentence = f"{call.provider} answered with status {call.status}: {' '.join(said.split())[:_SHOWN_CHARACTERS]}"
    wait = retry_after(call.headers, datetime.now(UTC)) if retryable else None
    return LLMError(sentence, reason=reason, retryable=retryable, retry_after=wait)


def unreachable(provider: str) -> LLMError:
    """Return the error of a connection that could not be made or broke off."""
    message = f"The connection to {provider} could not be made or broke off: check the address and the network."
    return LLMError(message, reason="server", retryable=True)


def timed_out(provider: str, seconds: float) -> LLMError:
    """Return the error of a call that took too long."""
    message = f"{provider} did not answer within {seconds:g} seconds: raise the judge's timeout or try again."
    return LLMError(message, reason="timeout", retryable=True)


def unreadable(provider: str) -> LLMError:
    """Return the error of a reply with status 200 that does not speak the protocol."""
    message = f"{provider} answered with something that is no reply of its protocol: check the base URL."
    return LLMError(message, reason="server", retryable=True)


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds a server asks to wait, or None where it does not say or nobody can read it."""
    value = headers.get("retry-after", "").strip()
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        return _seconds_until(value, now)
    return seconds if 0 <= seconds < float("inf") else None


def _seconds_until(value: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(value)
    except ValueError:
        return None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - now).total_seconds())


def _reason(call: FailedCall) -> tuple[str, bool]:
    said = call.message.lower()
    if call.status == 429:
        return "rate_limit", not any(word in said for word in _USED_UP)
    if call.status in (401, 402, 403):
        return "auth", False
    if call.status == 413 or (call.status in (400, 422) and any(word in said for word in _TOO_LONG)):
        return "context_length", False
    if call.status == 408:
        return "timeout", True
    if call.status in (409, 425) or call.status >= 500:
        return "server", True
    return "config", False
