"""A batch of requests as either provider keeps it: nothing is answered before its time, then all of it at once."""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from evaluation.llm.local_server.answering import Answering, Outcome
from evaluation.llm.protocol import JsonObject

Clock = Callable[[], float]


@dataclass(frozen=True)
class Item:
    """A request of a batch under the id that its sender gave it."""

    custom_id: str
    path: str
    body: JsonObject


@dataclass
class Batch:
    """Requests with what came of them; `outcomes` is filled when the batch ends, None stands for a cancelled one.

    What is answered by then when a batch is cancelled goes by the time that has passed.
    """

    prefix: str
    items: Sequence[Item]
    seconds: float
    clock: Clock = time.time
    id: str = field(init=False)
    created_at: float = field(init=False)
    cancelled_at: float | None = None
    outcomes: dict[str, Outcome | None] = field(default_factory=dict)
    has_ended: bool = False

    def __post_init__(self) -> None:
        self.id = f"{self.prefix}{secrets.token_hex(12)}"
        self.created_at = self.clock()

    @property
    def ends_at(self) -> float:
        """When it ends, or ended."""
        full = self.created_at + self.seconds
        return full if self.cancelled_at is None else min(full, self.cancelled_at)

    @property
    def n_done(self) -> int:
        """How many of its requests were answered by now, or by when it was cancelled."""
        passed = min(self.clock(), self.ends_at) - self.created_at
        return len(self.items) if passed >= self.seconds else int(len(self.items) * passed / self.seconds)

    def cancel(self) -> None:
        """End it now; one that has ended stays as it is."""
        if self.cancelled_at is None and not self.has_ended:
            self.cancelled_at = self.clock()

    def settle(self, answering: Answering) -> bool:
        """Answer its requests if its time has come; returns whether it has ended."""
        if not self.has_ended and self.clock() >= self.ends_at:
            n_done = self.n_done
            for number, item in enumerate(self.items):
                if number < n_done:
                    self.outcomes[item.custom_id] = answering.batched(item.path, item.body, self.id)
                else:
                    answering.left_undone(item.path, item.body, self.id)
                    self.outcomes[item.custom_id] = None
            self.has_ended = True
        return self.has_ended

    def shuffled(self) -> list[tuple[str, Outcome | None]]:
        """Return what came of each request in an order of its own: neither provider keeps the sender's."""
        rows = list(self.outcomes.items())
        random.Random(self.id).shuffle(rows)
        return rows


def page_of(batches: Sequence[Batch], after: str, limit: str) -> tuple[list[Batch], bool]:
    """Return the newest batches after the one named, at most `limit` of them, and whether there are more."""
    newest = list(reversed(batches))
    known = [batch.id for batch in newest]
    start = known.index(after) + 1 if after in known else 0
    end = start + (int(limit) if limit.isdigit() and int(limit) else 20)
    return newest[start:end], end < len(newest)
