"""A batch through time: nothing before its end, part of it when it is cancelled."""

from __future__ import annotations

from evaluation.llm.local_server.answering import Answering, Behaviour
from evaluation.llm.local_server.batching import Batch, Item, page_of
from evaluation.llm.local_server.journal import Journal, entries
from evaluation.llm.local_server.protocols import OPENAI_PATH


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


def batch(clock: Clock, n: int = 4) -> Batch:
    items = [Item(f"r{number}", OPENAI_PATH, {"model": "m", "messages": []}) for number in range(n)]
    return Batch("batch_", items, 60.0, clock)


def test_it_is_answered_at_its_end_and_not_before_and_only_once() -> None:
    clock, journal = Clock(), Journal()
    answering, made = Answering(Behaviour(), journal), batch(clock)

    states = []
    for moment in (100.0, 131.0, 160.0, 200.0):
        clock.now = moment
        states.append((made.settle(answering), made.n_done, len(made.outcomes)))

    assert states == [(False, 0, 0), (False, 2, 0), (True, 4, 4), (True, 4, 4)]
    assert [each.done for each in entries(journal.text())] == ["answered"] * 4


def test_what_was_done_when_it_is_cancelled_is_kept_and_the_rest_is_noted_as_undone() -> None:
    clock, journal = Clock(), Journal()
    made = batch(clock)
    clock.now = 131.0

    made.cancel()
    clock.now = 500.0
    made.settle(Answering(Behaviour(), journal))

    assert [made.outcomes[f"r{number}"] is None for number in range(4)] == [False, False, True, True]
    assert [each.done for each in entries(journal.text())] == ["answered"] * 2 + ["cancelled"] * 2


def test_one_that_has_ended_cannot_be_cancelled() -> None:
    clock = Clock()
    made = batch(clock)
    clock.now = 160.0
    made.settle(Answering(Behaviour(), Journal()))

    made.cancel()

    assert made.cancelled_at is None


def test_results_come_in_an_order_of_their_own() -> None:
    clock = Clock()
    made = batch(clock, 40)
    clock.now = 160.0
    made.settle(Answering(Behaviour(), Journal()))

    names = [name for name, _ in made.shuffled()]

    assert names != sorted(names)
    assert set(names) == {f"r{number}" for number in range(40)}


def test_a_page_starts_after_the_one_named_with_the_newest_first() -> None:
    made = [batch(Clock()) for _ in range(3)]

    assert page_of(made, "", "2") == ([made[2], made[1]], True)
    assert page_of(made, made[1].id, "") == ([made[0]], False)
    assert page_of([], "", "x") == ([], False)
