"""What counts against a quota: the calls of the last minute, and what a server says is left."""

from __future__ import annotations

from collections import defaultdict, deque
from dataclasses import dataclass
from math import inf

MINUTE = 60.0
LONGEST_RESET = 3_600.0  # a server's "full again" beyond this is a daily quota: look again after an hour


@dataclass
class _Sent:
    at: float
    tokens: int
    is_kept: bool = True


class MinuteLog:
    """The calls of the last 60 seconds, where a limit makes it worth keeping them.

    Parameters
    ----------
    n_requests : int or None
        How many may go in any 60 seconds; None for any number.
    n_tokens : int or None
        How many tokens they may hold together; None for any number.
    """

    def __init__(self, n_requests: int | None, n_tokens: int | None) -> None:
        self._n_requests = n_requests
        self._n_tokens = n_tokens
        self._sent: deque[_Sent] = deque()
        self._open: defaultdict[int, deque[_Sent]] = defaultdict(deque)
        self._total = 0

    def free_at(self, now: float, tokens: int) -> float:
        """Return the earliest moment from now on at which one more call fits, if no other goes first."""
        self._forget(now)
        moment = now
        if self._n_requests is not None and len(self._sent) >= self._n_requests:
            moment = self._sent[len(self._sent) - self._n_requests].at + MINUTE
        if self._n_tokens is not None:
            moment = max(moment, self._when_tokens_fit(now, self._n_tokens - tokens))
        return moment

    def add(self, now: float, tokens: int) -> None:
        """Take note of a call."""
        if self._n_requests is None and self._n_tokens is None:
            return
        entry = _Sent(now, tokens)
        self._sent.append(entry)
        self._total += tokens
        if self._n_tokens is not None:
            self._open[tokens].append(entry)

    def correct(self, tokens: int, used: int | None) -> None:
        """Let what the oldest open call of so many tokens really used count instead."""
        if tokens not in self._open:
            return
        entry = self._open[tokens].popleft()
        if not self._open[tokens]:
            del self._open[tokens]
        if used is not None and entry.is_kept:
            self._total += used - entry.tokens
            entry.tokens = used

    def remove(self, tokens: int) -> None:
        """Forget the newest call of so many tokens: it did not go after all."""
        if not self._sent:
            return
        entry = self._sent[-1]
        if tokens in self._open:
            entry = self._open[tokens].pop()
            if not self._open[tokens]:
                del self._open[tokens]
        if entry.is_kept:
            self._sent.remove(entry)
            self._total -= entry.tokens

    def tighten(self, n_requests: int | None, n_tokens: int | None) -> None:
        """Let the lower of each two limits hold from now on."""
        self._n_requests = _lower(self._n_requests, n_requests)
        self._n_tokens = _lower(self._n_tokens, n_tokens)

    def _forget(self, now: float) -> None:
        while self._sent and self._sent[0].at + MINUTE <= now:
            entry = self._sent.popleft()
            self._total -= entry.tokens
            entry.is_kept = False

    def _when_tokens_fit(self, now: float, room: int) -> float:
        """Return when the calls hold at most `room` tokens; a call of more than the limit waits for all to be gone."""
        held, moment = self._total, now
        for entry in self._sent:
            if held <= max(room, 0):
                break
            held -= entry.tokens
            moment = entry.at + MINUTE
        return moment


@dataclass
class QuotaLeft:
    """What a server says is left of a quota, and the moment at which it says that the quota is full again."""

    left: float = inf
    ends: float = -inf

    def free_at(self, now: float, need: int) -> float:
        """Return the earliest moment from now on at which so much may be taken."""
        return now if need <= self.left else max(now, self.ends)

    def take(self, amount: int) -> None:
        """Count what is being sent."""
        self.left -= amount

    def give_back(self, amount: int) -> None:
        """Count less: it was not sent after all."""
        self.left += amount

    def heed(self, now: float, left: int | None, reset: float | None) -> None:
        """Take what a reply says, unless less is known to be left: replies come out of order."""
        if left is None or reset is None:
            return
        if now >= self.ends or left < self.left:
            self.left, self.ends = float(left), now + min(reset, LONGEST_RESET)


def _lower(one: int | None, other: int | None) -> int | None:
    known = [limit for limit in (one, other) if limit is not None]
    return min(known, default=None)
