"""Reads one JSON object field by field; every problem is noted with its path, and reading goes on."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from difflib import get_close_matches

from evaluation.exchange.labels import allowed_words, parse_label
from evaluation.exchange.problems import ProblemLog
from evaluation.exchange.records import JsonObject, JsonValue, Position
from evaluation.schemas import Label

MAX_ID = 200
MAX_TAG = 100
EXAMPLES = {
    "id": "q1",
    "claim": "c1",
    "instance": "q1",
    "response": "r1",
    "judge": "judge-a",
    "expert": "Ana",
    "prompt": "Which fridge should the clinic buy?",
    "text": "It stays cold for 11 hours.",
}


def id_problem(value: str) -> str | None:
    """Say why a text cannot be an id or a name, or None."""
    if not value:
        return "An id or name must not be empty."
    if len(value) > MAX_ID:
        return f"An id or name has at most {MAX_ID} characters, this one has {len(value):,}."
    if value != value.strip() or not value.isprintable():
        return "An id or name must not begin or end with a space or hold line breaks or control characters."
    return None


class Fields:
    """One object of a file, read by the names of its fields; `finish` refuses the fields nobody asked for."""

    def __init__(self, values: JsonObject, log: ProblemLog, at: Position, path: str = "") -> None:
        self.values = values
        self.log = log
        self.at = at
        self.path = path
        self._asked: set[str] = set()

    def has(self, name: str) -> bool:
        """True if the field is there and not null; it counts as known from then on."""
        self._asked.add(name)
        return self.values.get(name) is not None

    def refuse(self, name: str, reason: str) -> None:
        """Note a refusal of this field."""
        self.log.refuse(self.at, self.path_of(name), reason)

    def path_of(self, name: str) -> str:
        """The field with the path to this object before it."""
        return f"{self.path}.{name}" if self.path and name else self.path or name

    def text(self, name: str) -> str:
        """A text exactly as it stands; empty if absent."""
        if not self.has(name):
            return ""
        value = self.values[name]
        if isinstance(value, str):
            return value
        self.refuse(name, f"A text in quotes is expected here, not {_kind_of_value(value)}.")
        return ""

    def required_text(self, name: str) -> str:
        """A text that must be there and hold more than white space."""
        if not self.has(name):
            self.refuse(name, _missing(name))
            return ""
        value = self.text(name)
        if isinstance(self.values[name], str) and not value.strip():
            self.refuse(name, "The text is empty.")
        return value

    def name(self, name: str) -> str:
        """An id or name if present, else empty; a whole number is taken as its digits."""
        if not self.has(name):
            return ""
        value = self.values[name]
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        if not isinstance(value, str):
            self.refuse(name, f"An id is text or a whole number, not {_kind_of_value(value)}; put it in quotes.")
            return ""
        if problem := id_problem(value):
            self.refuse(name, problem)
            return ""
        return value

    def required_name(self, name: str) -> str:
        """An id or name that must be there."""
        if not self.has(name):
            self.refuse(name, _missing(name))
        return self.name(name)

    def label(self, name: str) -> Label | None:
        """A label of either scheme, or None if absent."""
        word = self.text(name)
        if not self.has(name) or not isinstance(self.values[name], str):
            return None
        label = parse_label(word)
        if label is None:
            self.refuse(name, f"“{clip(word)}” is no label of ours; write {allowed_words()}.")
        return label

    def number(self, name: str, lowest: float, highest: float) -> float | None:
        """A number within bounds, or None if absent."""
        if not self.has(name):
            return None
        value = self.values[name]
        if isinstance(value, bool) or not isinstance(value, int | float):
            self.refuse(name, f"A number is expected here, not {_kind_of_value(value)}.")
            return None
        if not lowest <= value <= highest:
            self.refuse(name, f"The number must lie between {lowest:g} and {highest:g}.")
            return None
        return float(value)

    def count(self, name: str) -> int:
        """A whole number from 0 to 9,999; 0 if absent."""
        value = self.values.get(name)
        if not self.has(name):
            return 0
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= 9999:
            self.refuse(name, "A whole number from 0 to 9,999 is expected here.")
            return 0
        return value

    def flag(self, name: str) -> bool | None:
        """True or false, or None if absent."""
        if not self.has(name):
            return None
        value = self.values[name]
        if not isinstance(value, bool):
            self.refuse(name, f"true or false is expected here, not {_kind_of_value(value)}.")
            return None
        return value

    def word(self, name: str, allowed: Sequence[str]) -> str:
        """One of the allowed words, or empty if absent."""
        value = self.text(name)
        if value and value not in allowed:
            self.refuse(name, f"“{clip(value)}” is not known here; write {' or '.join(allowed)}.")
            return ""
        return value

    def required_word(self, name: str, allowed: Sequence[str]) -> str:
        """One of the allowed words, which must be there; empty after a refusal."""
        if not self.has(name):
            self.refuse(name, f"The field is missing; write {' or '.join(allowed)}.")
        return self.word(name, allowed)

    def items(self, name: str) -> list[JsonValue]:
        """A list; empty if absent."""
        if not self.has(name):
            return []
        value = self.values[name]
        if not isinstance(value, list):
            self.refuse(name, f"A list in square brackets is expected here, not {_kind_of_value(value)}.")
            return []
        return value

    def children(self, name: str) -> list[Fields]:
        """The objects of a list, each with its own path."""
        found = []
        for index, item in enumerate(self.items(name), start=1):
            place = f"{name}[{index}]"
            if isinstance(item, dict):
                found.append(Fields(item, self.log, self.at, self.path_of(place)))
            else:
                self.refuse(place, f"An object in curly brackets is expected here, not {_kind_of_value(item)}.")
        return found

    def mapping(self, name: str) -> JsonObject:
        """An object with any content; empty if absent."""
        if not self.has(name):
            return {}
        value = self.values[name]
        if not isinstance(value, dict):
            self.refuse(name, f"An object in curly brackets is expected here, not {_kind_of_value(value)}.")
            return {}
        return value

    def tags(self) -> tuple[str, ...]:
        """The tags, each once, in the order of the file."""
        found: dict[str, None] = {}
        for index, tag in enumerate(self.items("tags"), start=1):
            if isinstance(tag, str) and tag.strip() and len(tag) <= MAX_TAG:
                found[tag] = None
            else:
                self.refuse(f"tags[{index}]", f"A tag is a text of 1 to {MAX_TAG} characters.")
        return tuple(found)

    def instant(self, name: str) -> datetime:
        """A point in time with its offset from UTC, in UTC."""
        text = self.required_text(name)
        try:
            moment = datetime.fromisoformat(text)
            if moment.tzinfo is None:
                self.refuse(name, "The time has no offset from UTC; write it like 2024-06-01T12:00:00+02:00.")
            return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
        except (ValueError, OverflowError):
            if text:
                self.refuse(name, "This is no ISO 8601 time; write it like 2024-06-01T12:00:00+02:00.")
            return datetime.fromtimestamp(0, UTC)

    def finish(self) -> None:
        """Refuse every field that nobody asked for, with the name it may have meant."""
        for name in self.values:
            if name not in self._asked:
                near = get_close_matches(clip(name), self._asked, n=1)
                hint = f"did you mean “{near[0]}”?" if near else "put what is your own into “metadata”."
                self.refuse(clip(name), f"The field is not known here; {hint}")


def _missing(name: str) -> str:
    example = EXAMPLES.get(name)
    return f'The field is missing; add it, for example "{name}": "{example}".' if example else "The field is missing."


def clip(text: str) -> str:
    """A text short enough for a message."""
    return text if len(text) <= 60 else f"{text[:60]}…"


def _kind_of_value(value: JsonValue) -> str:
    names = {bool: "true or false", int: "a number", float: "a number", str: "text", list: "a list", dict: "an object"}
    return names.get(type(value), "null")
