"""Why a run waits or ended, for owners and for experts."""

from __future__ import annotations

import pytest

from evaluation.models import Run
from evaluation.selectors.run_words import WITHOUT_MONEY, asked_words, message_for, title_of, why_not_done

SENTENCE = "The cap of this run is reached: $4 of $5 is spent."


@pytest.mark.parametrize("paused_by", ["run_cap", "project_cap", "allowance"])
def test_experts_read_no_amounts(paused_by: str) -> None:
    run = Run(state=Run.State.PAUSED, paused_by=paused_by, message=SENTENCE)

    assert message_for(run, is_owner=True) == SENTENCE
    assert message_for(run, is_owner=False) == WITHOUT_MONEY
    assert "$" not in WITHOUT_MONEY


def test_other_reasons_are_for_everybody() -> None:
    run = Run(state=Run.State.PAUSED, paused_by=Run.PausedBy.HAND, message="Paused by hand.")

    assert message_for(run, is_owner=False) == "Paused by hand."


@pytest.mark.parametrize(
    ("state", "paused_by", "words"),
    [
        ("done", "", ""),
        ("running", "", ""),
        ("stopped", "", "stopped by hand"),
        ("failed", "", "failed"),
        ("paused", "run_cap", "paused: cap of the run"),
        ("paused", "hand", "paused by hand"),
    ],
)
def test_it_says_in_a_few_words_why_a_run_is_not_done(state: str, paused_by: str, words: str) -> None:
    assert why_not_done(Run(state=state, paused_by=paused_by)) == words


def test_every_kind_of_run_has_a_name() -> None:
    assert len({title_of(kind) for kind in Run.Kind}) == len(Run.Kind)


@pytest.mark.parametrize(
    ("task", "words"), [("decompose", "splitting an answer"), ("judge", "votes"), ("merge", "merge")]
)
def test_what_a_call_asked_for_is_said_in_plain_words(task: str, words: str) -> None:
    assert asked_words(task) == words
