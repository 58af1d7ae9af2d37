"""Servers for tests of services."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from evaluation.llm.local_server.answering import Behaviour
from evaluation.llm.local_server.server import LocalServer


@pytest.fixture
def slow() -> Iterator[LocalServer]:
    """A server whose batches take an hour."""
    with LocalServer(behaviour=Behaviour(batch_seconds=3_600)) as running:
        yield running
