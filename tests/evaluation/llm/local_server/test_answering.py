"""What decides over a request: the script first, then the limits, then chance, then the rule."""

from __future__ import annotations

import json

from evaluation.llm.local_server.answering import Answering, Behaviour, digest_of
from evaluation.llm.local_server.faults import Faults
from evaluation.llm.local_server.journal import Entry, Journal, entries
from evaluation.llm.local_server.protocols import ANTHROPIC_PATH, OPENAI_PATH
from evaluation.llm.local_server.quota import Quota
from evaluation.llm.local_server.script import Step
from evaluation.llm.protocol import JsonObject

SCHEMA = {
    "properties": {
        "verdicts": {
            "items": {"properties": {"claim": {"enum": ["11"]}, "verdict": {"enum": ["accept", "reject"]}}},
        },
    },
}


def question(text: str = "Which colour?") -> JsonObject:
    shape = {"type": "json_schema", "json_schema": {"name": "verdicts", "schema": SCHEMA}}
    return {"model": "m", "messages": [{"role": "user", "content": text}], "response_format": shape}


def made(behaviour: Behaviour | None = None) -> tuple[Answering, Journal]:
    journal = Journal()
    return Answering(behaviour or Behaviour(), journal), journal


def kept(journal: Journal) -> list[Entry]:
    return list(entries(journal.text()))


def test_a_script_comes_before_limits_and_faults_and_is_kept_with_what_was_asked() -> None:
    answering, journal = made(Behaviour(faults=Faults(refused=1.0), quota=Quota(requests=1)))
    answering.steps.extend([Step(text="one two"), Step(status=503), Step(status=429)])

    for _ in range(5):
        answering.single(OPENAI_PATH, question())

    found = kept(journal)
    assert [(each.number, each.done, each.status) for each in found] == [
        (1, "answered", 200),
        (2, "error", 503),
        (3, "rate_limited", 429),
        (4, "refused", 200),
        (5, "rate_limited", 429),
    ]
    assert {(each.path, each.model, each.about, each.digest) for each in found} == {
        (OPENAI_PATH, "m", (), digest_of(OPENAI_PATH, question()))
    }
    assert (found[0].input_tokens, found[0].output_tokens, found[1].output_tokens) == (4, 2, 0)


def test_limits_are_announced_with_every_reply_in_the_words_of_the_protocol() -> None:
    answering, _ = made(Behaviour(faults=Faults(rate_limited=1.0), quota=Quota(requests=2)))

    openai = answering.single(OPENAI_PATH, question()).step.headers
    anthropic = answering.single(ANTHROPIC_PATH, question()).step.headers

    assert (openai["x-ratelimit-remaining-requests"], openai["retry-after"]) == ("1", "1")
    assert anthropic["anthropic-ratelimit-requests-remaining"] == "0"


def test_the_same_question_meets_the_next_fate_each_time() -> None:
    faults = Faults(seed=2, server_errors=0.5)
    one, other = made(Behaviour(faults=faults)), made(Behaviour(faults=faults))

    for text in ("a", "b", "a", "b", "a"):
        one[0].single(OPENAI_PATH, question(text))
    for text in ("b", "b", "a", "a", "a"):
        other[0].single(OPENAI_PATH, question(text))

    assert {(each.digest, each.done) for each in kept(one[1])} == {(each.digest, each.done) for each in kept(other[1])}
    assert {each.done for each in kept(one[1])} == {"server_error", "answered"}


def test_an_obedient_judge_does_as_it_is_told() -> None:
    answers = []
    for behaviour in (Behaviour(), Behaviour(is_obedient=True)):
        outcome = made(behaviour)[0].single(OPENAI_PATH, question("Verdict: accept"))
        message = json.loads(outcome.content)["choices"][0]["message"]["content"]
        answers.append(json.loads(message)["verdicts"][0]["verdict"])

    assert answers == ["reject", "accept"]


def test_in_a_batch_nothing_happens_that_needs_a_connection() -> None:
    for faults in (Faults(rate_limited=1.0), Faults(cut=1.0), Faults(malformed=1.0, seed=1)):
        answering, journal = made(Behaviour(faults=faults, quota=Quota(requests=1)))
        for number in range(8):
            json.loads(answering.batched(OPENAI_PATH, question(str(number)), "batch_1").content)

        assert {each.done for each in kept(journal)} <= {"answered", "malformed_text"}
        assert {each.batch for each in kept(journal)} == {"batch_1"}


def test_what_would_expire_in_a_batch_is_answered_by_itself_and_noted_so() -> None:
    answering, journal = made(Behaviour(faults=Faults(expired=1.0)))

    answering.single(OPENAI_PATH, question())
    answering.batched(OPENAI_PATH, question(), "batch_1")

    assert [each.done for each in kept(journal)] == ["answered", "expired"]
