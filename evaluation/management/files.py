"""Writes a file whole or not at all, and copes with a reader that has had enough."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from evaluation.errors import InvalidInputError

READABLE = 0o644


def write_whole(file: Path, pieces: Iterable[str]) -> int:
    """Write text to a file beside the target and move it there; return its size in bytes.

    Raises InvalidInputError where the target cannot be written; what was there stays then.
    """
    try:
        with tempfile.NamedTemporaryFile(
            "w", dir=file.parent, prefix=f".{file.name}.", delete=False, encoding="utf-8", newline=""
        ) as part:
            draft = Path(part.name)
            try:
                part.writelines(pieces)
                part.close()
                draft.chmod(READABLE)
                draft.replace(file)
            except BaseException:
                draft.unlink(missing_ok=True)
                raise
        return file.stat().st_size
    except OSError as error:
        raise InvalidInputError(f"{file} cannot be written ({error.strerror}): name another file.") from error


@contextmanager
def tolerating_a_closed_pipe() -> Iterator[None]:
    """End quietly where the program that reads our standard output has gone, as `| head` does."""
    try:
        yield
    except BrokenPipeError:
        # what is left in the buffer would raise once more when Python ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
