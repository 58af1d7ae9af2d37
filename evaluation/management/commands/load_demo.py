"""Load the demo: three documents, twelve memos with planted errors, judged by the offline panel."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from evaluation.management import answers
from evaluation.management.announcing import Announcer
from evaluation.management.answers import Answer
from evaluation.services import demo, signin

STEP = "Demo"


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        answers.add_json(parser)

    def handle(self, *_: object, as_json: bool, **__: object) -> None:
        say = Announcer(self.stdout, is_quiet=as_json)
        with answers.sentences(self.stdout):
            project = demo.load(owner=signin.owner(), say=lambda text: say.passing(STEP, text))
        facts: dict[str, object] = {
            "project": project.slug,
            "responses": project.responses.count(),
            "claims": project.claims.count(),
            "judges": project.judges.filter(is_active=True).count(),
        }
        say.done(STEP, f"{facts['responses']} memos, {facts['claims']} claims, {facts['judges']} offline judges")
        line = "  The judges are heuristics that need no key, and no measure of what LLM judges can do."
        answers.show(self.stdout, Answer(facts, [line], "open it: make run"), as_json=as_json)
