"""Builders of small rows for tests: each makes what its name says, with defaults for everything else."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from itertools import count

from django.contrib.auth.models import User
from django.utils import timezone

from evaluation.models import (
    Call,
    Claim,
    ClaimEdge,
    ClaimGraph,
    Decision,
    Document,
    Draw,
    Instance,
    Job,
    Judge,
    Membership,
    Project,
    Response,
    Run,
    System,
    Verdict,
)
from evaluation.services import decisions, judges, patterns

_number = count(1)

Votes = Mapping[Judge, str]


def make_user(name: str = "", *, is_superuser: bool = False) -> User:
    username = name or f"person-{next(_number)}"
    return User.objects.create_user(username=username, password="a long password", is_superuser=is_superuser)


def make_project(name: str = "", *, owner: User | None = None, is_demo: bool = False) -> Project:
    number = next(_number)
    project = Project.objects.create(name=name or f"Project {number}", slug=f"project-{number}", is_demo=is_demo)
    if owner is not None:
        make_member(project, owner, role=Membership.Role.OWNER)
    return project


def make_member(project: Project, user: User | None = None, *, role: str = Membership.Role.EXPERT) -> Membership:
    return Membership.objects.create(project=project, user=user or make_user(), role=role)


def make_instance(project: Project, *, sources: Sequence[str] = (), prompt: str = "A question") -> Instance:
    number = next(_number)
    instance = Instance.objects.create(
        project=project, external_id=f"i{number}", prompt=prompt, content_hash=_hash(prompt)
    )
    instance.documents.set(make_document(project, text) for text in sources)
    return instance


def make_document(project: Project, text: str, *, title: str = "") -> Document:
    number = next(_number)
    return Document.objects.create(
        project=project,
        external_id=f"d{number}",
        title=title or f"Document {number}",
        text=text,
        content_hash=_hash(text),
    )


def make_response(instance: Instance, text: str = "An answer.", *, system: str = "") -> Response:
    made = System.objects.get_or_create(project=instance.project, name=system)[0] if system else None
    return Response.objects.create(
        instance=instance,
        project=instance.project,
        external_id=f"r{next(_number)}",
        system=made,
        text=text,
        content_hash=_hash(text),
    )


def make_claim(
    project: Project, text: str = "", *, response: Response | None = None, tags: Sequence[str] = (), gold: str = ""
) -> Claim:
    """A statement that has an outcome, but no votes yet."""
    number = next(_number)
    found = response or make_response(make_instance(project))
    claim = Claim.objects.create(
        project=project,
        instance=found.instance,
        response=found,
        external_id=f"c{number}",
        kind=Claim.Kind.STATEMENT,
        text=text or f"Claim {number} holds.",
        tags=list(tags),
        gold=gold,
    )
    patterns.refresh(project=project, claim_ids=[claim.pk])
    return claim


def make_pair(project: Project, text: str = "Which is better?") -> Claim:
    """A preference between two responses of one instance."""
    instance = make_instance(project)
    first, second = make_response(instance, "The first answer."), make_response(instance, "The second answer.")
    claim = Claim.objects.create(
        project=project,
        instance=instance,
        response=first,
        second_response=second,
        external_id=f"c{next(_number)}",
        kind=Claim.Kind.PREFERENCE,
        text=text,
    )
    patterns.refresh(project=project, claim_ids=[claim.pk])
    return claim


def make_judges(project: Project, n: int = 3, *, provider: str = "replay") -> list[Judge]:
    """Judges that make up the current panel, together with those there were."""
    made = [
        Judge.objects.create(project=project, name=f"Judge {next(_number)}", provider=provider, model="recorded")
        for _ in range(n)
    ]
    if provider not in (Judge.RECORDED, Judge.OFFLINE):
        project.allowed_providers = [*project.allowed_providers, provider]
        project.save(update_fields=["allowed_providers"])
    patterns.renew_panel(project)
    return made


def make_asked_judge(project: Project, base_url: str, *, provider: str = "openai_chat", model: str = "m") -> Judge:
    """A judge of a remote provider that is asked at an address of this machine; it joins the panel."""
    new = judges.NewJudge(f"Judge {next(_number)}", provider, model, base_url=base_url, may_see_text=True)
    return judges.add(project=project, new=new)


def make_run(project: Project, *, kind: str = Run.Kind.IMPORT, state: str = Run.State.DONE) -> Run:
    return Run.objects.create(project=project, kind=kind, state=state, started_at=timezone.now())


def make_call(run: Run, judge: Judge, **fields: object) -> Call:
    """An answered call of a job of its own."""
    job = Job.objects.create(run=run, task=Job.Task.JUDGE, key=f"job {next(_number)}", judge=judge, state="done")
    values = {"attempt": 1, "cache_key": "key", "state": Call.State.ANSWERED, "model": judge.model, **fields}
    return Call.objects.create(job=job, judge=judge, **values)


def vote(claim: Claim, votes: Votes, *, run: Run | None = None) -> None:
    """Let judges vote on a claim; an empty label is an abstention. Its outcome follows."""
    the_run = run or make_run(claim.project)
    Verdict.objects.bulk_create(
        Verdict(
            claim=claim,
            judge=judge,
            run=the_run,
            state=Verdict.State.CAST if label else Verdict.State.ABSTAINED,
            label=label,
            rationale=f"{judge} says {label or 'nothing'}.",
            is_current=True,
        )
        for judge, label in votes.items()
    )
    patterns.refresh(project=claim.project, claim_ids=[claim.pk])


def vote_repeatedly(claim: Claim, votes: Mapping[Judge, Sequence[str]], *, order: str = "as_given") -> None:
    """Let judges vote several times on a claim, in one order of its answers; empty labels are failures."""
    run = make_run(claim.project)
    Verdict.objects.bulk_create(
        Verdict(
            claim=claim,
            judge=judge,
            run=run,
            order=order,
            sample=sample,
            state=Verdict.State.CAST if label else Verdict.State.FAILED,
            label=label,
            rationale=f"{judge} says {label}, time {sample + 1}." if label else "",
            failure_reason="" if label else "timeout",
            is_current=True,
        )
        for judge, labels in votes.items()
        for sample, label in enumerate(labels)
    )
    patterns.refresh(project=claim.project, claim_ids=[claim.pk])


def make_disputed(project: Project, judges: Sequence[Judge], n: int = 1, **claim: Sequence[str]) -> list[Claim]:
    """Claims on which the last judge rejects and all others accept."""
    made = [make_claim(project, **claim) for _ in range(n)]
    for each in made:
        vote(each, {judge: "reject" if judge == judges[-1] else "accept" for judge in judges})
    return made


def make_draw(claim: Claim, expert: User, *, is_audit: bool = False, is_by_hand: bool = False) -> Draw:
    return Draw.objects.create(
        project=claim.project, claim=claim, expert=expert, policy="random", is_audit=is_audit, is_by_hand=is_by_hand
    )


def rule(claim: Claim, expert: User, label: str = "accept", *, is_audit: bool = False) -> Decision:
    """A ruling recorded by the service, with everything that follows at once."""
    fresh = Claim.objects.select_related("project", "outcome__pattern", "instance").get(pk=claim.pk)
    draw = make_draw(fresh, expert, is_audit=is_audit)
    return decisions.record(draw=draw, ruling=decisions.Ruling(label=label))


def join(focal: Claim, others: Mapping[Claim, float]) -> ClaimGraph:
    """The current graph of a project, with an edge of this weight from one claim to each of the others."""
    graph = ClaimGraph.objects.create(
        project=focal.project, n_claims=len(others) + 1, n_edges=len(others), alpha=0.5, beta=0.5, neighbours=10
    )
    for other, weight in others.items():
        source, target = sorted([focal, other], key=lambda claim: claim.pk)
        ClaimEdge.objects.create(graph=graph, source=source, target=target, weight=weight)
    return graph


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
