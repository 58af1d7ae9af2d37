"""Loads released prompt files: `<name>/v<N>.md` and `personas/<name>/v<N>.md`; a released file is frozen."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from evaluation.errors import InvalidInputError
from evaluation.schemas import PromptStamp

_FOLDER = Path(__file__).parent
_NAME = re.compile(r"[a-z][a-z0-9_]*(/[a-z][a-z0-9_]*)?")
_PARTS = re.compile(r"\A# System\n(?P<system>.*)\n# User\n(?P<user>.*)\Z", re.DOTALL)
_PLACEHOLDER = re.compile(r"\{\{ (?P<name>[a-z_]+) \}\}")
DEFAULT_PERSONA = "neutral"


@dataclass(frozen=True)
class Prompt:
    """A released prompt: which file it is and the templates of its two messages."""

    stamp: PromptStamp
    system: str
    user: str


@dataclass(frozen=True)
class Persona:
    """A released persona: which file it is and the sentences that open a judge's system message."""

    stamp: PromptStamp
    text: str


@cache
def load(name: str, version: int | None = None) -> Prompt:
    """Return a prompt file, the newest version unless one is given; raises InvalidInputError if it does not exist."""
    stamp, text = _read(name, version)
    parts = _PARTS.match(text)
    if parts is None:
        raise InvalidInputError(f"Prompt {name} v{stamp.version} needs the headings '# System' and '# User'.")
    return Prompt(stamp=stamp, system=parts["system"].strip(), user=parts["user"].strip())


@cache
def load_persona(name: str, version: int | None = None) -> Persona:
    """Return a persona file; an empty name is the neutral one. Raises InvalidInputError if it does not exist."""
    stamp, text = _read(f"personas/{name or DEFAULT_PERSONA}", version)
    return Persona(stamp=stamp, text=text.strip())


def persona_names() -> tuple[str, ...]:
    """Return the names of all personas, the neutral one first."""
    names = sorted(path.parent.name for path in _FOLDER.glob("personas/*/v1.md"))
    return (DEFAULT_PERSONA, *(name for name in names if name != DEFAULT_PERSONA))


def fill(template: str, values: Mapping[str, str]) -> str:
    """Put values in the places of `{{ name }}`, once: braces inside a value stay as they are.

    Raises ValueError for a place without a value and for a value without a place.
    """
    wanted = {found["name"] for found in _PLACEHOLDER.finditer(template)}
    if wanted != set(values):
        missing, unused = sorted(wanted - set(values)), sorted(set(values) - wanted)
        raise ValueError(f"prompt placeholders without a value: {missing}; values without a placeholder: {unused}")
    return _PLACEHOLDER.sub(lambda found: values[found["name"]], template)


def _read(name: str, version: int | None) -> tuple[PromptStamp, str]:
    versions = _versions(name)
    chosen = version if version is not None else max(versions, default=0)
    if chosen not in versions:
        known = ", ".join(f"v{each}" for each in versions) or "none"
        raise InvalidInputError(f"There is no prompt file {name}/v{chosen}.md; versions of that name: {known}.")
    content = (_FOLDER / name / f"v{chosen}.md").read_bytes()
    stamp = PromptStamp(name=name, version=chosen, sha256=hashlib.sha256(content).hexdigest())
    return stamp, content.decode()


def _versions(name: str) -> tuple[int, ...]:
    if not _NAME.fullmatch(name):
        return ()
    found = (re.fullmatch(r"v([1-9][0-9]*)\.md", path.name) for path in (_FOLDER / name).glob("v*.md"))
    return tuple(sorted(int(match[1]) for match in found if match))
