"""How much of the rubric fits a prompt."""

from __future__ import annotations

from collections.abc import Iterable

from evaluation.schemas import RubricText

BYTES_PER_TOKEN = 4
RULE_TOKENS = 12  # the fence round a rule
LIMIT_TOKENS = 4  # "Holds not when: "
FENCE_TOKENS = 21  # a caption and the fence round tags or an example


def rubric_tokens(entry: RubricText) -> int:
    """Return about how many tokens an entry takes in a prompt: a quarter of its bytes, and what stands around it.

    Bytes and not characters, because scripts with longer characters take more tokens a character.
    """
    examples = [each for each in (entry.positive, entry.negative) if each is not None]
    texts = [entry.criterion, entry.boundary, *entry.tags, *(each.text + each.note for each in examples)]
    n_bytes = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
    n_fences = len(examples) + bool(entry.tags)
    around = RULE_TOKENS + LIMIT_TOKENS * bool(entry.boundary) + FENCE_TOKENS * n_fences
    return around + -(-n_bytes // BYTES_PER_TOKEN)


def fitting(tokens: Iterable[int], budget: int) -> list[bool]:
    """Return which entries of these sizes fit together, taken in order; one that is too long is passed over."""
    fits: list[bool] = []
    for size in tokens:
        is_in = size <= budget
        fits.append(is_in)
        budget -= size if is_in else 0
    return fits
