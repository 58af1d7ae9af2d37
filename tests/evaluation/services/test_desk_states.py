"""The desk under any order of events: no question is lost or there twice, and no limit is broken."""

from __future__ import annotations

from collections import Counter
from itertools import count

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from evaluation.llm.errors import LLMError
from evaluation.llm.limits import LimitSettings
from evaluation.llm.protocol import ChatReply
from evaluation.services.desk import Desk, Question
from tests.evaluation.services.test_desk import Clock, question

JUDGES = st.integers(1, 4)
MODELS = {1: "one", 2: "two", 3: "shared", 4: "shared"}
LIMITS = {
    1: LimitSettings(1),
    2: LimitSettings(3, requests_per_minute=4),
    3: LimitSettings(2),
    4: LimitSettings(5, tokens_per_minute=2_000),
}
MOST_OUT = {"one": 1, "two": 3, "shared": 2}


class DeskStates(RuleBasedStateMachine):
    """What a worker does with a desk, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = Clock()
        self.desk = Desk(self.clock, lambda judge: LIMITS[judge.pk])
        self.numbers = count(1)
        self.inside: set[int] = set()
        self.taken: list[Question] = []
        self.sent_at: list[float] = []
        for judge in (4, 3, 2, 1):  # the stricter of two judges of one endpoint comes last
            self.desk.endpoint(question(judge, model=MODELS[judge]).judge)

    def new(self, judge: int) -> Question:
        asked = question(judge, model=MODELS[judge])
        asked.job.pk = next(self.numbers)
        self.inside.add(asked.job.pk)
        return asked

    def gone(self, *questions: Question) -> None:
        self.inside -= {each.job.pk for each in questions}

    @rule(judge=JUDGES, is_first=st.booleans())
    def put(self, judge: int, is_first: bool) -> None:
        (self.desk.put_first if is_first else self.desk.put)(self.new(judge))

    @rule(judge=JUDGES, seconds=st.floats(0, 100))
    def wait(self, judge: int, seconds: float) -> None:
        self.desk.wait(self.new(judge), seconds)

    @precondition(lambda self: not self.taken)
    @rule(room=st.integers(0, 6))
    def take(self, room: int) -> None:
        seemed_due = self.desk.next_moment() <= 0
        self.taken = self.desk.due(room)
        assert len(self.taken) <= room
        assert seemed_due or not self.taken, "a worker would have slept through this"
        assert len(self.taken) == room or self.desk.next_moment() > 0, "a worker would look again without a pause"

    @precondition(lambda self: self.taken)
    @rule(n=st.integers(0, 6))
    def send_some(self, n: int) -> None:
        """The money reached for the first ones."""
        for asked in self.taken[:n]:
            self.desk.out[next(self.numbers)] = asked
            self.sent_at += [self.clock.now] if asked.judge.model == "two" else []
        self.desk.take_back(self.taken[n:])
        self.taken = []

    @precondition(lambda self: self.taken)
    @rule()
    def lose(self) -> None:
        """Another worker took them over."""
        self.desk.forget(self.taken)
        self.gone(*self.taken)
        self.taken = []

    @precondition(lambda self: self.desk.out)
    @rule(which=st.integers(0, 50), retry_after=st.none() | st.floats(0, 50), is_busy=st.booleans())
    def hear(self, which: int, retry_after: float | None, is_busy: bool) -> None:
        asked = self.desk.out.pop(sorted(self.desk.out)[which % len(self.desk.out)])
        if is_busy:
            self.desk.ended(asked, LLMError("Busy.", reason="rate_limit", retryable=True, retry_after=retry_after))
            self.desk.wait(asked, retry_after or 1.0)
        else:
            self.desk.ended(asked, ChatReply("Yes.", "m"))
            self.gone(asked)

    @rule(judge=st.none() | JUDGES)
    def give_back(self, judge: int | None) -> None:
        given = self.desk.take_all(question(judge).judge if judge else None)
        assert all(seconds >= 0 for _, seconds in given)
        assert judge is None or {each.judge.pk for each, _ in given} <= {judge}
        self.gone(*(each for each, _ in given))

    @rule(seconds=st.floats(0, 70))
    def pass_time(self, seconds: float) -> None:
        self.clock.now += seconds

    @invariant()
    def nothing_is_lost_or_there_twice(self) -> None:
        held = [job.pk for job in self.desk.jobs()] + [each.job.pk for each in self.taken]
        assert Counter(held) == Counter(self.inside)
        assert self.desk.is_empty == (len(held) == len(self.taken))

    @invariant()
    def no_limit_is_broken(self) -> None:
        out = Counter(each.judge.model for each in [*self.desk.out.values(), *self.taken])
        assert all(out[model] <= most for model, most in MOST_OUT.items())
        assert sum(at > self.clock.now - 60 for at in self.sent_at) <= 4

    def teardown(self) -> None:
        """Whatever happened: when replies come and time passes, every question gets its turn."""
        self.desk.take_back(self.taken)
        for _ in range(1_000):
            for number in list(self.desk.out):
                self.desk.ended(self.desk.out.pop(number), ChatReply("Yes.", "m"))
            if self.desk.is_empty:
                return
            self.clock.now += min(self.desk.next_moment(), 3_600.0)
            self.desk.out |= {next(self.numbers): each for each in self.desk.due(3)}
        raise AssertionError("a question is never sent")


TestDeskStates = DeskStates.TestCase
TestDeskStates.settings = settings(max_examples=60, stateful_step_count=30, deadline=None)
