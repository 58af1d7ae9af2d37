"""What runs are called, and why one waits or ended, in words for owners and for experts."""

from __future__ import annotations

from evaluation.models import Job, Run
from evaluation.selectors.answers import name_of

WORDS = {
    Run.Kind.IMPORT: "Import",
    Run.Kind.PANEL: "Panel run",
    Run.Kind.GRAPH: "Claim graph",
    Run.Kind.SECOND_LOOK: "Second look",
    Run.Kind.DRAFT: "Draft of a rule",
    Run.Kind.TEST: "Test of a judge",
    Run.Kind.TRIAL: "Trial of a rule",
}
ASKED = {
    Job.Task.DECOMPOSE: "splitting an answer",
    Job.Task.JUDGE: "votes",
    Job.Task.REVIEW: "a second look",
    Job.Task.DRAFT: "the draft of a rule",
    Job.Task.TEST: "a test",
    Job.Task.TRIAL: "a trial of a rule",
}
BY_MONEY = (Run.PausedBy.RUN_CAP, Run.PausedBy.PROJECT_CAP, Run.PausedBy.ALLOWANCE)
WITHOUT_MONEY = "Paused: a limit that an owner set is reached. An owner can raise it and let the run go on."
PAUSED_WORDS = {
    Run.PausedBy.NOBODY: "paused",
    Run.PausedBy.HAND: "paused by hand",
    Run.PausedBy.RUN_CAP: "paused: cap of the run",
    Run.PausedBy.PROJECT_CAP: "paused: cap of the project",
    Run.PausedBy.ALLOWANCE: "paused: allowance of the week",
}


def title_of(kind: str) -> str:
    """What a run of this kind is called."""
    return WORDS[Run.Kind(kind)]


def asked_words(task: str) -> str:
    """What a call asked a judge for; a step that asks nobody keeps its own word."""
    return ASKED.get(Job.Task(task), task)


def started_words(run: Run, user_id: int | None, *, is_after_ruling: bool) -> str:
    """By whom or after which ruling a run was started, as this reader would say it."""
    if run.started_by is None:
        return "by JuryFlow"
    is_own = run.started_by_id == user_id
    if is_after_ruling:
        return "after your ruling" if is_own else f"after a ruling by {name_of(run.started_by)}"
    return "by you" if is_own else f"by {name_of(run.started_by)}"


def message_for(run: Run, *, is_owner: bool) -> str:
    """Why a run waits or ended; people who see no money read no amounts."""
    if not is_owner and run.paused_by in BY_MONEY:
        return WITHOUT_MONEY
    return run.message


def why_not_done(run: Run) -> str:
    """Why a run did not end as wanted, in a few words; empty where it did or still goes on."""
    if run.state == Run.State.PAUSED:
        return PAUSED_WORDS[Run.PausedBy(run.paused_by)]
    return {Run.State.STOPPED: "stopped by hand", Run.State.FAILED: "failed"}.get(Run.State(run.state), "")
