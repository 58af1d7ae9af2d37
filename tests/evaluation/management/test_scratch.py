"""Commands beside a make-believe LLM: in a folder of their own that is gone afterwards, with the server."""

from __future__ import annotations

import os
import urllib.request
from urllib.error import URLError

import pytest

from evaluation.errors import MissingPieceError
from evaluation.management import scratch


def test_a_server_runs_beside_it_and_nothing_is_left(capfd: pytest.CaptureFixture[str]) -> None:
    with scratch.beside_a_server(["--refused", "1"]) as made:
        request = urllib.request.Request(f"{made.urls['openai_chat']}/chat/completions", data=b"{}")
        refusal = urllib.request.urlopen(request).read()
        lines = made.log.read_text().count("\n")
        with pytest.raises(MissingPieceError, match="bench nonsense failed"):
            made.run("bench", "nonsense")

    assert b"not able to help" in refusal
    assert lines == 1
    assert not made.folder.exists()
    with pytest.raises(URLError):
        urllib.request.urlopen(request)
    assert "invalid choice: 'nonsense'" in capfd.readouterr().err


def test_a_command_works_on_a_database_of_its_own() -> None:
    with scratch.beside_a_server([]) as made:
        found = made.run("bench", "decide", "--claims", "50")

    assert found["patterns"]
    assert str(made.folder) not in os.environ.get("DATABASE_URL", "")


def test_a_server_that_does_not_start_is_named(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(MissingPieceError, match="did not start"), scratch.beside_a_server(["--cut", "3"]):
        pass

    assert "a share from 0 to 1" in capfd.readouterr().err
