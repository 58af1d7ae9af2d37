"""The judge Numbers: looks every number of a claim up in the sources, with its unit."""

from __future__ import annotations

from evaluation.language.comparison import Found, comparable, look_up
from evaluation.language.quantities import Quantity
from evaluation.llm.providers.offline.finding import Finding, cannot_say, in_between, not_supported, supported
from evaluation.llm.providers.offline.reading import ClaimReading
from evaluation.llm.providers.offline.thresholds import THRESHOLDS


def judge_numbers(claim: ClaimReading) -> Finding:
    """Vote by whether each number, value and unit, is in the nearest passages, elsewhere, or in no source sentence.

    In a text that is not English only numbers written in digits are looked up. Nothing binds a number to what it
    counts, and nothing is computed.
    """
    wanted = _readable(claim)
    if not wanted:
        return cannot_say("The sentence has no number.")
    everywhere = claim.sources.quantities
    found = {quantity: look_up(quantity, everywhere) for quantity in wanted}
    missing = [quantity for quantity, result in found.items() if result is Found.MISSING]
    if missing:
        return not_supported(" ".join(_absence(claim, quantity) for quantity in missing))
    loose = [quantity for quantity, result in found.items() if result is Found.LOOSE]
    if loose:
        return in_between(f"The sources give {_listed(loose)} only within a range or limit.")
    near = _near(claim)
    far = [quantity for quantity in wanted if look_up(quantity, near) is not Found.FOUND]
    if far:
        return in_between(f"{_listed(far)} is in the sources, but not in the passages nearest to this sentence.")
    places: dict[int, list[Quantity]] = {}
    for quantity in wanted:
        places.setdefault(_place_of(claim, quantity), []).append(quantity)
    return supported("; ".join(f"{_listed(held)} in {claim.sources.cite(at)}" for at, held in places.items()))


def _readable(claim: ClaimReading) -> list[Quantity]:
    if claim.is_english and claim.sources.is_english:
        return list(claim.quantities)
    return [quantity for quantity in claim.quantities if any(sign.isdigit() for sign in quantity.text)]


def _near_places(claim: ClaimReading) -> list[int]:
    closest = claim.closest(THRESHOLDS.n_aligned_for_numbers)
    return list(dict.fromkeys([*closest, *claim.best_window.places]))


def _near(claim: ClaimReading) -> list[Quantity]:
    return [quantity for place in _near_places(claim) for quantity in claim.sources.sentences[place].quantities]


def _place_of(claim: ClaimReading, quantity: Quantity) -> int:
    places = _near_places(claim)
    holders = [at for at in places if look_up(quantity, claim.sources.sentences[at].quantities) is Found.FOUND]
    return (holders or places)[0]


def _absence(claim: ClaimReading, quantity: Quantity) -> str:
    said = f"{quantity.text} is in no source"
    for place in _near_places(claim):
        rivals = [one for one in claim.sources.sentences[place].quantities if comparable(quantity, one)]
        if rivals:
            return f"{said}; the nearest sentence says {_listed(rivals)}. A computed figure cannot be checked here."
    return f"{said}. A computed figure cannot be checked here."


def _listed(quantities: list[Quantity]) -> str:
    return ", ".join(quantity.text for quantity in quantities)
