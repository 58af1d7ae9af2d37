"""Serve a make-believe LLM on this machine that speaks both remote protocols, to try judges without a key or a cost."""

from __future__ import annotations

import json
import signal
from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from evaluation.errors import MissingPieceError
from evaluation.llm.local_server.server import LocalServer
from evaluation.management import answers

INSTRUCTIONS = """  Serving; every answer comes from a fixed rule and means nothing. Ctrl-C ends it.

  OpenAI protocol      {openai}
  Anthropic protocol   {anthropic}

  Next   on the page Judges of a project add a judge of provider “OpenAI and compatible” with this base URL and any
         model name; a key is not asked for. Then: manage.py run_panel --project SLUG"""


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8811, help="0 takes any free one (default 8811)")
        answers.add_json(parser)

    def handle(self, *_: object, port: int, as_json: bool, **__: object) -> None:
        with answers.sentences(self.stdout), _server(port) as server:
            addresses = {"openai": server.openai_url, "anthropic": server.url}
            facts = {"base_urls": {"openai_chat": server.openai_url, "anthropic_messages": server.url}}
            self.stdout.write(json.dumps(facts) if as_json else INSTRUCTIONS.format(**addresses))
            self.stdout.flush()
            _wait_for_the_end(server)


def _wait_for_the_end(server: LocalServer) -> None:
    """Serve until Ctrl-C or a kill; a process started in the background has Ctrl-C switched off, so it is set here."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: server.closing.set())
    server.closing.wait()


def _server(port: int) -> LocalServer:
    if not 0 <= port <= 65535:
        raise MissingPieceError(f"There is no port {port}: name one from 0 to 65535.")
    try:
        return LocalServer(port=port)
    except OSError as error:
        raise MissingPieceError(f"Port {port} cannot be used ({error.strerror}): name another with --port.") from error
