"""The demo's file as an import reads it, and the votes of the real offline panel on it."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec

import pytest

from evaluation.demo import larkhaven
from evaluation.embeddings.sentence_transformer import MODEL_PACKAGE, MiniLM
from evaluation.exchange.detect import read
from evaluation.exchange.records import Bundle, ClaimRecord, Parsed
from evaluation.llm.protocol import ChatRequest
from evaluation.llm.providers.offline.model import JUDGES, OfflineModel
from evaluation.schemas import ClaimKind, ClaimText, Label, SourceText, Subject, Vote
from tests.evaluation.demo.rulings import JudgedDemo

DISPLAY = {Label.ACCEPT: "Supported", Label.REJECT: "Not supported", Label.UNCERTAIN: "Sources do not settle it"}
JudgeDemo = Callable[[str], JudgedDemo]


@pytest.fixture(scope="session")
def parsed() -> Parsed:
    """The demo's file, read as any import is."""
    return read(larkhaven.FILE)


@pytest.fixture(scope="session")
def bundle(parsed: Parsed) -> Bundle:
    """The records of the demo."""
    return parsed.bundle


@pytest.fixture(scope="session")
def judge_demo(bundle: Bundle) -> JudgeDemo:
    """Let the five offline judges vote on every claim, under one meaning of silence."""
    if find_spec(MODEL_PACKAGE) is None:
        pytest.skip(f"the package {MODEL_PACKAGE} is not installed, so Meaning has no model to compare with")
    model = OfflineModel(MiniLM(), lambda claim, example, cosine: False)

    def judge(silence_means: str) -> JudgedDemo:
        ballots: list[list[Vote]] = [[] for _ in bundle.claims]
        for name in JUDGES:
            for ballot, claim in zip(ballots, bundle.claims, strict=True):
                label = _vote(model, name, _subject(bundle, claim, silence_means))
                if label in set(Label):
                    ballot.append(Vote(name, label))
        return JudgedDemo(bundle.claims, ballots)

    return judge


@pytest.fixture(scope="session")
def demo(judge_demo: JudgeDemo) -> JudgedDemo:
    """The demo judged with its own settings."""
    return judge_demo(larkhaven.SILENCE_MEANS)


def _subject(bundle: Bundle, claim: ClaimRecord, silence_means: str) -> Subject:
    return Subject(
        task="judge",
        kind=ClaimKind.STATEMENT,
        question=larkhaven.QUESTION,
        labels=DISPLAY,
        sources=tuple(SourceText(document.title, document.text) for document in bundle.documents),
        claims=(ClaimText(claim.external_id, claim.kind, claim.text),),
        silence_means=silence_means,
        in_between=larkhaven.IN_BETWEEN,
    )


def _vote(model: OfflineModel, judge: str, subject: Subject) -> str:
    reply = model.complete(ChatRequest(model=judge, messages=(), subject=subject))
    assert reply.parsed is not None
    return str(reply.parsed["verdicts"][0]["verdict"])
