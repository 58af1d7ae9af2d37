"""The claim page: everything an expert reads before ruling, in the order of reading."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet
from django.utils import timezone

from evaluation.models import Claim, Decision, Document, Draw, Job, Judge, Outcome, Project, Verdict
from evaluation.schemas import ClaimKind, OutcomeSource
from evaluation.selectors.answers import Answer, Reader, Shown, Split, answer_of, display_name, split_of
from evaluation.selectors.arguments import Arguments, arguments_on
from evaluation.selectors.failures import in_words
from evaluation.selectors.makers import systems_of
from evaluation.selectors.neighbours import neighbours_of
from evaluation.selectors.passages import Source, sources_of
from evaluation.selectors.queue import candidate_count
from evaluation.selectors.responses import ResponseText, response_text
from evaluation.selectors.suspicions import SuspiciousPassage, suspicious_passages

WITHOUT_SOURCES = "Is this right, to your knowledge?"
MOST_SIMILAR = 10


@dataclass(frozen=True)
class PairSide:
    """One answer of a pair as it stands on the page."""

    title: str
    text: str
    system: str


@dataclass(frozen=True)
class SimilarClaim:
    """A claim with similar wording, which says nothing about being right."""

    claim_id: int
    text: str
    answer: Answer


@dataclass(frozen=True)
class SecondOpinion:
    """What the AI reviewer says, or that it is being asked."""

    is_waiting: bool
    judge: str = ""
    said: Shown | None = None
    rationale: str = ""
    failure: str = ""
    is_offline: bool = False


@dataclass(frozen=True)
class Why:
    """Why this claim came up: how many open claims the same judges split on in the same way, and others beside it."""

    is_disputed: bool
    n_look_alikes: int
    pattern_id: int


@dataclass(frozen=True)
class ClaimPage:
    """One claim as one person sees it; a second opinion can come from "ai", from a "rule", or from nobody ("")."""

    claim: Claim
    question: str
    options: tuple[Shown, ...]
    has_sources: bool
    question_number: int
    system: str
    split: Split
    answer: Answer
    why: Why | None
    response: ResponseText | None
    pair: tuple[PairSide, ...]
    disputed_before: int | None
    disputed_after: int | None
    n_more_disputed: int
    sources: tuple[Source, ...]
    suspicious: tuple[SuspiciousPassage, ...]
    arguments: Arguments
    similar: tuple[SimilarClaim, ...]
    opinion: SecondOpinion | None
    opinion_from: str
    ruled_by: str
    own_ruling: Decision | None
    own_words: str
    names_shown: bool
    n_today: int
    n_left: int


def visible_claims(project: Project) -> QuerySet[Claim]:
    """Claims of the project with all that a claim page needs."""
    return project.claims.select_related(
        "project",
        "instance",
        "response__system",
        "second_response__system",
        "outcome__pattern",
        "outcome__decision__expert",
    )


def open_draw(claim: Claim, user_id: int) -> Draw | None:
    """The person's open draw of the claim, if it was drawn for them."""
    return claim.draws.filter(expert=user_id, is_open=True).last()


def question_for(reader: Reader, claim: Claim, *, has_sources: bool) -> str:
    """The project's question; a statement without any source asks for the expert's own knowledge."""
    if claim.kind == ClaimKind.STATEMENT and not has_sources:
        return WITHOUT_SOURCES
    return reader.project.question(claim.kind)


def may_see_names(reader: Reader, claim: Claim) -> bool:
    """Whether this person may see judges' and systems' names: by the owner's setting, or after ruling."""
    return reader.project.method_parameters.show_judge_names or _own_ruling(reader, claim) is not None


def claim_page(reader: Reader, claim: Claim, draw: Draw | None) -> ClaimPage:
    """Read a claim from `visible_claims` as this person sees it; the number of queries is constant."""
    words = reader.words(claim.kind, claim.pk)
    documents = _documents(claim)
    own = _own_ruling(reader, claim)
    names_shown = reader.project.method_parameters.show_judge_names or own is not None
    siblings = _siblings(claim)
    disputed = frozenset(other.pk for other in siblings if _is_disputed(other))
    is_pair = claim.kind == ClaimKind.PREFERENCE
    outcome = claim.outcome
    return ClaimPage(
        claim=claim,
        question=question_for(reader, claim, has_sources=bool(documents)),
        options=tuple(sorted(words.values(), key=lambda shown: shown.slot)),
        has_sources=bool(documents),
        question_number=reader.project.instances.filter(pk__lte=claim.instance_id).count(),
        system=_system(claim) if own else "",
        split=split_of(outcome.pattern.votes, words),
        answer=answer_of(outcome, words, is_settling=reader.is_settling),
        why=_why(claim, draw),
        response=None if is_pair else response_text(claim.response.text, claim, siblings, disputed),
        pair=_pair(reader, claim, names_shown=own is not None) if is_pair else (),
        disputed_before=next(
            (other.pk for other in reversed(siblings) if other.pk in disputed and _is_before(other, claim)), None
        ),
        disputed_after=next(
            (other.pk for other in siblings if other.pk in disputed and _is_before(claim, other)), None
        ),
        n_more_disputed=len(disputed),
        sources=sources_of(documents, claim.text),
        suspicious=suspicious_passages(claim, documents),
        arguments=arguments_on(claim, words, names_shown=names_shown, systems=systems_of(claim) if own else None),
        similar=_similar(reader, claim),
        opinion=second_opinion(reader, claim),
        opinion_from=opinion_from(reader.project),
        ruled_by=_ruled_by(outcome, reader),
        own_ruling=own,
        own_words=words[own.label].words if own and own.label else "",
        names_shown=names_shown,
        n_today=_n_today(reader),
        n_left=candidate_count(reader.project),
    )


def second_opinion(reader: Reader, claim: Claim) -> SecondOpinion | None:
    """The newest AI second opinion on the claim, or that one is waited for; None where nobody asked."""
    asked = claim.jobs.filter(task=Job.Task.REVIEW, decision__isnull=True)
    if waiting := asked.filter(state__in=Job.OPEN_STATES).select_related("judge").first():
        return SecondOpinion(is_waiting=True, is_offline=waiting.judge is not None and waiting.judge.is_offline)
    verdict = claim.verdicts.filter(purpose=Verdict.Purpose.REVIEW).select_related("judge").order_by("pk").last()
    if verdict is None:
        failed = asked.filter(state=Job.State.FAILED).order_by("pk").last()
        return SecondOpinion(is_waiting=False, failure=failed.error or "no reason was recorded") if failed else None
    said = reader.words(claim.kind, claim.pk).get(verdict.label)
    is_failed = verdict.state == Verdict.State.FAILED
    failure = f"{in_words(verdict.failure_reason)}." if is_failed else "it cannot assess this claim."
    return SecondOpinion(
        is_waiting=False,
        judge=verdict.judge.name,
        said=said,
        rationale=verdict.rationale,
        failure="" if said else failure,
        is_offline=verdict.judge.is_offline,
    )


def opinion_from(project: Project) -> str:
    """Who can give a second opinion: "ai", only a word-matching "rule", or nobody ("")."""
    asked = project.judges.filter(is_active=True).exclude(provider=Judge.RECORDED)
    providers = set(asked.values_list("provider", flat=True))
    if not providers:
        return ""
    return "rule" if providers == {Judge.OFFLINE} else "ai"


def _documents(claim: Claim) -> list[Document]:
    """The sources in the order of the file."""
    order = {ref: place for place, ref in enumerate(claim.instance.document_ids)}
    return sorted(
        claim.instance.documents.all(), key=lambda found: (order.get(found.external_id, len(order)), found.pk)
    )


def _own_ruling(reader: Reader, claim: Claim) -> Decision | None:
    own = claim.decisions.filter(expert=reader.user_id, undo__isnull=True)
    return own.exclude(action=Decision.Action.CANNOT_JUDGE).order_by("pk").last()


def _siblings(claim: Claim) -> list[Claim]:
    others = claim.response.claims.filter(kind=claim.kind, is_void=False).exclude(pk=claim.pk)
    return list(others.select_related("outcome__pattern").order_by("position", "pk"))


def _is_disputed(claim: Claim) -> bool:
    return claim.outcome.source == OutcomeSource.PANEL and claim.outcome.pattern.is_candidate


def _is_before(claim: Claim, other: Claim) -> bool:
    return (claim.position, claim.pk) < (other.position, other.pk)


def _system(claim: Claim) -> str:
    return claim.response.system.name if claim.response.system else ""


def _why(claim: Claim, draw: Draw | None) -> Why | None:
    if draw is not None and draw.is_audit:
        return None
    pattern = claim.outcome.pattern
    alike = Outcome.objects.filter(
        project=claim.project_id, pattern__split=pattern.split, source=OutcomeSource.PANEL, claim__is_void=False
    )
    n_alike = alike.exclude(claim=claim).count() if pattern.is_candidate else 0
    return Why(pattern.is_candidate, n_alike, pattern.pk)


def _pair(reader: Reader, claim: Claim, *, names_shown: bool) -> tuple[PairSide, ...]:
    responses = [claim.response, claim.second_response]
    if reader.sees_swapped(claim.kind, claim.pk):
        responses.reverse()
    titles = [shown.words for shown in sorted(reader.words(claim.kind, claim.pk).values(), key=lambda s: s.slot)]
    return tuple(
        PairSide(title, response.text, response.system.name if names_shown and response.system else "")
        for title, response in zip(titles, responses, strict=False)
        if response is not None
    )


def _similar(reader: Reader, claim: Claim) -> tuple[SimilarClaim, ...]:
    near = list(neighbours_of(claim))[:MOST_SIMILAR]
    outcomes = Outcome.objects.filter(claim__in=near).select_related("claim", "pattern", "decision__expert")
    by_claim = {outcome.claim_id: outcome for outcome in outcomes}
    return tuple(
        SimilarClaim(
            outcome.claim_id,
            outcome.claim.text,
            answer_of(outcome, reader.words(outcome.claim.kind, outcome.claim_id), is_settling=reader.is_settling),
        )
        for outcome in (by_claim[pk] for pk in near)
    )


def _ruled_by(outcome: Outcome, reader: Reader) -> str:
    if outcome.decision is None or outcome.decision.expert_id == reader.user_id:
        return ""
    return display_name(outcome.decision)


def _n_today(reader: Reader) -> int:
    own = reader.project.decisions.filter(expert=reader.user_id, undo__isnull=True)
    rulings = own.exclude(action=Decision.Action.CANNOT_JUDGE)
    return rulings.filter(decided_at__date=timezone.localdate()).count()
