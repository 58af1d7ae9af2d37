"""The only place that reads the environment: typed constants with safe defaults."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

TRUE_WORDS = {"1", "true", "yes", "on"}


def text(name: str, default: str = "") -> str:
    """Return the variable `name`, or `default` where it is unset or empty."""
    return os.environ.get(name, "").strip() or default


def set_default(name: str, value: str) -> None:
    """Set the variable `name` to `value` unless it is set; for settings of tests and for child processes."""
    os.environ.setdefault(name, value)


def flag(name: str, *, default: bool = False) -> bool:
    """Return whether the variable `name` is set to 1, true, yes or on."""
    value = text(name)
    return value.lower() in TRUE_WORDS if value else default


def words(name: str, default: Iterable[str] = ()) -> list[str]:
    """Return the comma-separated words of the variable `name`."""
    value = text(name)
    return [word.strip() for word in value.split(",") if word.strip()] if value else list(default)


def data_dir() -> Path:
    """Return the folder for the embedded database and broker, outside any clone; it is created if absent.

    Ends the program with a sentence where nothing can be written there.
    """
    base = text("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    folder = Path(text("JURYFLOW_DATA", str(Path(base) / "juryflow")))
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return folder
    except OSError as error:
        advice = "Name a folder that can be written with JURYFLOW_DATA=/path/to/folder."
        raise SystemExit(f"The data folder {folder} cannot be used ({error.strerror}). {advice}") from error


def secret_key(folder: Path) -> str:
    """Return SECRET_KEY, or a random key kept in `folder` that only the owner can read."""
    if value := text("SECRET_KEY"):
        return value
    file = folder / "secret_key"
    if not file.exists():
        _write_once(file, secrets.token_urlsafe(50))
    return file.read_text(encoding="utf-8")


def _write_once(file: Path, content: str) -> None:
    """Make a file for its owner only; of processes that start together one wins, and none reads half a file."""
    descriptor, draft = tempfile.mkstemp(dir=file.parent, prefix=file.name)  # made with mode 0600
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(content)
    try:
        file.hardlink_to(draft)
    except FileExistsError:
        pass
    except OSError:  # a file system without hard links
        Path(draft).rename(file)
    finally:
        Path(draft).unlink(missing_ok=True)


def every_key() -> Mapping[str, str]:
    """Return every variable whose name ends in _API_KEY; a judge names the one that it uses."""
    return {name: value for name, value in os.environ.items() if name.endswith("_API_KEY") and value.strip()}
