"""The cuts of the offline judges and their version, which goes into every reply."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.language.lexicon import lexicon

RULES_VERSION = 1


@dataclass(frozen=True)
class Thresholds:
    """Cuts at two decimals, fixed on public development sets (docs/offline-judges.md)."""

    words_supported: float = 0.80
    words_not_supported: float = 0.60
    meaning_supported: float = 0.80
    meaning_not_supported: float = 0.70
    negation_aligned: float = 0.45
    new_words_supported: float = 0.14
    new_words_not_supported: float = 0.25
    n_aligned_for_numbers: int = 3


THRESHOLDS = Thresholds()


def rules_stamp(judge: str) -> str:
    """Return the name under which a reply says by which rules it was made."""
    return f"{judge} (rules {RULES_VERSION}, lexicon {lexicon().version})"
