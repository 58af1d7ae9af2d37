"""Puts together what a judge is asked about, as plain data, from the rows of a project."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evaluation.methods import judge_sample
from evaluation.models import Claim, Decision, Project, Response, Verdict
from evaluation.schemas import ClaimKind, ClaimText, Label, PanelVote, PresentationOrder, SourceText, Subject
from evaluation.services import rubric_prompt, rubric_support
from evaluation.services.rubric_prompt import Shelf, Shown

MAX_LIKE = 4


def of_response(response: Response, *, shelf: Shelf | None = None) -> Subject:
    """A response to be cut into claims; a shelf saves reading the rubric again."""
    return _on(response, ClaimKind.STATEMENT, "decompose", _shown(response, ClaimKind.STATEMENT, (), shelf))


def of_claims(claims: Sequence[Claim], order: str, task: str = "judge", *, shelf: Shelf | None = None) -> Subject:
    """Claims of one response (or one pair) to be voted on; a claim's reference is its place, from 1."""
    response, kind = claims[0].response, ClaimKind(claims[0].kind)
    subject = _on(response, kind, task, _shown(response, kind, claims, shelf))
    return _with(subject, claims, order)


def of_review(claim: Claim, precedent: Decision | None, *, shelf: Shelf | None = None) -> Subject:
    """A claim for a second look, with the votes on it and the ruling on a like claim, if there is one."""
    claims = [claim] if precedent is None else [claim, precedent.claim]
    subject = of_claims(claims, PresentationOrder.AS_GIVEN, task="review", shelf=shelf)
    votes = panel_votes(claim)
    if precedent is None:
        return replace(subject, votes=votes)
    return replace(subject, votes=votes, ruling=Label(precedent.label), ruling_reason=precedent.reason)


def of_draft(decision: Decision, *, shelf: Shelf | None = None) -> Subject:
    """A ruling from which a rubric entry is to be drafted, with the like rulings as further claims."""
    claim = decision.claim
    like = [other.claim for other in rubric_support.like_rulings(decision) if other.claim_id != claim.pk]
    subject = of_claims([claim, *like[-MAX_LIKE:]], PresentationOrder.AS_GIVEN, task="draft", shelf=shelf)
    return replace(subject, votes=panel_votes(claim), ruling=Label(decision.label), ruling_reason=decision.reason)


def of_sample(project: Project, *, shelf: Shelf) -> Subject:
    """The statement of our own on which a judge is tried where a project has no claim yet."""
    kind, shown = ClaimKind.STATEMENT, shelf.choose()
    bare = Subject(
        task="judge",
        kind=kind,
        question=project.question(kind),
        labels=project.label_words(kind),
        rubric=shown.entries,
        rubric_left_out=shown.left_out,
        guidelines=project.guidelines,
        tag_vocabulary=tuple(project.tag_vocabulary),
        silence_means=project.method_parameters.silence_means,
        in_between=project.method_parameters.in_between,
    )
    return judge_sample.about_it(bare)


def panel_votes(claim: Claim) -> tuple[PanelVote, ...]:
    """The cast votes on a claim with their reasons."""
    cast = claim.verdicts.filter(is_current=True, purpose=Verdict.Purpose.VOTE, state=Verdict.State.CAST)
    return tuple(
        PanelVote(verdict.judge.name, Label(verdict.label), verdict.rationale)
        for verdict in cast.select_related("judge")
    )


def _shown(response: Response, kind: ClaimKind, claims: Sequence[Claim], shelf: Shelf | None) -> Shown:
    tags = {tag for claim in claims for tag in claim.tags}
    return (shelf or rubric_prompt.load(response.project, kind)).choose(claims, tags)


def _on(response: Response, kind: ClaimKind, task: str, shown: Shown) -> Subject:
    project, instance = response.project, response.instance
    return Subject(
        task=task,
        kind=kind,
        question=project.question(kind),
        labels=project.label_words(kind),
        prompt=instance.prompt,
        context=instance.context,
        response=response.text if kind is ClaimKind.STATEMENT else "",
        sources=tuple(SourceText(document.title, document.text) for document in instance.documents.all()),
        rubric=shown.entries,
        rubric_left_out=shown.left_out,
        guidelines=project.guidelines,
        tag_vocabulary=tuple(project.tag_vocabulary),
        silence_means=project.method_parameters.silence_means,
        in_between=project.method_parameters.in_between,
        item=instance.external_id,
    )


def _with(subject: Subject, claims: Sequence[Claim], order: str) -> Subject:
    texts = tuple(
        ClaimText(
            ref=str(number),
            kind=ClaimKind(claim.kind),
            text=claim.text,
            tags=tuple(claim.tags),
            first=claim.response.text if claim.second_response else "",
            second=claim.second_response.text if claim.second_response else "",
        )
        for number, claim in enumerate(claims, start=1)
    )
    return replace(subject, claims=texts, order=PresentationOrder(order))
