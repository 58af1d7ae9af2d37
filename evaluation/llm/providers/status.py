"""Classifies failed HTTP calls of any provider; knows no vendor library."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from evaluation.llm.errors import LLMError
from evaluation.llm.providers.blanking import blanked
from evaluation.llm.providers.rate_hints import rate_hint, retry_after

_READ_CHARACTERS = 4_000
_SHOWN_CHARACTERS = 300


@dataclass(frozen=True)
class FailedCall:
    """What is known of a failed call; `secret` is blanked wherever the server repeats it.

    `parameters` are those that the judge's owner set, so that an error that names one says which to mend.
    """

    provider: str
    status: int
    message: str
    headers: Mapping[str, str]
    secret: str = ""
    parameters: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Case:
    """What an error means: `fix` tells a person what to do, and `stops` that no other call can do better."""

    reason: str
    fix: str = ""
    retryable: bool = False
    stops: bool = False
    billed: bool = False


@dataclass(frozen=True)
class _Said:
    """A case known by the words of the error, under some statuses."""

    statuses: tuple[int, ...]
    words: tuple[str, ...]
    case: _Case


_CREDIT = "Add credit to the account or raise its limit at the provider, then run again."
_USED_UP = _Case("auth", _CREDIT, stops=True)
_TOO_LONG = _Case(
    "context_length", "Give this judge a model that reads longer texts, or lower its longest reply (max_tokens)."
)
_REFUSED = _Case("refused")
_NO_MODEL = _Case("config", "Correct the judge's model or its address (base URL).", stops=True)
_SCHEMA = _Case(
    "config",
    "Set the judge's parameter structured to another way, or to off where the server knows no schemas.",
    stops=True,
)
_QUOTA = "exceeded your current quota"
_BY_WORDS = (
    _Said(
        (400, 402, 403, 429),
        (
            *("insufficient_quota", "credit balance", "insufficient balance", "insufficient credit", "billing_error"),
            *(
                "billing_hard_limit",
                "billing_not_active",
                "specified api usage limits",
                "spend limit",
                "spending limit",
            ),
        ),
        _USED_UP,
    ),
    _Said(
        (400, 413, 422),
        (
            *("context length", "context_length", "context window", "context limit", "maximum context"),
            *("prompt is too long", "input is too long", "too many tokens", "maximum number of tokens"),
        ),
        _TOO_LONG,
    ),
    _Said((400, 403), ("content_filter", "content management policy", "moderation", "was flagged"), _REFUSED),
    _Said(
        (400, 422),
        ("model_not_found", "does not exist", "unknown model", "invalid model", "not a valid model", "no such model"),
        _NO_MODEL,
    ),
    _Said(
        (400, 422, 501),
        (
            *("response_format", "json_schema", "json_object", "tool_choice", "tools", "output_config", "text.format"),
            *("structured output", "input_schema"),
        ),
        _SCHEMA,
    ),
)
_BY_STATUS = {
    401: _Case("auth", "Give this judge a valid key.", stops=True),
    402: _USED_UP,
    403: _Case("auth", "Let this key use the model, or give the judge another key or model.", stops=True),
    404: _NO_MODEL,
    405: _NO_MODEL,
    408: _Case("timeout", retryable=True),
    409: _Case("server", retryable=True),
    413: _TOO_LONG,
    425: _Case("server", retryable=True),
    429: _Case("rate_limit", retryable=True),
    504: _Case("server", retryable=True, billed=True),
    524: _Case("server", retryable=True, billed=True),
}


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
    account is used up. "You exceeded your current quota" alone means that only where no wait is named: some servers
    use the words for a minute's limit. A gateway that waited in vain (504, 524) may be billed.
    """
    now = datetime.now(UTC)
    message = " ".join(call.message.split())
    if len(message) > _READ_CHARACTERS:
        message = message[:_READ_CHARACTERS].rpartition(" ")[0]  # never half a word: it may be half a key
    said = blanked(message, call.secret)[:_SHOWN_CHARACTERS]
    wait = retry_after(call.headers, now, message)
    case = _case(call, message.lower(), wait)
    end = "" if not case.fix else f" {case.fix}" if said.endswith((".", "!", "?")) else f". {case.fix}"
    error = LLMError(
        f"{call.provider} answered with status {call.status}: {said or 'nothing'}{end}",
        reason=case.reason,
        retryable=case.retryable,
        retry_after=wait if case.retryable else None,
        stops_judge=case.stops,
        may_be_billed=case.billed,
    )
    error.hint = rate_hint(call.headers, now)
    return error


def _case(call: FailedCall, said: str, wait: float | None) -> _Case:
    for known in _BY_WORDS:
        if call.status in known.statuses and any(word in said for word in known.words):
            return known.case if call.status != 429 else replace(known.case, reason="rate_limit")
    if call.status == 429 and _QUOTA in said and wait is None:
        return replace(_USED_UP, reason="rate_limit")
    if call.status in (400, 422) and (named := [name for name in call.parameters if name.lower() in said]):
        return _Case("config", f"Correct or remove the judge's parameter {named[0]}.", stops=True)
    if 300 <= call.status < 400:
        return _Case("config", "The address has moved: correct the judge's address (base URL).", stops=True)
    return _BY_STATUS.get(call.status) or _Case(*(("server", "", True) if call.status >= 500 else ("config",)))


def unreachable(provider: str) -> LLMError:
    """Return the error of a connection that could not be made: nothing was sent."""
    message = f"The connection to {provider} could not be made: check the address and the network."
    return LLMError(message, reason="server", retryable=True)


def not_reached(provider: str, seconds: float) -> LLMError:
    """Return the error of a server that did not take the connection in time: nothing was sent."""
    message = f"{provider} took no connection within {seconds:g} seconds: check the address and the network."
    return LLMError(message, reason="timeout", retryable=True)


def broke_off(provider: str) -> LLMError:
    """Return the error of a connection that broke after the request was sent."""
    message = f"The connection to {provider} broke off before the whole reply was there."
    return LLMError(message, reason="server", retryable=True, may_be_billed=True)


def timed_out(provider: str, seconds: float) -> LLMError:
    """Return the error of a call that took too long after it was sent."""
    message = f"{provider} did not answer within {seconds:g} seconds: raise the judge's timeout or try again."
    return LLMError(message, reason="timeout", retryable=True, may_be_billed=True)


def unreadable(provider: str) -> LLMError:
    """Return the error of a reply with status 200 that does not speak the protocol."""
    message = (
        f"{provider} answered with something that is no reply of its protocol: check the judge's address (base URL)."
    )
    return LLMError(message, reason="server", retryable=True, may_be_billed=True)


def undone(provider: str, why: str) -> LLMError:
    """Return the error of a request whose batch ended before its turn came: it may be asked again and cost nothing."""
    is_late = "expired" in why
    message = f"{provider} left this request of a batch unanswered: {why.replace('_', ' ')}."
    return LLMError(message, reason="timeout" if is_late else "server", retryable=True)


def unsendable(provider: str) -> LLMError:
    """Return the error of a request that cannot be put on the wire."""
    message = f"The request to {provider} could not be put together: check the judge's key and address (base URL)."
    return LLMError(message, reason="config", stops_judge=True)
