"""What an error says, wherever the server put it."""

from __future__ import annotations

import pytest

from evaluation.llm.errors import LLMError
from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.llm.own_parameters import OwnParameters
from evaluation.llm.protocol import JsonObject
from evaluation.llm.providers import openai_client
from evaluation.llm.providers.sender import Sender, problem_in, status_of
from tests.evaluation.llm.builders import judge


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('{"error": {"message": "No.", "type": "t", "code": "c", "param": "p"}}', "No. (t, c, p)"),
        ('{"error": {"message": "No.", "code": null}}', "No."),
        ('{"type": "error", "error": {"type": "billing_error", "message": "Pay."}}', "Pay. (billing_error)"),
        ('{"error": "No."}', "No."),
        ('{"message": "No."}', "No."),
        ('{"detail": "No."}', "No."),
        ('[{"error": {"message": "No."}}]', "No."),
        ('{"error": {"oops": 1}}', '{"error": {"oops": 1}}'),
        ("<html>No.</html>", "<html>No.</html>"),
        ("", ""),
        ("[]", "[]"),
        ("null", "null"),
    ],
)
def test_it_finds_what_an_error_says(body: str, said: str) -> None:
    assert problem_in(body) == said


@pytest.mark.parametrize(
    ("error", "status"),
    [
        ({"code": 502}, 502),
        ({"code": 200}, 500),
        ({"code": "rate_limit_exceeded"}, 429),
        ({"code": "server_error"}, 500),
        ({"code": "invalid_prompt"}, 400),
        ({}, 500),
        ("busy", 500),
    ],
)
def test_error_within_a_reply_stands_for_a_status(error: object, status: int) -> None:
    assert status_of(error) == status


def _sender(server: LocalServer) -> Sender:
    return openai_client.sender(judge("openai_chat", server.openai_url), "key-1234", OwnParameters())


def test_lines_are_read_one_by_one_and_broken_ones_left_out() -> None:
    raw = '{"a": "x\u2028y"}\n\n[1]\n{"half": \n{"b": "key-1234"}'.encode()

    with LocalServer() as server:
        server.script(Step(raw=raw), path="/v1/files")
        read = _sender(server).lines("/files/f1/content")

    assert read == [{"a": "x\u2028y"}, {"b": "***"}]


def test_file_is_sent_as_a_form() -> None:
    content = b'{"custom_id": "1"}\n'

    with LocalServer() as server:
        sender = _sender(server)
        heard = sender.upload("/files", {"purpose": "batch"}, "t.jsonl", content)
        stored: JsonObject = sender.get(f"/files/{heard.said['id']}").said
        lines = sender.lines(f"/files/{heard.said['id']}/content")

    assert (stored["purpose"], stored["filename"], stored["bytes"]) == ("batch", "t.jsonl", len(content))
    assert lines == [{"custom_id": "1"}]


def test_failure_of_a_file_is_classified() -> None:
    with LocalServer() as server, pytest.raises(LLMError, match="No such file") as caught:
        _sender(server).lines("/files/unknown/content")

    assert caught.value.reason == "config"
