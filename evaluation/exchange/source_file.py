"""Opens a file for reading: what is no readable UTF-8 text is refused with what to do about it."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from zipfile import BadZipFile, ZipFile

from evaluation.exchange.problems import ProblemLog
from evaluation.exchange.records import Position

BOM = b"\xef\xbb\xbf"
FOREIGN_STARTS = {
    b"\xff\xfe": "The file is UTF-16 text; save it as UTF-8 and import it again.",
    b"\xfe\xff": "The file is UTF-16 text; save it as UTF-8 and import it again.",
    b"\xd0\xcf\x11\xe0": "This is an old Excel or Word file; save the sheet as CSV UTF-8 and import that.",
    b"\x1f\x8b": "The file is compressed; unpack it and import it again.",
}


ZIP_START = b"PK\x03\x04"
INSIDE_A_ZIP = {
    "xl/": "This is an Excel file; save the sheet as CSV UTF-8 and import that.",
    "word/": "This is a Word file; save what it holds as CSV UTF-8 or JSONL and import that.",
    "content.xml": "This is an OpenDocument file; save the sheet as CSV UTF-8 and import that.",
}
A_ZIP = "This is a zip archive; unpack it and import the file that is in it."


@dataclass(frozen=True)
class Line:
    """One line of a text file without its end; `is_last_open` says that the file ends without a line end."""

    row: int
    text: str
    is_last_open: bool


@dataclass(frozen=True)
class SourceFile:
    """A file on disk and the name that messages call it by."""

    path: Path
    name: str

    @property
    def whole(self) -> Position:
        return Position(self.name)

    def check(self, log: ProblemLog) -> bool:
        """Refuse what is no readable, non-empty text file; True if reading can go on."""
        reason = _reason_against(self.path)
        if reason:
            log.refuse(self.whole, "", reason)
        return not reason

    def starts_with(self, mark: bytes) -> bool:
        """Whether the first character of the text is this one."""
        with self.path.open("rb") as stream:
            return stream.read(64).removeprefix(BOM).lstrip(b" \t\r\n").startswith(mark)

    def sha256(self) -> str:
        """The hash of the bytes, by which the same file is known again."""
        with self.path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()

    def lines(self, log: ProblemLog) -> Iterator[Line]:
        """The lines, split at line feeds only (texts may hold other separators); raw NUL and non-UTF-8 are refused."""
        with self.path.open("rb") as stream:
            for row, raw in enumerate(stream, start=1):
                data = raw.removeprefix(BOM) if row == 1 else raw
                text = self._decode(data, row, log)
                if text is not None:
                    yield Line(row, text.removesuffix("\n"), not raw.endswith(b"\n"))

    def text(self, log: ProblemLog) -> str | None:
        """The whole text with its line ends as they are, or None with a refusal."""
        lines = []
        with self.path.open("rb") as stream:
            for row, raw in enumerate(stream, start=1):
                line = self._decode(raw.removeprefix(BOM) if row == 1 else raw, row, log)
                if line is None:
                    return None
                lines.append(line)
        return "".join(lines)

    def _decode(self, data: bytes, row: int, log: ProblemLog) -> str | None:
        if b"\x00" in data:
            log.refuse(Position(self.name, row), "", "The line holds a NUL character (U+0000); remove it.")
            return None
        try:
            return data.decode("utf-8")
        except UnicodeDecodeError as error:
            byte = data[error.start]
            if error.reason == "unexpected end of data":
                log.refuse(
                    Position(self.name, row),
                    "",
                    "The file is cut off in the middle of a character; get the whole file and import it again.",
                )
                return None
            reason = f"Byte {error.start + 1} of the line (0x{byte:02x}) is not UTF-8 text; save the file as UTF-8."
            log.refuse(Position(self.name, row), "", reason)
            return None


def _reason_against(path: Path) -> str:
    try:
        if path.is_dir():
            return "This is a folder, and a file is expected here; name the file itself."
        if not path.exists():
            return "There is no such file; check the name."
        if not path.is_file():
            return "This is no regular file; save the data to a file and import that."
        with path.open("rb") as stream:
            start = stream.read(4)
    except (OSError, ValueError) as error:
        cause = getattr(error, "strerror", None) or str(error)
        return f"The file cannot be read ({cause}); check its name and permissions."
    if not start.removeprefix(BOM):
        return "The file is empty; nothing can be imported from it."
    if start == ZIP_START:
        return _reason_against_zip(path)
    return next((reason for begin, reason in FOREIGN_STARTS.items() if start.startswith(begin)), "")


def _reason_against_zip(path: Path) -> str:
    """Office files are zip archives, too; what is inside tells them apart."""
    try:
        with ZipFile(path) as archive:
            names = archive.namelist()
    except (BadZipFile, OSError, ValueError, NotImplementedError):
        return A_ZIP
    return next((why for begin, why in INSIDE_A_ZIP.items() if any(name.startswith(begin) for name in names)), A_ZIP)
