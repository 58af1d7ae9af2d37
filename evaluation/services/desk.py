"""What a worker has in hand: questions ready to be sent, those that wait, and those that are out; no database here."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from math import inf

from pydantic import BaseModel

from evaluation.llm.conversation import Conversation
from evaluation.llm.errors import LLMError
from evaluation.llm.limits import Limiter, LimitSettings
from evaluation.llm.pricing import PriceCard, most_tokens
from evaluation.llm.protocol import ChatModel, ChatReply, ChatRequest
from evaluation.models import Job, Judge
from evaluation.services.askings import Asking

BYTES_PER_TOKEN = 4


@dataclass(eq=False)
class Question:
    """A job that is being asked: its conversation so far, and the call that is out."""

    job: Job
    judge: Judge
    asking: Asking
    model: ChatModel
    conversation: Conversation[BaseModel]
    card: PriceCard | None
    n_calls: int = 0
    sent_tokens: int = 0
    _measured: tuple[ChatRequest, int] | None = None

    @property
    def tokens(self) -> int:
        """About how many tokens are sent; what limits per minute are counted in."""
        request = self.conversation.request
        if self._measured is None or self._measured[0] is not request:
            self._measured = request, most_tokens(request) // BYTES_PER_TOKEN
        return self._measured[1]

    @property
    def most_micros(self) -> int:
        """The most that sending it now can cost."""
        return self.card.most(self.conversation.request) if self.card else 0


@dataclass
class Endpoint:
    """The questions for one endpoint: a model at an address, whose limits its judges share."""

    limiter: Limiter
    ready: deque[Question] = field(default_factory=deque)
    judges: set[int] = field(default_factory=set)
    last_turn: int = 0

    def may_send(self, now: float) -> bool:
        """Whether its next question may go now."""
        return bool(self.ready) and self.limiter.may_send(now, self.ready[0].tokens)

    def pause(self, now: float) -> float:
        """For how many seconds its server wants to be left alone."""
        return max(0.0, self.limiter.paused_until - now)


class Desk:
    """Keeps questions by endpoint and says which may be sent now; `clock` gives seconds of a monotonic clock."""

    def __init__(self, clock: Callable[[], float], limits_of: Callable[[Judge], LimitSettings]) -> None:
        self._clock = clock
        self._limits_of = limits_of
        self._endpoints: dict[tuple[str, str, str], Endpoint] = {}
        self._waiting: list[tuple[float, int, Question]] = []
        self._order = count(1)
        self.out: dict[int, Question] = {}

    @property
    def n_ready(self) -> int:
        """How many could be sent as soon as there is room."""
        return sum(len(endpoint.ready) for endpoint in self._endpoints.values())

    @property
    def is_empty(self) -> bool:
        """Whether nothing is ready, waits or is out."""
        return not (self.out or self._waiting or self.n_ready)

    def endpoint(self, judge: Judge) -> Endpoint:
        """The endpoint of a judge."""
        key = (judge.provider, judge.base_url, judge.model)
        if key not in self._endpoints:
            self._endpoints[key] = Endpoint(Limiter(self._limits_of(judge)), judges={judge.pk})
        endpoint = self._endpoints[key]
        if judge.pk not in endpoint.judges:
            endpoint.limiter.tighten(self._limits_of(judge))
            endpoint.judges.add(judge.pk)
        return endpoint

    def full(self, n: int) -> frozenset[int]:
        """The judges for whose endpoints `n` or more questions are ready already."""
        return frozenset(
            pk for endpoint in self._endpoints.values() if len(endpoint.ready) >= n for pk in endpoint.judges
        )

    def put(self, question: Question) -> None:
        """Add a question that may be sent when its turn comes."""
        self.endpoint(question.judge).ready.append(question)

    def put_first(self, question: Question) -> None:
        """Add a question that goes before all others of its endpoint."""
        self.endpoint(question.judge).ready.appendleft(question)

    def wait(self, question: Question, seconds: float) -> None:
        """Keep a question, without a slot, until it may be sent again."""
        heapq.heappush(self._waiting, (self._clock() + seconds, next(self._order), question))

    def due(self, room: int) -> list[Question]:
        """Take at most `room` questions that may be sent now; their endpoints count them as sent."""
        now = self._clock()
        while self._waiting and self._waiting[0][0] <= now:
            self.put_first(heapq.heappop(self._waiting)[2])
        taken: list[Question] = []
        while len(taken) < room:
            able = [endpoint for endpoint in self._endpoints.values() if endpoint.may_send(now)]
            if not able:
                break
            # the one with the fewest calls out, so that a slow endpoint does not take the slots of a fast one
            endpoint = min(able, key=lambda each: (each.limiter.n_out, each.last_turn))
            endpoint.last_turn = next(self._order)
            taken.append(_drawn_first(endpoint, now))
        return taken

    def take_back(self, questions: Sequence[Question]) -> None:
        """Put questions back, in their order, that were taken to be sent and were not."""
        for question in reversed(questions):
            endpoint = self.endpoint(question.judge)
            endpoint.limiter.unsent(question.sent_tokens)
            endpoint.ready.appendleft(question)

    def forget(self, questions: Sequence[Question]) -> None:
        """Forget questions that were taken to be sent and are another worker's now."""
        for question in questions:
            self.endpoint(question.judge).limiter.unsent(question.sent_tokens)

    def ended(self, question: Question, outcome: ChatReply | Exception) -> None:
        """Take note of how a call ended, and of what the server said of its limits."""
        limiter, now = self.endpoint(question.judge).limiter, self._clock()
        if isinstance(outcome, ChatReply):
            used = (outcome.usage.input_tokens + outcome.usage.output_tokens) or None
            limiter.ended(now, question.sent_tokens, outcome.hint, None, used=used)
        else:
            error = outcome if isinstance(outcome, LLMError) else LLMError(str(outcome), reason="server")
            limiter.ended(now, question.sent_tokens, None, error)

    def next_moment(self) -> float:
        """In how many seconds something may be due that is not due now; infinite where only a reply changes that."""
        now = self._clock()
        moments = [
            endpoint.limiter.next_moment(now, endpoint.ready[0].tokens)
            for endpoint in self._endpoints.values()
            if endpoint.ready
        ]
        if self._waiting:
            moments.append(self._waiting[0][0])
        return max(0.0, min(moments, default=inf) - now)

    def take_all(self, judge: Judge | None = None) -> list[tuple[Question, float]]:
        """Take every question (of a judge) that is not out, each with the seconds its server wants it to wait."""
        now = self._clock()
        taken = [
            (each, endpoint.pause(now))
            for endpoint in self._endpoints.values()
            for each in _drawn(endpoint.ready, judge)
        ]
        kept = []
        for moment, number, question in self._waiting:
            if judge is None or question.judge.pk == judge.pk:
                taken.append((question, max(0.0, moment - now)))
            else:
                kept.append((moment, number, question))
        heapq.heapify(kept)
        self._waiting = kept
        return taken

    def jobs(self) -> Iterator[Job]:
        """Every job in hand."""
        yield from (question.job for question in self.out.values())
        yield from (question.job for _, _, question in self._waiting)
        yield from (question.job for endpoint in self._endpoints.values() for question in endpoint.ready)


def _drawn_first(endpoint: Endpoint, now: float) -> Question:
    question = endpoint.ready.popleft()
    question.sent_tokens = question.tokens
    endpoint.limiter.sent(now, question.sent_tokens)
    return question


def _drawn(ready: deque[Question], judge: Judge | None) -> list[Question]:
    drawn = [each for each in ready if judge is None or each.judge.pk == judge.pk]
    kept = [each for each in ready if not (judge is None or each.judge.pk == judge.pk)]
    ready.clear()
    ready.extend(kept)
    return drawn
