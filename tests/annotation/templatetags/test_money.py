"""Amounts of money in templates."""

from __future__ import annotations

from django.template import Context, Template


def test_it_writes_micro_dollars_as_dollars() -> None:
    template = Template("{% load money %}{{ spent|dollars }} of {{ cap|dollars }}, {{ nothing|dollars }}")

    shown = template.render(Context({"spent": 4_120_000, "cap": 20_000_000, "nothing": None}))

    assert shown == "$4.12 of $20, price unknown"


def test_what_something_costs_at_most_is_rounded_up() -> None:
    template = Template("{% load money %}{{ most|dollars }}, {{ most|most_dollars }}, {{ nothing|most_dollars }}")

    assert template.render(Context({"most": 4_121_000, "nothing": None})) == "$4.12, $4.13, price unknown"


def test_it_says_what_was_asked_and_why_it_failed_in_plain_words() -> None:
    template = Template("{% load money %}{{ task|task_in_words }}: {{ reason|reason_in_words }}")

    assert template.render(Context({"task": "decompose", "reason": "rate_limit"})) == (
        "splitting an answer: the provider was busy"
    )
