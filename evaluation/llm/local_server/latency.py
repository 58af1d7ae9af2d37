"""How long a server takes to answer: the same always, or drawn from a distribution."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from enum import StrEnum

from evaluation.errors import InvalidInputError


class Shape(StrEnum):
    """How latencies are spread."""

    FIXED = "fixed"
    UNIFORM = "uniform"
    LOGNORMAL = "lognormal"


@dataclass(frozen=True)
class Latency:
    """Seconds before the first byte of a reply.

    `seconds` is the value itself, the middle of a uniform distribution or the median of a log-normal one. `spread` is
    half the width of the uniform one in seconds and the standard deviation of the logarithm of the log-normal one
    (0.5: two in three within a factor of 1.65). Raises InvalidInputError where either is negative or no number.
    """

    seconds: float = 0.0
    spread: float = 0.0
    shape: Shape = Shape.FIXED

    def __post_init__(self) -> None:
        for name, value in (("latency", self.seconds), ("latency-spread", self.spread)):
            if not 0 <= value < math.inf:
                raise InvalidInputError(f"{name} is {value:g}, but must be a number of seconds from 0 on.")

    def draw(self, rng: random.Random) -> float:
        """Return the latency of one request.

        Parameters
        ----------
        rng : random.Random
            Where chance comes from.

        Returns
        -------
        float
            Seconds, never negative; a log-normal latency with a median of 0 is 0.
        """
        if self.shape is Shape.UNIFORM:
            return max(0.0, rng.uniform(self.seconds - self.spread, self.seconds + self.spread))
        if self.shape is Shape.LOGNORMAL and self.seconds:
            return rng.lognormvariate(math.log(self.seconds), self.spread)
        return self.seconds
