"""Collects what is refused and what is odd while a file is read."""

from __future__ import annotations

from evaluation.exchange.records import Notice, Position, Refusal

MAX_REFUSALS = 1000


class TooManyProblemsError(Exception):
    """The file is refused in so many places that reading on helps nobody."""


class ProblemLog:
    """Refusals and warnings of one reading, in the order they were found."""

    def __init__(self) -> None:
        self.refusals: list[Refusal] = []
        self.warnings: list[Notice] = []
        self._noted: set[Refusal] = set()

    def refuse(self, at: Position, field: str, reason: str) -> None:
        """Note a refusal once; raises TooManyProblemsError after the thousandth."""
        refusal = Refusal(at.file, at.row, field, reason)
        if refusal in self._noted:
            return
        self._noted.add(refusal)
        self.refusals.append(refusal)
        if len(self.refusals) >= MAX_REFUSALS:
            self.refusals.append(
                Refusal(at.file, at.row, "", f"Reading stopped here, after {MAX_REFUSALS:,} refused places.")
            )
            raise TooManyProblemsError

    def by_row(self) -> tuple[Refusal, ...]:
        """The refusals as a reader goes through the files: in the order of rows; that reading stopped stays last."""
        found, stopped = self.refusals[:MAX_REFUSALS], self.refusals[MAX_REFUSALS:]
        files = {refusal.file: place for place, refusal in reversed(list(enumerate(found)))}
        return (*sorted(found, key=lambda each: (files[each.file], each.row or 0)), *stopped)

    def warn(self, at: Position, field: str, reason: str) -> None:
        """Note something odd that does not stop the import."""
        self.warnings.append(Notice(at.file, at.row, field, reason))
