"""The options by which commands name a file or tree to read, and how it is read."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from evaluation.errors import InvalidInputError
from evaluation.exchange import detect
from evaluation.exchange.llmbar import DEFAULT_PROMPT
from evaluation.schemas import ClaimKind

FORMATS = f"{', '.join(detect.FORMATS)}; left out, it is found out"


def add_source(parser: ArgumentParser) -> None:
    """Add the path, as an argument or an option, with format, prompt and kind."""
    parser.add_argument("file", nargs="?", default="", metavar="PATH", help="a file, or the folder of LLMBar")
    parser.add_argument("--path", default="", help="the same, as an option")
    parser.add_argument(
        "--format", dest="fmt", default="", choices=["", *detect.FORMATS], metavar="FORMAT", help=FORMATS
    )
    parser.add_argument("--prompt", default=DEFAULT_PROMPT, help="LLMBar: whose votes (default Vanilla)")
    parser.add_argument("--kind", default="", choices=["", *ClaimKind], help="votes: kind of the claims")


def source_path(argument: str, option: str, *, advice: str) -> Path:
    """Return the one path that was given; raises InvalidInputError with the advice for none or two."""
    if bool(argument) == bool(option):
        raise InvalidInputError(advice)
    return Path(argument or option)
