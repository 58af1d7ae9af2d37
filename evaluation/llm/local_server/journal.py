"""The server's own record of what it was asked and what it did, one line a request, for other processes to read."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TextIO

from evaluation.llm.protocol import JsonObject


@dataclass(frozen=True)
class Entry:
    """One request: when it came (Unix time), what it was about (`reading.about`) and what was done.

    `done` is answered, rate_limited, error, server_error, cut, malformed_body, malformed_text, truncated,
    wrong_shape, refused, expired or cancelled. `batch` is the batch it came in.
    """

    number: int
    at: float
    path: str
    model: str
    digest: str
    about: tuple[str, ...]
    done: str
    status: int
    input_tokens: int | str | None = 0
    output_tokens: int | str | None = 0
    batch: str = ""

    @classmethod
    def of(cls, line: JsonObject) -> Entry:
        """Read one line of the log."""
        known = {each.name for each in fields(cls)}
        given = {name: value for name, value in line.items() if name in known}
        return cls(**(given | {"about": tuple(line["about"])}))


class Journal:
    """Keeps entries in memory and, where a file is named, at its end; each is written at once and as one line."""

    def __init__(self, file: Path | None = None) -> None:
        self._lines: list[str] = []
        self._lock = threading.Lock()
        self._stream: TextIO | None = None if file is None else file.open("a", encoding="utf-8", buffering=1)

    def write(self, entry: Entry) -> None:
        """Add an entry."""
        line = json.dumps(asdict(entry), ensure_ascii=False) + "\n"
        with self._lock:
            self._lines.append(line)
            if self._stream is not None:
                self._stream.write(line)

    @property
    def n_entries(self) -> int:
        """How many entries there are."""
        return len(self._lines)

    def text(self) -> str:
        """Return every line so far."""
        with self._lock:
            return "".join(self._lines)

    def close(self) -> None:
        """Write no more to the file."""
        with self._lock:
            if self._stream is not None:
                self._stream.close()
                self._stream = None


def entries(text: str) -> Iterator[Entry]:
    """Yield the entries of a log; a last line that is not whole yet is left out."""
    for line in text.split("\n")[:-1]:
        yield Entry.of(json.loads(line))
