"""Servers that answer nonsense: a run ends, and what came is kept in a form that every database takes."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator

import pytest

from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.llm.protocol import ChatReply, ChatRequest
from evaluation.models import Call, Judge, Project, Run, Verdict
from evaluation.schemas import Usage
from evaluation.services import judges, panel, panel_worker
from tests import factories

MOST = 2**31 - 1
VOTE = {"verdicts": [{"claim": "1", "rationale": "So it says.", "verdict": "accept", "confidence": 0.5}]}


@pytest.fixture
def server() -> Iterator[LocalServer]:
    with LocalServer() as running:
        yield running


@pytest.fixture
def impatience() -> Iterator[None]:
    """Fail instead of hanging."""

    def fail(*_: object) -> None:
        raise TimeoutError("the worker hangs")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def openai_body(**changes: object) -> bytes:
    message = {"role": "assistant", "content": json.dumps(VOTE)}
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    choices = [{"index": 0, "message": message, "finish_reason": changes.pop("finish_reason", "stop")}]
    body = {"id": "x", "object": "chat.completion", "created": 0, "model": "m", "choices": choices, "usage": usage}
    return json.dumps({**body, **changes}).encode()


def anthropic_body(**changes: object) -> bytes:
    content = [{"type": "tool_use", "id": "t", "name": "answer", "input": VOTE}]
    body = {"id": "x", "type": "message", "role": "assistant", "model": "m", "content": content}
    usage = {"input_tokens": 1, "output_tokens": 1}
    return json.dumps({**body, "stop_reason": "tool_use", "stop_sequence": None, "usage": usage, **changes}).encode()


def judged(project: Project, server: LocalServer, step: Step, provider: str = "openai_chat") -> Run:
    server.script(step, step)
    url = server.openai_url if provider == "openai_chat" else server.url
    factories.make_asked_judge(project, url, provider=provider)
    factories.make_claim(project, "The fridge is loud.")
    return panel_worker.drive(run_id=panel.open_run(project=project, by=None).pk)


@pytest.mark.django_db
@pytest.mark.usefixtures("impatience")
@pytest.mark.parametrize(
    ("changes", "kept"),
    [
        ({"usage": {"prompt_tokens": -5, "completion_tokens": 10**30, "total_tokens": 0}}, ("m", 0, MOST)),
        ({"usage": {"prompt_tokens": "many", "completion_tokens": None, "total_tokens": 0}}, ("m", 0, 0)),
        ({"model": None}, ("", 1, 1)),
        ({"model": "m\x00\ud800"}, ("m\ufffd\ufffd", 1, 1)),
        ({"finish_reason": "s\x00"}, ("m", 1, 1)),
    ],
)
def test_an_openai_server_that_lies_about_itself_is_kept_in_bounds(
    project: Project, server: LocalServer, changes: dict[str, object], kept: tuple[str, int, int]
) -> None:
    run = judged(project, server, Step(raw=openai_body(**changes)))

    call = Call.objects.get()
    assert (run.state, Verdict.objects.get().label) == (Run.State.DONE, "accept")
    assert (call.model, call.input_tokens, call.output_tokens) == kept
    assert "\x00" not in call.finish_reason


@pytest.mark.django_db
@pytest.mark.usefixtures("impatience")
@pytest.mark.parametrize(
    "changes",
    [
        {"usage": None},
        {"usage": {"input_tokens": -1, "output_tokens": "a"}},
        {"model": "m\x00"},
        {"stop_reason": "s\x00"},
    ],
)
def test_an_anthropic_server_that_lies_about_itself_is_kept_in_bounds(
    project: Project, server: LocalServer, changes: dict[str, object]
) -> None:
    run = judged(project, server, Step(raw=anthropic_body(**changes)), "anthropic_messages")

    call = Call.objects.get()
    assert (run.state, Verdict.objects.get().label) == (Run.State.DONE, "accept")
    assert min(call.input_tokens, call.output_tokens) >= 0
    assert "\x00" not in call.model + call.finish_reason


@pytest.mark.django_db
def test_an_error_with_a_nul_in_its_text_ends_the_job(project: Project, server: LocalServer) -> None:
    run = judged(project, server, Step(status=400, message="no \x00 such model" + "x" * 9_000))

    job = run.jobs.get()
    assert run.ended_at is not None
    assert job.state == "failed"
    assert "\x00" not in job.error
    assert len(job.error) <= 2_000


@pytest.mark.django_db
def test_a_rationale_of_two_megabytes_is_cut_and_whole_in_the_ledger(project: Project, server: LocalServer) -> None:
    vote = {**VOTE["verdicts"][0], "rationale": "x" * 2_000_000}

    judged(project, server, Step(answer={"verdicts": [vote]}))

    assert len(Verdict.objects.get().rationale) == 20_000
    assert len(Call.objects.get().raw_reply) > 2_000_000


class Unkeepable:
    """A judge whose replies the ledger refuses."""

    def complete(self, request: ChatRequest) -> ChatReply:
        return ChatReply(text=json.dumps(VOTE), model=request.model, usage=Usage(input_tokens=-1))


@pytest.mark.usefixtures("impatience")
def test_a_reply_that_cannot_be_kept_fails_alone_and_never_hangs_the_worker(
    project: Project, server: LocalServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad, good = factories.make_asked_judge(project, server.openai_url), factories.make_asked_judge(project, server.url)
    Judge.objects.filter(pk=good.pk).update(provider="anthropic_messages")
    factories.make_claim(project)
    run = panel.open_run(project=project, by=None)
    real = judges.model_for
    monkeypatch.setattr(judges, "model_for", lambda judge: Unkeepable() if judge.pk == bad.pk else real(judge))

    ended = panel_worker.drive(run_id=run.pk)

    assert ended.state == Run.State.DONE
    assert set(Verdict.objects.values_list("judge", "state", "failure_reason")) == {
        (bad.pk, "failed", "server"),
        (good.pk, "cast", ""),
    }
    assert Call.objects.get(judge=bad).error.startswith("The reply could not be stored")
