"""An expert who rules on the demo by its gold, in strict rank order, until nothing is disputed any more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator

from evaluation.algorithms.entropy import is_candidate, vote_entropy
from evaluation.algorithms.outcome import PanelOutcome, panel_outcomes
from evaluation.algorithms.patterns import pattern_of
from evaluation.algorithms.reliability import reliabilities, weights_of
from evaluation.algorithms.selection import Candidate, rank
from evaluation.exchange.records import ClaimRecord
from evaluation.schemas import LABELS, ClaimKind, Label, MethodParameters, OutcomeState, SelectionPolicy, Vote

PRIOR_STRENGTH = 32.0
N_LABELS = len(LABELS[ClaimKind.STATEMENT])


@dataclass(frozen=True)
class Answers:
    """The current answers after some rulings, None where the panel is split, and the claim ruled on last."""

    labels: tuple[str | None, ...]
    ruled: int | None = None

    def moved_from(self, before: Answers) -> list[int]:
        """Return the claims whose answer differs."""
        pairs = zip(before.labels, self.labels, strict=True)
        return [claim for claim, (old, new) in enumerate(pairs) if old != new]


class JudgedDemo:
    """The claims of the demo with the votes of the panel on each."""

    def __init__(self, claims: Sequence[ClaimRecord], ballots: Sequence[Sequence[Vote]]) -> None:
        self.claims = tuple(claims)
        self.gold = tuple(str(claim.gold) for claim in claims)
        self.patterns = [pattern_of(ClaimKind.STATEMENT, 1, votes) for votes in ballots]
        self.by_key = {pattern.key: pattern for pattern in self.patterns}
        self.voters = sorted({vote.voter for votes in ballots for vote in votes})
        tau = MethodParameters().tau
        self.disputed = [
            claim
            for claim, pattern in enumerate(self.patterns)
            if pattern.votes and is_candidate(pattern.counts(), N_LABELS, tau)
        ]

    def index(self, claim_id: str) -> int:
        """Return the place of a claim by its id."""
        return [claim.external_id for claim in self.claims].index(claim_id)

    def votes(self, claim: int) -> dict[str, str]:
        """Return voter to label of one claim; who abstained is absent."""
        return {vote.voter: vote.label for vote in self.patterns[claim].votes}

    def course(self, seed: int, first: int | None = None) -> list[Answers]:
        """Return the answers before the first ruling and after each one; the seed breaks what ties the rank leaves."""
        rng = np.random.default_rng(seed)
        ruled: list[int] = []
        course = [self._answers(ruled)]
        while len(ruled) < len(self.disputed):
            fixed = first if not ruled else None
            ruled.append(self._next(ruled, rng) if fixed is None else fixed)
            course.append(self._answers(ruled))
        return course

    def n_right(self, answers: Answers) -> int:
        """Count the answers that equal gold; a split one is no answer."""
        return sum(label == gold for label, gold in zip(answers.labels, self.gold, strict=True))

    def n_right_with_splits(self, answers: Answers) -> int:
        """Count the answers that equal gold where a split one is read as "sources do not settle it"."""
        labels = (label or Label.UNCERTAIN for label in answers.labels)
        return sum(label == gold for label, gold in zip(labels, self.gold, strict=True))

    def _outcomes(self, ruled: Sequence[int]) -> dict[str, PanelOutcome]:
        rulings = [(self.patterns[claim].votes, self.gold[claim]) for claim in ruled]
        found = reliabilities(rulings, dict.fromkeys(self.voters, PRIOR_STRENGTH), N_LABELS)
        return panel_outcomes(self.by_key, weights_of(found), N_LABELS)

    def _answers(self, ruled: Sequence[int]) -> Answers:
        outcomes = self._outcomes(ruled)
        labels = [_label(outcomes[pattern.key]) for pattern in self.patterns]
        for claim in ruled:
            labels[claim] = self.gold[claim]
        return Answers(tuple(labels), ruled[-1] if ruled else None)

    def _next(self, ruled: Sequence[int], rng: Generator) -> int:
        outcomes = self._outcomes(ruled)
        rulings_on = Counter(self.patterns[claim].key for claim in ruled)
        waiting = [self._candidate(claim, outcomes, rulings_on) for claim in self.disputed if claim not in ruled]
        return rank(waiting, len(ruled), SelectionPolicy.POSTERIOR_ENTROPY, rng)[0].claim_id

    def _candidate(self, claim: int, outcomes: dict[str, PanelOutcome], rulings_on: Counter[str]) -> Candidate:
        pattern = self.patterns[claim]
        return Candidate(
            claim_id=claim,
            pattern_key=pattern.key,
            split=pattern.split,
            panel_entropy=vote_entropy(pattern.counts(), N_LABELS),
            posterior_entropy=outcomes[pattern.key].entropy,
            rulings_on_pattern=rulings_on[pattern.key],
            degree=0,
            is_full_panel=pattern.n_cast == len(self.voters),
        )


def _label(outcome: PanelOutcome) -> str | None:
    return None if outcome.state is OutcomeState.SPLIT else outcome.label
