"""Builds claims, verdicts, decisions, outcomes and the project line from the objects of our JSONL."""

from __future__ import annotations

from evaluation.exchange.fields import Fields, clip
from evaluation.exchange.harvest import Harvest
from evaluation.exchange.labels import VoteWord, allowed_words, parse_vote
from evaluation.exchange.records import (
    ClaimRecord,
    DecisionRecord,
    OutcomeRecord,
    ProjectHints,
    VerdictRecord,
)
from evaluation.schemas import ClaimKind, OutcomeSource, OutcomeState, PresentationOrder, VerdictState

FORMAT_VERSION = 1
NO_REASON = "The file gives no reason."


def add_project(harvest: Harvest, fields: Fields) -> None:
    """The line that says what the file as a whole holds."""
    version = fields.count("version") if fields.has("version") else FORMAT_VERSION
    if version != FORMAT_VERSION:
        fields.refuse("version", f"Only version {FORMAT_VERSION} of this format can be read.")
    if harvest.hints is not None:
        fields.refuse("type", "The file has a second project line; keep one.")
    kind = fields.word("kind", list(ClaimKind))
    harvest.hints = ProjectHints(ClaimKind(kind) if kind else None, fields.flag("allow_tie"))


def add_claim(harvest: Harvest, fields: Fields) -> None:
    """A claim on a line of its own; its instance follows from its responses."""
    _add_claim(harvest, fields, fields.name("instance"), _named_responses(fields), fields.required_name("id"))


def add_nested_claims(harvest: Harvest, fields: Fields, instance_id: str, response_ids: tuple[str, ...]) -> None:
    """The claims inside a response, or inside an instance, where each names its responses."""
    owner = response_ids[0] if response_ids else instance_id
    for number, child in enumerate(fields.children("claims"), start=1):
        claim_id = child.name("id") or f"{owner}/claim-{number}"
        _add_claim(harvest, child, instance_id, response_ids or _named_responses(child), claim_id)
        child.finish()


def add_verdict(harvest: Harvest, fields: Fields) -> None:
    """A vote on a line of its own."""
    harvest.verdicts.append(_verdict(fields, fields.required_name("claim")))


def add_decision(harvest: Harvest, fields: Fields) -> None:
    """A ruling: a label, or `void` for what is not a claim."""
    if fields.has("label") is (fields.flag("void") is True):
        fields.refuse("label", "A ruling has a label, or “void”: true for what is not a claim; give one of the two.")
    harvest.decisions.append(
        DecisionRecord(
            fields.required_name("id"),
            fields.required_name("claim"),
            fields.label("label"),
            fields.required_name("expert"),
            fields.instant("at"),
            fields.text("reason"),
            fields.flag("serious") is True,
            fields.flag("undone") is True,
            fields.mapping("draw"),
            fields.at,
        )
    )


def add_outcome(harvest: Harvest, fields: Fields) -> None:
    """A current answer; read so that a whole export is valid."""
    state = fields.required_word("state", list(OutcomeState))
    source = fields.required_word("source", list(OutcomeSource))
    harvest.outcomes.append(
        OutcomeRecord(
            fields.required_name("claim"),
            OutcomeState(state) if state else OutcomeState.OPEN,
            OutcomeSource(source) if source else OutcomeSource.PANEL,
            fields.label("label"),
            fields.number("support", 0, 1),
            fields.at,
        )
    )


def _add_claim(
    harvest: Harvest, fields: Fields, instance_id: str, response_ids: tuple[str, ...], claim_id: str
) -> None:
    kind = fields.word("kind", list(ClaimKind))
    guessed = ClaimKind.PREFERENCE if len(response_ids) == 2 else ClaimKind.STATEMENT
    harvest.claims.append(
        ClaimRecord(
            claim_id,
            instance_id,
            response_ids,
            ClaimKind(kind) if kind else guessed,
            fields.text("text"),
            _span(fields),
            fields.tags(),
            fields.label("gold"),
            fields.mapping("metadata"),
            fields.text("quote"),
            fields.at,
        )
    )
    _add_nested_verdicts(harvest, fields, claim_id)


def _named_responses(fields: Fields) -> tuple[str, ...]:
    if fields.has("response") and fields.has("responses"):
        fields.refuse("response", "Give “response” for a statement or “responses” for a pair, not both.")
    if fields.has("response"):
        return (fields.required_name("response"),)
    names = []
    for number, item in enumerate(fields.items("responses"), start=1):
        wrapped = Fields({"id": item}, fields.log, fields.at, fields.path_of(f"responses[{number}]"))
        names.append(wrapped.required_name("id"))
    return tuple(names)


def _span(fields: Fields) -> tuple[int, int] | None:
    if not fields.has("span"):
        return None
    match fields.items("span"):
        case [int(start), int(end)] if not isinstance(start, bool) and not isinstance(end, bool):
            return start, end
        case _:
            fields.refuse("span", "A span is two whole numbers, [start, end], counted in characters from 0.")
            return None


def _add_nested_verdicts(harvest: Harvest, fields: Fields, claim_id: str) -> None:
    if isinstance(fields.values.get("verdicts"), dict):
        children = [
            Fields({"judge": judge, "label": word}, fields.log, fields.at, fields.path_of(f"verdicts.{clip(judge)}"))
            for judge, word in fields.mapping("verdicts").items()
        ]
    else:
        children = fields.children("verdicts")
    for child in children:
        harvest.verdicts.append(_verdict(child, claim_id))
        child.finish()


def _verdict(fields: Fields, claim_id: str) -> VerdictRecord:
    vote = _vote(fields)
    order = fields.word("order", list(PresentationOrder))
    reason = fields.text("reason")
    return VerdictRecord(
        claim_id,
        fields.required_name("judge"),
        vote.state,
        vote.label,
        PresentationOrder(order) if order else PresentationOrder.AS_GIVEN,
        fields.count("sample"),
        fields.number("confidence", 0, 1),
        fields.text("rationale"),
        reason or (NO_REASON if vote.state is VerdictState.FAILED else ""),
        fields.at,
    )


def _vote(fields: Fields) -> VoteWord:
    """The label and the state of a vote, which must not contradict each other."""
    state = fields.word("state", list(VerdictState))
    if not fields.has("label"):
        if state in ("", VerdictState.CAST):
            fields.refuse("label", "The vote has no label; give one, or “state”: “abstained” or “failed”.")
        return VoteWord(VerdictState(state) if state else VerdictState.FAILED)
    word = fields.text("label")
    vote = parse_vote(word)
    if vote is None:
        if isinstance(fields.values["label"], str):
            fields.refuse("label", f"“{clip(word)}” is no label of ours; write {allowed_words()}.")
        return VoteWord(VerdictState.FAILED)
    if state and state != vote.state:
        fields.refuse("label", f"A vote that is {state} cannot carry the label “{word}”.")
    return vote
