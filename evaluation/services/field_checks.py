"""Checks what a person typed against the fields of its row, before it is kept."""

from __future__ import annotations

from collections.abc import Collection

from django.core.exceptions import ValidationError
from django.core.validators import ProhibitNullCharactersValidator
from django.db.models import Model

from evaluation.errors import InvalidInputError

_refuse_nulls = ProhibitNullCharactersValidator()


def check(row: Model, *, texts: Collection[str], refusal: str, exclude: Collection[str] = ()) -> None:
    """Refuse texts that are too long, of another form or with a NUL, and figures out of range.

    `texts` are the fields that may hold a NUL, which no database takes. Raises InvalidInputError: the refusal, then
    each field with what is wrong.
    """
    problems: dict[str, list[str]] = {}
    try:
        row.clean_fields(exclude=exclude)
    except ValidationError as error:
        problems = error.message_dict
    for name in texts:
        try:
            _refuse_nulls(getattr(row, name))
        except ValidationError as error:
            problems.setdefault(name, []).extend(error.messages)
    if problems:
        sentences = (f"{field}: {' '.join(messages)}" for field, messages in problems.items())
        raise InvalidInputError(f"{refusal}; {' '.join(sentences)}")
