"""`fake_llm` serves until it is interrupted."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import httpx
import pytest
from django.core.management import CommandError

from evaluation.llm.local_server.journal import entries
from evaluation.llm.local_server.server import LocalServer
from tests.evaluation.management.commands.conftest import Say


def test_it_answers_over_http_and_ends_with_ctrl_c(root: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    command = [sys.executable, "manage.py", "fake_llm", "--port", "0", "--json", "--refused", "1", "--log", str(log)]

    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            urls = json.loads(server.stdout.readline())["base_urls"]
            question = {"model": "any", "messages": [{"role": "user", "content": "Hello"}]}
            reply = httpx.post(f"{urls['openai_chat']}/chat/completions", json=question, timeout=20)
        finally:
            server.send_signal(signal.SIGINT)
        code = server.wait(timeout=20)

    assert reply.json()["choices"][0]["message"]["role"] == "assistant"
    assert [entry.done for entry in entries(log.read_text())] == ["refused"]
    assert code == 0


def test_a_taken_port_is_named(say: Say) -> None:
    with LocalServer() as taken:
        port = taken.server_address[1]

        with pytest.raises(CommandError, match=f"Port {port} cannot be used"):
            say("fake_llm", "--port", str(port))


def test_a_port_that_does_not_exist_is_refused(say: Say) -> None:
    with pytest.raises(CommandError, match="no port 70000"):
        say("fake_llm", "--port", "70000")


def test_what_is_out_of_range_and_a_folder_that_is_missing_are_named(say: Say, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="cut is 2, but must be a share from 0 to 1"):
        say("fake_llm", "--cut", "2")
    with pytest.raises(CommandError, match="does not exist: make it first"):
        say("fake_llm", "--log", str(tmp_path / "none" / "log.jsonl"))
