"""The columns of a CSV of votes, by the same names for reading and writing."""

from __future__ import annotations

NEEDED = ("item", "judge", "label")
ITEM_COLUMNS = (
    "kind",
    "text",
    "prompt",
    "context",
    "response",
    "system",
    "batch",
    "second_response",
    "second_system",
    "source",
    "gold",
    "tags",
)
VOTE_COLUMNS = ("judge", "label", "confidence", "rationale", "order", "sample", "reason")
COLUMNS = ("item", *VOTE_COLUMNS, *ITEM_COLUMNS)
EXPORT_ONLY = (
    "answer",
    "answer_state",
    "answer_source",
    "support",
    "votes",
    "votes_cast",
    "votes_failed",
    "entropy",
    "ruled_by",
    "ruled_at",
    "ruling_reason",
    "serious",
)
SAFE_NOTE_START = "Note: "
SAFE_NOTE = SAFE_NOTE_START + (
    "cells that start with = + - @ tab or carriage return carry a ' in front, so that a spreadsheet does not run them; "
    "import the exact CSV, not this one."
)
