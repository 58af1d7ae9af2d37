"""Checks what an owner sets about a judge before it is kept, and names what is wrong with it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

from django.views.decorators.debug import sensitive_variables

from evaluation.errors import InvalidInputError
from evaluation.llm import registry
from evaluation.llm.own_parameters import OwnParameters
from evaluation.llm.storable import storable_text
from evaluation.models import Judge
from evaluation.prompts import persona_names
from evaluation.schemas import JudgeSettings
from evaluation.services import field_checks

_KEY_WORDS = re.compile(r"api[-_ ]?key|authorization|secret|password|bearer|credential", re.IGNORECASE)
_KEY = re.compile(r"[!-~]{8,500}")


def may_hold_a_key(text: str) -> bool:
    """Whether something typed as parameters, or as an address, may hold a key: then it is not shown again."""
    return bool(_KEY_WORDS.search(text)) or ("://" in text and any(sign in text for sign in "@?"))


def check(judge: Judge) -> None:
    """Look at everything but the key. Raises InvalidInputError naming the first thing that is wrong."""
    if not judge.name or not judge.model:
        raise InvalidInputError("A judge needs a name and a model.")
    if judge.persona and judge.persona not in persona_names():
        raise InvalidInputError(f"There is no persona “{judge.persona}”: choose one of {', '.join(persona_names())}.")
    field_checks.check(
        judge, texts=("name", "model", "key_name"), refusal="This judge cannot be kept", exclude=("project",)
    )
    _check_address(judge)
    _check_parameters(judge)


def _check_address(judge: Judge) -> None:
    """An address is shown on pages, so no key may be in it; a provider's own key goes to its own hosts only."""
    address = urlsplit(judge.base_url)
    if judge.base_url and (address.scheme not in ("http", "https") or address.query or address.fragment):
        raise InvalidInputError("The address starts with http:// or https:// and ends before any “?” or “#”.")
    if "@" in address.netloc:
        raise InvalidInputError("The address holds a name or password before the “@”: leave it out and use a key.")
    host = address.hostname or ""
    owners = {
        each.host for each in registry.PROVIDERS.values() if judge.key_name and each.key_variable == judge.key_name
    }
    if host and owners and not any(host == owner or host.endswith(f".{owner}") for owner in owners):
        raise InvalidInputError(
            f"{judge.key_name} is the key for {' and '.join(sorted(owners))} and is not sent to {host}: put the key of "
            "that server into a variable of its own, or type it."
        )


def _check_parameters(judge: Judge) -> None:
    for name in _names(judge.parameters):
        if _KEY_WORDS.search(name):
            raise InvalidInputError(
                f"The parameter “{name}” looks like a key. Pages show parameters: type it as the key."
            )
    if not _is_storable(judge.parameters):
        raise InvalidInputError("The parameters hold a number or a sign that JSON and the database do not know.")
    settings = JudgeSettings(name=judge.name, provider=judge.provider, model=judge.model, parameters=judge.parameters)
    OwnParameters.of(settings, structured=registry.provider(judge.provider).structured)


def _is_storable(value: object) -> bool:
    try:
        text = json.dumps(value, ensure_ascii=False, allow_nan=False)
    except ValueError:
        return False
    return "\\u0000" not in text and storable_text(text) == text


def _names(value: object) -> Iterator[str]:
    """The names in a JSON value, at any depth."""
    if isinstance(value, Mapping):
        for name, inner in value.items():
            yield str(name)
            yield from _names(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _names(inner)


@sensitive_variables()
def check_key(key: str) -> None:
    """Refuse what cannot be a key, without repeating it. Raises InvalidInputError."""
    if not _KEY.fullmatch(key):
        raise InvalidInputError("This is no key: a key has 8 to 500 letters, digits and signs, and no spaces.")
