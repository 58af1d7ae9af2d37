"""What asking about claims together saves and changes, as lines for a terminal."""

from __future__ import annotations

from evaluation.management.tables import counted, decimals, percent, table
from evaluation.services.together import Comparison, JudgeComparison

HEAD = (
    *("judge", "same", "kappa", "n", "twice together", "no vote"),
    *("calls/response", "alone", "tokens/claim", "alone"),
)


def lines(measured: Comparison) -> list[str]:
    """A table with a row for each judge, what changed, and how to read it."""
    said = [
        f"  {counted(measured.n_responses, 'response')} with {counted(measured.n_claims, 'claim')}",
        *table(HEAD, [_row(each) for each in measured.judges]),
        *(f"  {each.name}: {_changed(each)} (together > alone)" for each in measured.judges if each.changed),
        "  Same is the share of claims with one label both together and alone; “twice together” is what asking the",
        "  same twice reaches, so only what lies below it comes from asking together.",
    ]
    if measured.n_failed_steps:
        said.append(f"  ! {counted(measured.n_failed_steps, 'question')} failed: see run {measured.run}")
    return said


def _row(each: JudgeComparison) -> tuple[str, ...]:
    twice = percent(each.repeated.raw) if each.repeated else "always same"
    efforts = (
        *(decimals(each.together.calls_per_response), decimals(each.alone.calls_per_response)),
        *(decimals(each.together.tokens_per_claim, 0), decimals(each.alone.tokens_per_claim, 0)),
    )
    same = (percent(each.same.raw), decimals(each.same.kappa), str(each.same.n))
    return (each.name, *same, twice, str(each.n_without), *efforts)


def _changed(each: JudgeComparison) -> str:
    return ", ".join(f"{n} {pair.replace('>', ' > ')}" for pair, n in each.changed.items())
