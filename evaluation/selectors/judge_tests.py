"""A test of a judge as its page shows it: what was sent, what came back, how it was read, and what it cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from evaluation.methods import judge_sample
from evaluation.models import Call, Claim, Job, Judge, Outcome, Project, Run
from evaluation.schemas import ClaimKind, SourceText, VerdictState
from evaluation.selectors.answers import Reader, display_name, reader
from evaluation.selectors.runs import WORKER_IS_LATE

ROLES = {"system": "Instructions", "user": "Question", "assistant": "Its own reply"}
ADVICE = {
    "auth": "Check the key: whether it is the provider's, may use this model, and whether the account has credit.",
    "config": "Check model, address and parameters: the provider does not take them as they are.",
    "rate_limit": "The provider is busy or its limit is reached: test again later, or lower the requests a minute.",
    "timeout": "Raise the time-out, or choose a faster model.",
    "context_length": "The text is too long for this model: choose one that takes longer texts.",
    "truncated": "Raise the longest reply (max_tokens): models that think need room for their thoughts, too.",
    "parse": "The model writes no JSON: try another value under “Form of the reply”, or another model.",
    "shape": "The model does not keep to the form: try another value under “Form of the reply”, or another model.",
    "refused": "The model declines to answer this text: test with another claim, or choose another model.",
    "server": "Check the address and whether the server runs; what it said stands above.",
}


@dataclass(frozen=True)
class SentMessage:
    """A message of the request; `role` in words."""

    role: str
    text: str


@dataclass(frozen=True)
class Said:
    """What the judge said on the claim; `said` is the label in words, or that it cast no vote."""

    said: str
    slot: int
    confidence: float | None
    rationale: str
    flags: tuple[str, ...]


@dataclass(frozen=True)
class OwnSample:
    """The statement of our own that a judge is asked about where the project has no claim, with its source."""

    text: str = judge_sample.STATEMENT
    source: SourceText = judge_sample.SOURCE


@dataclass(frozen=True)
class Figures:
    """What a test took, all its calls together; `cost_micros` is None where no price is known."""

    n_calls: int
    model: str
    seconds: float
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    cost_micros: int | None


@dataclass(frozen=True)
class JudgeTest:
    """Everything that the page of a test shows; `problem` says why there is no vote, `advice` what to do about it."""

    run: Run
    judge: Judge
    claim: Claim | None
    sample: OwnSample | None
    ruling: str
    sent: tuple[SentMessage, ...]
    raw_reply: str
    votes: tuple[Said, ...]
    is_repaired: bool
    figures: Figures
    problem: str
    advice: str
    waits_since: datetime | None

    @property
    def is_open(self) -> bool:
        return self.run.state in Run.OPEN_STATES

    @property
    def is_unvoted(self) -> bool:
        """Whether a reply came that has nothing on the claim."""
        return not self.is_open and not self.problem and not self.votes


def newest(project: Project) -> dict[int, Run]:
    """The newest test of every judge that was tested, by the judge's id; one query."""
    jobs = Job.objects.filter(run__project=project, task=Job.Task.TEST).select_related("run").order_by("pk")
    return {job.judge_id: job.run for job in jobs if job.judge_id}


def page_of(*, run: Run, user_id: int) -> JudgeTest:
    """Read a test with its calls; seven queries."""
    job = run.jobs.select_related("judge").get()
    claim = job.claims.select_related("outcome__decision__expert", "outcome__pattern").first()
    viewer = reader(run.project, user_id)
    sample = OwnSample() if job.options.get("sample") else None
    result: Mapping[str, object] = job.result or {}
    calls = list(job.calls.order_by("pk"))
    problem = "" if result or job.state in Job.OPEN_STATES else job.error or run.message or "It was stopped."
    return JudgeTest(
        run=run,
        judge=_judge_of(job),
        claim=claim,
        sample=sample,
        ruling=_ruling(claim, viewer),
        sent=tuple(_sent(result.get("request"))),
        raw_reply=str(result.get("raw_reply") or (calls[-1].raw_reply if calls else "")),
        votes=_votes(result.get("verdicts"), _kind(claim, sample), viewer),
        is_repaired=any(call.is_repaired for call in calls),
        problem=problem,
        advice=ADVICE.get(job.reason, "") if problem else "",
        waits_since=_waits_since(run, job),
        figures=_figures(calls),
    )


def _judge_of(job: Job) -> Judge:
    if job.judge is None:
        raise ValueError(f"job {job.pk} tests no judge")
    return job.judge


def _ruling(claim: Claim | None, viewer: Reader) -> str:
    """What an expert ruled on the claim, as a sentence; empty where nobody did."""
    if claim is None or claim.outcome.source != Outcome.Source.EXPERT or claim.outcome.decision is None:
        return ""
    shown = viewer.unplaced_words(claim.kind).get(claim.outcome.label)
    return f"{display_name(claim.outcome.decision)} ruled: {shown.words if shown else claim.outcome.label}"


def _sent(messages: object) -> Sequence[SentMessage]:
    listed = messages if isinstance(messages, list) else []
    return [SentMessage(ROLES.get(each["role"], each["role"]), each["text"]) for each in listed]


def _kind(claim: Claim | None, sample: OwnSample | None) -> str:
    if claim:
        return claim.kind
    return ClaimKind.STATEMENT if sample else ""


def _votes(stored: object, kind: str, viewer: Reader) -> tuple[Said, ...]:
    listed = stored if isinstance(stored, list) else []
    words = viewer.unplaced_words(kind) if kind else {}
    votes = []
    for each in listed:
        shown = words.get(each["label"]) if each["state"] == VerdictState.CAST else None
        said = shown.words if shown else "No vote: it says that it cannot assess the claim"
        votes.append(
            Said(said, shown.slot if shown else 0, each["confidence"], each["rationale"], tuple(each["flags"]))
        )
    return tuple(votes)


def _figures(calls: Sequence[Call]) -> Figures:
    costs = [call.cost_micros for call in calls if call.cost_micros is not None]
    return Figures(
        n_calls=len(calls),
        model=calls[-1].model if calls else "",
        seconds=sum(call.latency for call in calls),
        input_tokens=sum(call.input_tokens for call in calls),
        output_tokens=sum(call.output_tokens for call in calls),
        cached_tokens=sum(call.cached_tokens for call in calls),
        cost_micros=sum(costs) if len(costs) == len(calls) else None,
    )


def _waits_since(run: Run, job: Job) -> datetime | None:
    """Since when the test lies there although nobody works on it: then most likely no worker runs."""
    is_idle = run.state in Run.OPEN_STATES and job.state == Job.State.WAITING
    return run.created_at if is_idle and timezone.now() - run.created_at > WORKER_IS_LATE else None
