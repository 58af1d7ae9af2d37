"""What a person reads while JuryFlow starts: numbered steps, then lines."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

WIDTH = 60


class Output(Protocol):
    """Where the lines go; Django's wrapper of standard output is one."""

    def write(self, msg: str = "", style_func: None = None, ending: str | None = None) -> None: ...

    def flush(self) -> None: ...

    def isatty(self) -> bool: ...


@dataclass
class Announcer:
    """Prints steps and lines; `is_quiet` keeps everything but warnings back."""

    out: Output
    is_quiet: bool = False

    def line(self, text: str = "") -> None:
        """Print one line."""
        if not self.is_quiet:
            self.out.write(text, ending="\n")
            self.out.flush()

    def passing(self, step: str, text: str) -> None:
        """Show how far a step is; a terminal rewrites the line, elsewhere nothing is printed."""
        if not self.is_quiet and self.out.isatty():
            self.out.write(f"\r\033[K{_dotted(step)} {text}", ending="")
            self.out.flush()

    def done(self, step: str, text: str) -> None:
        """End a step with what came of it."""
        start = "\r\033[K" if self.out.isatty() else ""
        self.line(f"{start}{_dotted(step)} {text}")


def _dotted(step: str) -> str:
    return f"  {step} ".ljust(WIDTH, ".")


def short(path: Path) -> str:
    """Return the path with the home folder as ~."""
    try:
        return f"~/{path.relative_to(Path.home())}"
    except ValueError:
        return str(path)
