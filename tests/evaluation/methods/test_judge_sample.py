"""The statement on which a judge is tried before there is a claim."""

from __future__ import annotations

from dataclasses import replace

from evaluation.llm.protocol import TextPart
from evaluation.methods import judge_sample
from evaluation.methods.juryflow import judge_request
from evaluation.schemas import JudgeSettings
from tests.evaluation.llm.builders import SECRET, statement_subject


def test_a_judge_is_asked_about_the_statement_and_its_source_under_the_projects_words() -> None:
    subject = judge_sample.about_it(replace(statement_subject(), guidelines="Be strict."))

    request = judge_request(subject, JudgeSettings("Judge A", "openai_chat", "m-1"), SECRET)

    sent = "\n".join(part.text for message in request.messages for part in message.parts if isinstance(part, TextPart))
    assert [claim.text for claim in subject.claims] == [judge_sample.STATEMENT]
    for text in (judge_sample.STATEMENT, judge_sample.SOURCE.text, judge_sample.REQUEST, "Be strict."):
        assert text in sent
