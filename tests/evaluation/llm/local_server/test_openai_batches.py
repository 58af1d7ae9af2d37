"""Files and batches as OpenAI's own library sees them."""

from __future__ import annotations

import json

import openai
import pytest

from evaluation.llm.local_server.answering import Behaviour
from evaluation.llm.local_server.faults import Faults
from evaluation.llm.local_server.script import Step
from evaluation.llm.local_server.server import LocalServer
from evaluation.llm.protocol import JsonObject

CHAT = "/v1/chat/completions"


def client(server: LocalServer) -> openai.OpenAI:
    return openai.OpenAI(api_key="none", base_url=server.openai_url, max_retries=0)


def line(custom_id: str, path: str = CHAT) -> bytes:
    body = {"model": "m", "messages": [{"role": "user", "content": f"Käse {custom_id}"}]}
    return json.dumps({"custom_id": custom_id, "method": "POST", "url": path, "body": body}).encode()


def submitted(server: LocalServer, content: bytes) -> str:
    api = client(server)
    file = api.files.create(file=("requests.jsonl", content), purpose="batch")
    made = api.batches.create(
        input_file_id=file.id, endpoint=CHAT, completion_window="24h", metadata={"token": "run-7"}
    )
    return made.id


def rows(server: LocalServer, file: str | None) -> dict[str, JsonObject]:
    text = client(server).files.content(file or "").text
    return {row["custom_id"]: row for row in map(json.loads, text.splitlines())}


def test_a_file_is_kept_byte_for_byte_until_it_is_deleted(server: LocalServer) -> None:
    api, content = client(server), b"one\r\n\r\ntwo\n--x\n\xff\r\n"

    file = api.files.create(file=("a b.jsonl", content), purpose="batch")

    assert (file.filename, file.bytes, file.purpose) == ("a b.jsonl", len(content), "batch")
    assert api.files.content(file.id).read() == content
    assert api.files.retrieve(file.id).id == file.id
    assert api.files.delete(file.id).deleted
    with pytest.raises(openai.NotFoundError, match="No such file"):
        api.files.content(file.id)


def test_it_answers_what_it_can_and_lists_the_rest_apart(server: LocalServer) -> None:
    server.script_batched(Step(text="blue"), Step(status=500, message="Broken."), Step(did="expired"))

    name = submitted(server, b"\n".join(line(each) for each in "abc"))
    batch = client(server).batches.retrieve(name)

    assert (batch.status, batch.metadata) == ("completed", {"token": "run-7"})
    assert batch.request_counts is not None
    assert (batch.request_counts.completed, batch.request_counts.failed) == (1, 2)
    good, bad = rows(server, batch.output_file_id), rows(server, batch.error_file_id)
    assert good["a"]["response"]["body"]["choices"][0]["message"]["content"] == "blue"
    assert bad["b"]["response"]["status_code"] == 500
    assert (bad["c"]["response"], bad["c"]["error"]["code"]) == (None, "batch_expired")


def test_one_that_takes_its_time_can_be_cancelled() -> None:
    with LocalServer(behaviour=Behaviour(batch_seconds=3_600)) as server:
        api = client(server)
        name = submitted(server, line("a"))
        before = api.batches.retrieve(name)
        after = api.batches.cancel(name)

    assert (before.status, before.output_file_id) == ("in_progress", None)
    assert (after.status, after.output_file_id) == ("cancelled", None)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty_file"),
        (b"{}", "invalid_json_line"),
        (b"\n".join([line("a"), line("a")]), "duplicate_custom_id"),
        (line("a", "/v1/responses"), "mismatched_endpoint"),
    ],
)
def test_lines_that_cannot_be_read_make_it_fail(server: LocalServer, content: bytes, code: str) -> None:
    batch = client(server).batches.retrieve(submitted(server, content))

    assert batch.status == "failed"
    assert batch.errors is not None
    assert batch.errors.data is not None
    assert [error.code for error in batch.errors.data] == [code]
    assert server.journal.text() == ""


def test_batches_are_listed_page_by_page(server: LocalServer) -> None:
    names = [submitted(server, line("a")) for _ in range(3)]

    listed = [batch.id for batch in client(server).batches.list(limit=2)]

    assert listed == names[::-1]


def test_what_is_missing_is_said(server: LocalServer) -> None:
    api = client(server)

    with pytest.raises(openai.NotFoundError, match="No batch found"):
        api.batches.retrieve("batch_none")
    with pytest.raises(openai.BadRequestError, match="input_file_id that exists"):
        api.batches.create(input_file_id="file-none", endpoint=CHAT, completion_window="24h")
    with pytest.raises(openai.BadRequestError, match="A form with a file"):
        api.post("/files", cast_to=object, body={})


def test_faults_befall_the_requests_within() -> None:
    with LocalServer(behaviour=Behaviour(faults=Faults(refused=0.5, server_errors=0.3, expired=0.2))) as server:
        name = submitted(server, b"\n".join(line(str(number)) for number in range(100)))
        batch = client(server).batches.retrieve(name)
        bad = rows(server, batch.error_file_id)

    assert batch.request_counts is not None
    assert batch.request_counts.failed == len(bad)
    assert 30 < len(bad) < 70
    assert {row["error"] is None for row in bad.values()} == {True, False}
