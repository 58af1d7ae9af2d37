"""The weakest-link score."""

from __future__ import annotations

import pytest

from evaluation.algorithms.scoring.weakest_link import ClaimReading, compare, score
from evaluation.schemas import Label, OutcomeState

OPEN = OutcomeState.OPEN


def _readings(*labels: Label) -> list[ClaimReading]:
    return [ClaimReading(number, OPEN, label) for number, label in enumerate(labels, start=1)]


def test_it_takes_off_rejected_and_half_of_uncertain_claims() -> None:
    found = score(_readings(Label.ACCEPT, Label.UNCERTAIN, Label.REJECT, Label.ACCEPT, Label.ACCEPT))

    assert found.value == pytest.approx(1 - 1.5 / 5)
    assert (found.n_assessed, found.n_claims, found.errors, found.serious) == (5, 5, (3, 2), ())


def test_it_is_not_assessed_when_there_is_no_claim() -> None:
    assert score([]).value is None
    assert score([ClaimReading(1, OutcomeState.UNJUDGED, None)]).value is None
    assert score([ClaimReading(1, OutcomeState.VOID, Label.REJECT)]).n_claims == 0


def test_unjudged_claims_are_counted_but_do_not_enter() -> None:
    found = score([*_readings(Label.ACCEPT, Label.REJECT), ClaimReading(9, OutcomeState.UNJUDGED, None)])

    assert (found.value, found.n_assessed, found.n_claims) == (0.5, 2, 3)


def test_a_split_counts_as_uncertain() -> None:
    found = score([ClaimReading(1, OutcomeState.SPLIT, None)])

    assert (found.value, found.errors) == (0.5, (1,))


def test_a_serious_error_caps_the_score_and_is_named_first() -> None:
    readings = [*_readings(*[Label.ACCEPT] * 8, Label.REJECT), ClaimReading(20, OPEN, Label.UNCERTAIN, is_serious=True)]

    found = score(readings)

    assert (found.value, found.errors, found.serious) == (0.5, (20, 9), (20,))
    assert score(readings, serious_cap=0.0).value == 0.0


def test_a_serious_mark_caps_nothing_when_the_claim_holds_or_the_score_is_lower() -> None:
    holds = [ClaimReading(1, OPEN, Label.ACCEPT, is_serious=True)]
    low = [ClaimReading(1, OPEN, Label.REJECT, is_serious=True)]

    assert (score(holds).value, score(holds).serious) == (1.0, ())
    assert score(low).value == 0.0


def test_a_pair_goes_to_the_higher_score() -> None:
    better, worse = score(_readings(Label.ACCEPT)), score(_readings(Label.UNCERTAIN))

    assert compare(better, worse, preference=Label.SECOND) is Label.FIRST
    assert compare(worse, better) is Label.SECOND


def test_a_pair_goes_to_the_preference_vote_when_scores_do_not_decide() -> None:
    level, unknown = score(_readings(Label.ACCEPT)), score([])

    assert compare(level, level, preference=Label.SECOND) is Label.SECOND
    assert compare(level, unknown, preference=Label.TIE) is Label.TIE
    assert compare(level, level) is None


def test_bad_input_is_refused() -> None:
    with pytest.raises(ValueError, match="claim 1 has the label first"):
        score(_readings(Label.FIRST))
    with pytest.raises(ValueError, match="cap"):
        score([], serious_cap=2.0)
