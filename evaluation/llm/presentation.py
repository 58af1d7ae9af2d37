"""Verdicts on the wire: the way out besides the labels, and labels of a pair as shown and as given."""

from __future__ import annotations

from evaluation.schemas import Label, PresentationOrder

CANNOT_ASSESS = "cannot_assess"
_MIRRORED = {Label.FIRST: Label.SECOND, Label.SECOND: Label.FIRST}


def turned(label: Label, order: PresentationOrder) -> Label:
    """Translate a label between given and shown order; the same function serves both ways.

    Parameters
    ----------
    label : Label
        A label of either order.
    order : PresentationOrder
        How the two answers were shown.

    Returns
    -------
    Label
        First and second change places where the answers were swapped; every other label stays.
    """
    return _MIRRORED.get(label, label) if order is PresentationOrder.SWAPPED else label
