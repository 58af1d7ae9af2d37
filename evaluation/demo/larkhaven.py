"""What the demo "Larkhaven Clinic buys a fridge" is, besides its file of memos: names, words and settings."""

from __future__ import annotations

from pathlib import Path
from typing import Final

FILE: Final = Path(__file__).with_name("larkhaven.jsonl")
NAME: Final = "Larkhaven Clinic buys a fridge"
BATCH: Final = "demo"
FIRST_CLAIM: Final = "q2-aster-3"  # "Installation is included in the price."
QUESTION: Final = "Do the sources support this?"
GUIDELINES: Final = (
    "Supported: the documents say it, or it follows from what they say, by a sum if need be. "
    "Not supported: they say otherwise, or nothing in them speaks for it. "
    "Sources do not settle it: they ask for it or touch on it, but leave open whether it is so."
)
TAGS: Final = (
    "numbers and units",
    "price",
    "included or not",
    "delivery",
    "warranty",
    "deadlines",
    "power and temperature",
    "monitoring",
    "volume and weight",
    "rules",
    "who does what",
    "conditions",
)
SILENCE_MEANS: Final = "not_supported"
IN_BETWEEN: Final = "uncertain"  # the gold uses this label, so votes between the thresholds are cast
