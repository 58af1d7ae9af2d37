"""The one door for imports: finds the format, reads and checks; what a file holds never raises, it is refused."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from evaluation.errors import InvalidInputError
from evaluation.exchange.harvest import Harvest
from evaluation.exchange.jsonl import read_jsonl
from evaluation.exchange.links import link
from evaluation.exchange.llmbar import BOTH_ORDERS, DEFAULT_PROMPT, LLMBarTree, find_root, read_llmbar
from evaluation.exchange.problems import ProblemLog, TooManyProblemsError
from evaluation.exchange.records import Bundle, ExistingIndex, Parsed, Position, ProjectHints
from evaluation.exchange.source_file import SourceFile
from evaluation.exchange.votes_csv import read_votes_csv
from evaluation.schemas import ClaimKind, Label, PresentationOrder

JSONL, LLMBAR, VOTES = "jsonl", "llmbar", "votes"
FORMATS = (JSONL, LLMBAR, VOTES)
BY_ENDING: Mapping[str, str] = {".jsonl": JSONL, ".ndjson": JSONL, ".json": JSONL, ".csv": VOTES}


@dataclass(frozen=True)
class ReadOptions:
    """How to read: `name` is what messages call the file; `prompt` and `orders` are for LLMBar, `kind` for votes."""

    name: str = ""
    prompt: str = DEFAULT_PROMPT
    orders: tuple[PresentationOrder, ...] = BOTH_ORDERS
    kind: ClaimKind | None = None


NO_OPTIONS = ReadOptions()
NOTHING_STORED = ExistingIndex()


def read(
    path: Path | str,
    fmt: str | None = None,
    options: ReadOptions = NO_OPTIONS,
    existing: ExistingIndex = NOTHING_STORED,
) -> Parsed:
    """Read a file or tree; raises InvalidInputError only for a format that does not exist."""
    if fmt is not None and fmt not in FORMATS:
        raise InvalidInputError(f"There is no import format “{fmt}”; the formats are {', '.join(FORMATS)}.")
    path = Path(path)
    source = SourceFile(path, options.name or path.name or "import")
    log = ProblemLog()
    chosen, sha256, bundle = fmt or "", "", Bundle()
    try:
        chosen = fmt or detect_format(source)
        reading = _read_tree(source, options, log) if chosen == LLMBAR else _read_file(source, chosen, options, log)
        sha256 = reading.sha256
        bundle = _complete(link(reading.harvest.bundle(), existing, log))
        _refuse_nothing(bundle, source.whole, log)
    except TooManyProblemsError:
        bundle = Bundle()
    except OSError as error:
        log.refuse(source.whole, "", f"The file cannot be read ({error.strerror}); check its name and permissions.")
    return Parsed(bundle, log.by_row(), tuple(log.warnings), sha256, chosen)


@dataclass(frozen=True)
class _Reading:
    harvest: Harvest
    sha256: str


def detect_format(source: SourceFile) -> str:
    """The format by the folder, the ending, or the first character."""
    if source.path.is_dir():
        return LLMBAR
    by_ending = BY_ENDING.get(Path(source.name).suffix.casefold()) or BY_ENDING.get(source.path.suffix.casefold())
    if by_ending or not source.path.is_file():
        return by_ending or JSONL
    with source.path.open("rb") as stream:
        start = stream.read(64).lstrip(b"\xef\xbb\xbf \t\r\n")
    return JSONL if start.startswith((b"{", b"[")) else VOTES


def _read_file(source: SourceFile, fmt: str, options: ReadOptions, log: ProblemLog) -> _Reading:
    if not source.check(log):
        return _Reading(Harvest(), "")
    harvest = read_jsonl(source, log) if fmt == JSONL else read_votes_csv(source, log, options.kind)
    return _Reading(harvest, source.sha256())


def _read_tree(source: SourceFile, options: ReadOptions, log: ProblemLog) -> _Reading:
    root = find_root(source.path)
    if root is None:
        reason = "There is no LLMBar tree here (Natural/dataset.json is expected in Dataset/LLMBar); name its folder."
        log.refuse(source.whole, "", reason)
        return _Reading(Harvest(), "")
    if not options.prompt or Path(options.prompt).name != options.prompt or options.prompt == "..":
        raise InvalidInputError(f"“{options.prompt}” is no name of a prompt; LLMBar has Vanilla, CoT and others.")
    tree = LLMBarTree(root, source.name, options.prompt, options.orders)
    return _Reading(read_llmbar(tree, log), tree.sha256())


def _refuse_nothing(bundle: Bundle, whole: Position, log: ProblemLog) -> None:
    if not log.refusals and next(bundle.records(), None) is None:
        log.refuse(whole, "", "The file holds no record; nothing can be imported from it.")


def _complete(bundle: Bundle) -> Bundle:
    """Fill in what the file shows without saying it: the one kind of its claims, and that ties occur."""
    hints = bundle.project_hints
    kinds = {claim.kind for claim in bundle.claims}
    kind = hints.kind or (next(iter(kinds)) if len(kinds) == 1 else None)
    has_tie = any(verdict.label is Label.TIE for verdict in bundle.verdicts)
    has_tie = has_tie or any(claim.gold is Label.TIE for claim in bundle.claims)
    allow_tie = True if hints.allow_tie is None and has_tie else hints.allow_tie
    return replace(bundle, project_hints=ProjectHints(kind, allow_tie))
