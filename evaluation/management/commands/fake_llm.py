"""Serve a make-believe LLM on this machine that speaks the remote protocols, to try judges without a key or a cost."""

from __future__ import annotations

import json
import signal
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand

from evaluation.errors import MissingPieceError
from evaluation.llm.local_server.answering import Behaviour
from evaluation.llm.local_server.server import LOG_PATH, LocalServer
from evaluation.management import answers, fake_server

INSTRUCTIONS = """  Serving; every answer comes from a fixed rule and means nothing. Ctrl-C ends it.

  OpenAI protocols     {openai}
  Anthropic protocol   {anthropic}
  What it was asked    {log}

  Next   on the page Judges of a project add a judge of “OpenAI, or any server that speaks its chat protocol” with
         this base URL and any model name; it needs no key. Then: manage.py run_panel --project SLUG"""


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8811, help="0 takes any free one (default 8811)")
        parser.add_argument("--log", type=Path, metavar="FILE", help="add a line of JSON for each request")
        fake_server.add_options(parser)
        answers.add_json(parser)

    def handle(self, *_: object, port: int, log: Path | None, as_json: bool, **options: object) -> None:
        with answers.sentences(self.stdout), _server(port, log, fake_server.behaviour_of(options)) as server:
            known = {"openai": server.openai_url, "anthropic": server.url, "log": f"{server.url}{LOG_PATH}"}
            urls = {
                "openai_chat": server.openai_url,
                "openai_responses": server.openai_url,
                "anthropic_messages": server.url,
            }
            facts = {"base_urls": urls, "log": known["log"]}
            self.stdout.write(json.dumps(facts) if as_json else INSTRUCTIONS.format(**known))
            self.stdout.flush()
            _wait_for_the_end(server)


def _wait_for_the_end(server: LocalServer) -> None:
    """Serve until Ctrl-C or a kill; a process started in the background has Ctrl-C switched off, so it is set here."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: server.closing.set())
    server.closing.wait()


def _server(port: int, log: Path | None, behaviour: Behaviour) -> LocalServer:
    if not 0 <= port <= 65535:
        raise MissingPieceError(f"There is no port {port}: name one from 0 to 65535.")
    if log is not None and not log.parent.is_dir():
        raise MissingPieceError(f"The folder of {log} does not exist: make it first, or name another with --log.")
    try:
        return LocalServer(port=port, behaviour=behaviour, log=log, is_keeping=False)
    except OSError as error:
        raise MissingPieceError(f"Port {port} cannot be used ({error.strerror}): name another with --port.") from error
