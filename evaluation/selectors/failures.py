"""Why a judge brought no vote, in the words of the pages: one place for every reason a failed vote can have."""

from __future__ import annotations

WORDS = {
    "truncated": "its answer was cut off",
    "shape": "its answer did not have the asked form",
    "parse": "its answer could not be read",
    "refused": "the model refused",
    "timeout": "time-out",
    "rate_limit": "the provider was busy",
    "auth": "its key was not accepted",
    "context_length": "the text is too long for this model",
    "server": "the provider had an error",
    "config": "the judge is not set up right",
    # what files bring
    "refusal": "the model refused",
    "invalid_output": "its answer could not be read",
    "cut_off": "its answer was cut off",
}

WITH_ANSWER = frozenset({"truncated", "shape", "parse", "refused", "refusal", "invalid_output", "cut_off"})


def in_words(reason: str) -> str:
    """The reason as people read it; one that no list knows, such as a file's own, stands as it is."""
    return WORDS.get(reason, reason) or "no reason was recorded"


def what_happened(reason: str) -> str:
    """Whether the judge answered at all: it brought no vote, or could not be asked."""
    return "brought no vote" if reason in WITH_ANSWER else "could not be asked"
