"""Agreement of raters, with published examples and the cases where no figure exists."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path

import pytest

from evaluation.algorithms.agreement import NO_PAIR, NO_VARIATION, cohen_kappa, krippendorff_alpha

SHARED = Path(os.environ.get("JURYFLOW_SHARED", Path(__file__).parents[4] / "shared"))
X = None
CANONICAL = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, X, X, X],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, X, 3],
    [X, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, X],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, X],
]


@pytest.mark.parametrize(("level", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_matches_krippendorffs_own_example(level: str, alpha: float) -> None:
    """Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", section C: four observers, twelve units."""
    agreement = krippendorff_alpha(CANONICAL, level)  # type: ignore[arg-type]

    assert agreement.value == pytest.approx(alpha, abs=5e-4)
    assert agreement.n_units == 11


def test_alpha_is_the_same_for_words_as_for_numbers() -> None:
    words = [[value if value is None else f"label {value}" for value in row] for row in CANONICAL]

    assert krippendorff_alpha(words).value == pytest.approx(krippendorff_alpha(CANONICAL).value)


def test_kappa_matches_a_published_example() -> None:
    """Cohen's kappa of 0.4 from the grant proposals of the encyclopedia article: 20 yes/yes, 5, 10, 15 no/no."""
    pairs = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15

    agreement = cohen_kappa(*zip(*pairs, strict=True))

    assert agreement.value == pytest.approx(0.4)
    assert (agreement.raw, agreement.n_units, agreement.note) == (0.7, 50, "")


def _pc07() -> dict[str, list[list[int | None]]]:
    path = SHARED / "cases" / "peer_cases.json"
    if not path.exists():
        pytest.skip(f"the shared cases are not at {path}")
    cases = {case["id"]: case for case in json.loads(path.read_text(encoding="utf-8"))}
    found: dict[str, list[list[int | None]]] = cases["pc07-agreement-degenerate"]["input"]["raters_by_units"]
    return found


def test_agreement_is_not_defined_when_all_ratings_are_the_same() -> None:
    first, second = _pc07()["all_same"]

    for agreement in (krippendorff_alpha([first, second]), cohen_kappa(first, second)):
        assert (agreement.value, agreement.reason, agreement.raw, agreement.n_units) == (None, NO_VARIATION, 1.0, 3)


def test_alpha_is_zero_beside_high_raw_agreement_when_one_rating_is_odd() -> None:
    agreement = krippendorff_alpha(_pc07()["one_odd"])

    assert agreement.value == pytest.approx(0.0, abs=1e-12)
    assert agreement.raw == pytest.approx(1 - 8 / 76)
    assert "21 of 22 ratings are 3" in agreement.note


def test_agreement_is_not_defined_when_no_item_has_two_ratings() -> None:
    first, second = _pc07()["single_votes"]

    for agreement in (krippendorff_alpha([first, second]), cohen_kappa(first, second), krippendorff_alpha([])):
        assert (agreement.value, agreement.reason, agreement.raw, agreement.n_units) == (None, NO_PAIR, None, 0)


def test_kappa_is_negative_beside_high_raw_agreement_when_pairs_are_skewed() -> None:
    first = [1] * 95 + [0] * 5
    second = [1] * 90 + [0] * 5 + [1] * 5

    agreement = cohen_kappa(first, second)

    assert agreement.value == pytest.approx(-0.0526, abs=5e-5)
    assert agreement.raw == 0.90
    assert "190 of 200 ratings are 1" in agreement.note


def test_kappa_is_zero_when_one_rater_always_says_the_same() -> None:
    assert cohen_kappa(["a", "a", "a", "a"], ["a", "b", "a", "b"]).value == 0.0


def test_units_without_a_pair_are_left_out() -> None:
    assert cohen_kappa(["a", "b", None], ["a", "a", "b"]).n_units == 2


def test_nothing_in_json_is_nan() -> None:
    undefined = [krippendorff_alpha([["a"], ["a"]]), cohen_kappa([], []), krippendorff_alpha([[1, None], [None, 1]])]

    assert json.dumps([asdict(agreement) for agreement in undefined], allow_nan=False)


def test_bad_ratings_are_refused() -> None:
    with pytest.raises(ValueError, match="one entry per item"):
        cohen_kappa(["a"], ["a", "b"])
    with pytest.raises(ValueError, match="finite numbers"):
        krippendorff_alpha([["low", "high"], ["low", "low"]], "ordinal")
    with pytest.raises(ValueError, match="finite numbers"):
        krippendorff_alpha([[1.0, float("nan")], [1.0, 2.0]], "interval")
