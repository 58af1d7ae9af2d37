"""What `run_panel` says of a run before it starts and after it ended, as lines and as facts for programs."""

from __future__ import annotations

from decimal import ROUND_CEILING

from evaluation.management.tables import counted, table
from evaluation.models import Run
from evaluation.selectors.dollars import dollar_range, dollars
from evaluation.selectors.runs import RunPage
from evaluation.services.costing import RunCost
from evaluation.services.expecting import Expected


def expected_lines(expected: Expected) -> list[str]:
    """What a run takes and costs, what is odd about it, and what stands in its way."""
    takes = expected.takes
    work = f"{counted(takes.n_responses, 'response')}, {counted(takes.n_claims, 'known claim')}"
    tokens = f"about {takes.input_tokens:,} tokens; sends text to {', '.join(takes.recipients)}"
    sent = tokens if takes.recipients else "nothing leaves this machine"
    calls = f"{takes.n_calls_low:,} to {takes.n_calls_high:,} calls"
    lines = [f"  {work}, {counted(takes.n_judges, 'judge')}: {calls}; {sent}"]
    lines += _cost_lines(expected.costs)
    lines += [f"  {note}" for note in takes.notes]
    return [*lines, *(f"  ! {blocker}" for blocker in expected.blockers)]


def cost_facts(costs: RunCost) -> dict[str, object]:
    """What a run costs, in micro-dollars (1 USD = 1,000,000)."""
    return {
        "low_micros": costs.low_micros,
        "high_micros": costs.high_micros,
        "unpriced": [judge.name for judge in costs.unpriced],
        "judges": [
            {"name": each.judge.name, "low_micros": each.low_micros, "high_micros": each.high_micros}
            for each in costs.judges
        ],
    }


def vote_lines(page: RunPage) -> list[str]:
    """What each judge did and cost, and why something failed."""
    rows = [
        (
            row.judge,
            *(f"{n}" for n in (row.n_votes, row.n_abstained, row.n_votes_failed, row.n_failed)),
            dollars(row.figures.cost_micros + row.figures.uncertain_micros),
        )
        for row in page.judges
    ]
    lines = table(("judge", "votes", "abstained", "failed", "steps failed", "cost"), rows)
    if page.money and (page.money.spent_micros or page.money.cap_micros is not None):
        of_cap = f" of {dollars(page.money.cap_micros)}" if page.money.cap_micros is not None else ""
        lines.append(f"  spent {dollars(page.money.spent_micros)}{of_cap}")
    if page.n_reused:
        lines.append(f"  {counted(page.n_reused, 'answer')} taken from the ledger at no cost")
    return [*lines, *(f"  failed {each.n} x {each.judge}: {each.reason}" for each in page.failures)]


def page_facts(page: RunPage, names: set[str]) -> dict[str, object]:
    """What came of a run; steps without a judge are left out of `judges`."""
    return {
        "run": page.run.pk,
        "state": page.run.state,
        "message": page.run.message,
        "calls": page.n_calls,
        "reused": page.n_reused,
        "spent_micros": page.money.spent_micros if page.money else 0,
        "cap_micros": page.money.cap_micros if page.money else None,
        "judges": [
            {"name": row.judge, "cast": row.n_votes, "abstained": row.n_abstained, "failed": row.n_votes_failed}
            for row in page.judges
            if row.judge in names
        ],
        "failures": [
            {"judge_id": each.judge_id, "judge": each.judge, "reason": each.reason, "n": each.n}
            for each in page.failures
        ],
    }


def problem(run: Run, page: RunPage) -> str:
    """Why the run did not end as wanted, as a sentence; empty where it did."""
    has_ended = run.state in (Run.State.DONE, Run.State.FAILED)
    if has_ended and page.failures and not any(row.n_votes + row.n_abstained for row in page.judges):
        return f"No judge could answer. First reason: {page.failures[0].reason}"
    if run.state == Run.State.PAUSED:
        return f"The run is paused. {run.message} By command: run_panel --cap DOLLARS goes on with a higher cap."
    return f"The run ended as {run.state}. {run.message}" if run.state != Run.State.DONE else ""


def _cost_lines(costs: RunCost) -> list[str]:
    lines = []
    if costs.high_micros:
        expected, most = dollars(costs.low_micros), dollars(costs.high_micros, ROUND_CEILING)
        range_of = dollar_range(costs.low_micros, costs.high_micros)
        lines.append(f"  cost {range_of}: {expected} expected, at most {most}")
    if costs.unpriced:
        names = ", ".join(judge.name for judge in costs.unpriced)
        lines.append(f"  price unknown: {names}; enter it on the page Prices (0 for a server of your own)")
    return lines
