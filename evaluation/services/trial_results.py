"""What a test or a trial of a judge leaves behind: kept with its job, never as a vote."""

from __future__ import annotations

from evaluation.llm.protocol import ChatRequest
from evaluation.methods.juryflow_replies import ReadOpinions
from evaluation.models import Call, Job
from evaluation.services.askings import Asking


def of(job: Job, asking: Asking, read: ReadOpinions, call: Call | None) -> dict[str, object]:
    """The result of a job of the tasks TEST and TRIAL, as JSON."""
    refs = {str(number): claim.pk for number, claim in enumerate(asking.claims, start=1)}
    if job.task == Job.Task.TRIAL:
        found = {opinion.ref: opinion.label for opinion in read.opinions}
        return {"labels": {str(pk): str(found.get(ref) or "") for ref, pk in refs.items()}}
    verdicts = [
        {
            "ref": opinion.ref,
            "claim": refs.get(opinion.ref),
            "state": opinion.state,
            "label": opinion.label or "",
            "confidence": opinion.confidence,
            "rationale": opinion.rationale,
            "flags": list(opinion.flags),
        }
        for opinion in read.opinions
    ]
    return {
        "request": as_turns(asking.request),
        "raw_reply": call.raw_reply if call else "",
        "verdicts": verdicts,
        "gaps": list(read.gaps),
    }


def as_turns(request: ChatRequest) -> list[dict[str, str]]:
    """The messages of a request as role and text."""
    return [
        {"role": message.role, "text": "\n\n".join(getattr(part, "text", "(image)") for part in message.parts)}
        for message in request.messages
    ]
