"""Places a claim in its response: spans count code points, and a quote finds or checks its span."""

from __future__ import annotations

from dataclasses import replace

from evaluation.exchange.fields import clip
from evaluation.exchange.problems import ProblemLog
from evaluation.exchange.records import ClaimRecord
from evaluation.schemas import ClaimKind


def place_span(claim: ClaimRecord, response: str, log: ProblemLog) -> ClaimRecord:
    """Check the claim's span, or find it by its quote; returns the claim with span and without quote."""
    placed = replace(claim, quote="")
    if claim.kind is ClaimKind.PREFERENCE:
        if claim.span or claim.quote:
            log.refuse(claim.at, "span", "A preference is about two whole answers and has no span or quote.")
        return placed
    if claim.span is None:
        return replace(placed, span=_find(claim, response, log)) if claim.quote else placed
    _check(claim, claim.span, response, log)
    return placed


def _find(claim: ClaimRecord, response: str, log: ProblemLog) -> tuple[int, int] | None:
    start = response.find(claim.quote)
    if start < 0:
        log.refuse(claim.at, "quote", f"The response does not hold the words “{clip(claim.quote)}”.")
        return None
    if response.find(claim.quote, start + 1) >= 0:
        log.refuse(claim.at, "quote", f"The words “{clip(claim.quote)}” stand in the response twice; give the span.")
        return None
    return start, start + len(claim.quote)


def _check(claim: ClaimRecord, span: tuple[int, int], response: str, log: ProblemLog) -> None:
    start, end = span
    if not 0 <= start < end <= len(response):
        reason = f"The span {start} to {end} does not lie in the response, which has {len(response):,} characters."
        log.refuse(claim.at, "span", f"{reason}{_utf16_hint(claim, span, response)}")
        return
    covered = response[start:end]
    if claim.quote and covered != claim.quote:
        reason = f"The span covers “{clip(covered)}”, not the quoted words “{clip(claim.quote)}”."
        log.refuse(claim.at, "span", f"{reason}{_utf16_hint(claim, span, response)}")
    elif not claim.quote and claim.text and covered.split() != claim.text.split():
        reason = f"The span covers “{clip(covered)}”, which is not the claim's text; fine if the claim is reworded."
        log.warn(claim.at, "span", f"{reason}{_utf16_hint(claim, span, response)}")


def _utf16_hint(claim: ClaimRecord, span: tuple[int, int], response: str) -> str:
    """Name the usual cause: JavaScript counts an emoji as two, we count it as one."""
    start, end = span
    wanted = claim.quote or claim.text
    units = response.encode("utf-16-le", "surrogatepass")
    is_inside = 0 <= start < end and 2 * end <= len(units)
    fits = is_inside and wanted and units[2 * start : 2 * end] == wanted.encode("utf-16-le", "surrogatepass")
    return " It fits if UTF-16 units are counted; count whole characters instead." if fits else ""
