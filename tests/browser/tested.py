"""A judge of a provider that rests, and what tests of it left behind: one that was answered and one that failed."""

from __future__ import annotations

from django.contrib.auth.models import User

from evaluation.models import Call, Claim, Job, Judge, Project, Run
from evaluation.services import keys

RATIONALE = "Offer 2214 says that installation is not included."


def make_tested(project: Project, owner: User) -> None:
    """Add the judge, resting so that the panel stays as it is, and two tests as a worker leaves them."""
    judge = Judge.objects.create(
        project=project,
        name="Claude, sceptic",
        provider="anthropic_messages",
        model="claude-haiku-4-5",
        persona="skeptic",
        parameters={"temperature": 0.2},
        encrypted_key=keys.seal("sk-of-the-browser-tests"),
        is_active=False,
    )
    claim = project.claims.order_by("pk")[0]
    _make_test(judge, claim, owner, Run.State.FAILED)
    _make_test(judge, claim, owner, Run.State.DONE)
    project.allowed_providers = ["api.anthropic.com"]
    project.save(update_fields=["allowed_providers"])


def _make_test(judge: Judge, claim: Claim, owner: User, state: str) -> None:
    run = Run.objects.create(project=judge.project, kind=Run.Kind.TEST, state=state, started_by=owner)
    is_done = state == Run.State.DONE
    job = Job.objects.create(
        run=run,
        task=Job.Task.TEST,
        key=f"test/{claim.pk}",
        judge=judge,
        response=claim.response,
        state=Job.State.DONE if is_done else Job.State.FAILED,
        result=_result() if is_done else None,
        error="" if is_done else "claude-haiku-4-5 answered with status 401: invalid x-api-key.",
        reason="" if is_done else "auth",
    )
    job.claims.add(claim)
    Call.objects.create(
        job=job,
        judge=judge,
        attempt=1,
        cache_key="0" * 64,
        state=Call.State.ANSWERED if is_done else Call.State.FAILED,
        model=judge.model,
        raw_reply=f'{{"verdicts": [{{"claim": "1", "rationale": "{RATIONALE}", "verdict": "reject"}}]}}',
        latency=1.42,
        input_tokens=1_310,
        output_tokens=84,
        cost_micros=1_730,
    )


def _result() -> dict[str, object]:
    vote = {"ref": "1", "state": "cast", "label": "reject", "confidence": 0.9, "rationale": RATIONALE, "flags": []}
    turns = [("system", "You are a sceptical auditor."), ("user", "Claims to judge:\n" + "Installation " * 90)]
    return {
        "request": [{"role": role, "text": text} for role, text in turns],
        "raw_reply": f'{{"verdicts": [{{"claim": "1", "rationale": "{RATIONALE}", "verdict": "reject"}}]}}',
        "verdicts": [vote],
        "gaps": [],
    }
