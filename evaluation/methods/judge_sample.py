"""A statement of our own on which a judge can be tried before a project has a claim."""

from __future__ import annotations

from dataclasses import replace

from evaluation.schemas import ClaimKind, ClaimText, SourceText, Subject

REQUEST = "How cold is it in the fridge?"
STATEMENT = "The fridge keeps 2 to 8 °C."
SOURCE = SourceText("Manual of the fridge", "At every setting the fridge keeps 2 to 8 °C.")


def about_it(subject: Subject) -> Subject:
    """The same question, asked about the statement with its one source."""
    claim = ClaimText(ref="1", kind=ClaimKind.STATEMENT, text=STATEMENT)
    return replace(subject, prompt=REQUEST, response=STATEMENT, sources=(SOURCE,), claims=(claim,))
