"""A run that its cap paused, with calls of every kind behind it, as a worker leaves it."""

from __future__ import annotations

from django.contrib.auth.models import User

from evaluation.models import Call, Judge, Project, Purse, Run
from evaluation.services import budgets, purses
from tests import factories

MESSAGE = "The cap of this run is reached: $1.98 of $2 is spent, and the next call may cost up to $0.041."


def make_paused(project: Project, owner: User) -> None:
    """Add the run and limits of the project; the judge rests, so that the panel stays as it is."""
    budgets.set_caps(project=project, cap_micros=20_000_000, weekly_second_look_cap_micros=5_000_000)
    judge = Judge.objects.create(
        project=project,
        name="Own server",
        provider="openai_chat",
        model="own-7b",
        base_url="http://gpu.example/v1",
        is_active=False,
    )
    run = Run.objects.create(
        project=project,
        kind=Run.Kind.PANEL,
        state=Run.State.PAUSED,
        paused_by=Run.PausedBy.RUN_CAP,
        message=f"{MESSAGE} Raise the cap to go on.",
        started_by=owner,
        estimate={"low_micros": 1_400_000, "high_micros": 31_000_000},
    )
    Purse.objects.create(project=project, run=run, key=f"run/{run.pk}", cap_micros=2_000_000, spent_micros=1_980_000)
    Purse.objects.filter(project=project, key=purses.PROJECT).update(spent_micros=1_980_000)
    paid = factories.make_call(run, judge, cost_micros=1_230_000, input_tokens=41_000, output_tokens=2_100)
    factories.make_call(run, judge, cost_micros=0, source=paid, raw_reply="{}")
    factories.make_call(run, judge, cost_micros=None, input_tokens=900)
    factories.make_call(
        run, judge, state=Call.State.UNCONFIRMED, cost_micros=750_000, is_cost_certain=False, error="The worker ended."
    )
