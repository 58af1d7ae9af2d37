"""Joins the claims that different judges found in one response and asks each judge about those it missed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import count

import numpy as np
from django.db import transaction
from pydantic import TypeAdapter

from evaluation.algorithms import alignment
from evaluation.models import Call, Claim, Job, Judge, Response, Run
from evaluation.schemas import FoundClaim, PromptStamp, RubricText
from evaluation.services import jobs, panel, patterns, planning, projects, vectors, verdicts
from evaluation.services.planning import Step
from evaluation.services.verdicts import Asked

FOUND_CLAIMS = TypeAdapter(list[FoundClaim])


@dataclass(frozen=True)
class Finding:
    """A claim as one judge found it, with the job that found it."""

    job: Job
    claim: FoundClaim


def as_json(found: Sequence[FoundClaim], stamp: PromptStamp | None, rubric: Sequence[RubricText]) -> dict[str, object]:
    """What a job keeps of the claims a judge found, with the prompt and the rubric it was shown."""
    return {
        "claims": [asdict(claim) for claim in found],
        "prompt": asdict(stamp) if stamp else None,
        "rubric": [[entry.entry_id, entry.version] for entry in rubric],
    }


def from_json(result: Mapping[str, object]) -> list[FoundClaim]:
    """Claims as a job kept them."""
    return FOUND_CLAIMS.validate_python(result["claims"])


def merge(job: Job) -> None:
    """Make the claims of a response from what its judges found and end the job with what was doubtful."""
    run, response = job.run, job.response
    if response is None:
        raise ValueError(f"job {job.pk} has no response to join claims of")
    findings = list(_findings(run, response))
    texts = [finding.claim.text for finding in findings]
    embeddings = np.asarray(vectors.embedder().embed(texts), dtype=np.float32) if texts else None
    groups, doubtful = _grouped(findings, embeddings)
    with transaction.atomic():
        projects.hold(run.project)
        if not jobs.held(job).exists():
            return
        claims = _make_claims(response, groups)
        for claim, group in zip(claims, groups, strict=True):
            _store_opinions(run, claim, group)
        patterns.refresh(project=run.project, claim_ids=[claim.pk for claim in claims])
        panel.add_jobs(run, _gaps(run, response, claims))
        jobs.end(job, result={"n_found": len(findings), "n_claims": len(claims), "doubtful": doubtful})


def _findings(run: Run, response: Response) -> Iterator[Finding]:
    done = run.jobs.filter(task=Job.Task.DECOMPOSE, response=response, state=Job.State.DONE).select_related("judge")
    for job in done.order_by("judge_id"):
        for claim in from_json(job.result or {"claims": []}):
            yield Finding(job, claim)


def _make_claims(response: Response, groups: Sequence[Sequence[Finding]]) -> list[Claim]:
    made: list[Claim] = []
    known = {claim.text: claim for claim in response.claims.filter(second_response=None)}
    free = _free_ids(response)
    for group in groups:
        if claim := known.pop(group[0].claim.text, None):
            made.append(claim)
            continue
        span = next((finding.claim.span for finding in group if finding.claim.span), None)
        claim = Claim.objects.create(
            project=response.project,
            external_id=next(free),
            instance=response.instance,
            response=response,
            kind=Claim.Kind.STATEMENT,
            text=group[0].claim.text,
            span_start=span[0] if span else None,
            span_end=span[1] if span else None,
            position=len(made) + 1,
            tags=sorted({tag for finding in group for tag in finding.claim.tags}),
        )
        made.append(claim)
    return made


def _free_ids(response: Response) -> Iterator[str]:
    """Ids for new claims of a response that no claim has, an imported one neither."""
    start = f"{response.external_id}#"
    taken = set(response.project.claims.filter(external_id__startswith=start).values_list("external_id", flat=True))
    return (name for number in count(1) if (name := f"{start}{number}") not in taken)


def _store_opinions(run: Run, claim: Claim, group: Sequence[Finding]) -> None:
    by_judge: dict[int, Finding] = {}
    for finding in group:
        if finding.claim.opinion is not None and finding.job.judge_id is not None:
            by_judge.setdefault(finding.job.judge_id, finding)
    for finding in by_judge.values():
        job, opinion = finding.job, finding.claim.opinion
        if job.judge is not None and opinion is not None:
            kept = job.result or {}
            asked = Asked(
                run=run,
                judge=job.judge,
                call=job.calls.filter(state=Call.State.ANSWERED).last(),
                prompt=PromptStamp(**kept["prompt"]) if kept.get("prompt") else None,
                rubric=tuple((entry, version) for entry, version in kept.get("rubric", [])),
                rubric_version=kept.get("rubric_version"),
            )
            verdicts.store(asked=asked, opinions={claim.pk: opinion})


def _gaps(run: Run, response: Response, claims: list[Claim]) -> Iterator[Step]:
    judges: list[Judge] = list(run.panel.judges.exclude(provider=Judge.RECORDED)) if run.panel else []
    scope = planning.scope_of(run.project, answered=verdicts.answered(claims), samples=run.samples)
    for judge in judges if claims else []:
        yield from planning.voting_steps(response, claims, judge, scope)


def _grouped(findings: Sequence[Finding], embeddings: np.ndarray | None) -> tuple[list[list[Finding]], list[list[str]]]:
    if embeddings is None:
        return [], []
    candidates = [alignment.Candidate(str(each.job.judge_id), each.claim.text, each.claim.span) for each in findings]
    found = alignment.align(candidates, embeddings)
    groups = [[findings[index] for index in group] for group in found.groups]
    return groups, [[findings[a].claim.text, findings[b].claim.text] for a, b in found.doubtful]
