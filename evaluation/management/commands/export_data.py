"""Write a project's data to a file or to standard output: everything, claims, votes, rulings or the rubric."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand

from evaluation.errors import InvalidInputError
from evaluation.management import answers
from evaluation.management.announcing import Announcer
from evaluation.management.answers import Answer
from evaluation.management.choosing import add_project, chosen
from evaluation.management.files import tolerating_a_closed_pipe, write_whole
from evaluation.models import Project
from evaluation.services import exports

WHATS = tuple(dict.fromkeys(each.what for each in exports.CHOICES))
FORMATS = tuple(dict.fromkeys(each.fmt for each in exports.CHOICES))


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--what", default="all", choices=WHATS)
        parser.add_argument("--format", dest="fmt", default="", choices=["", *FORMATS], metavar="FORMAT")
        parser.add_argument("--out", default="", metavar="FILE", help="default: standard output")
        add_project(parser)
        answers.add_json(parser)

    def handle(self, *_: object, project: str, what: str, out: str, as_json: bool, **given: str) -> None:
        with answers.sentences(self.stdout):
            choice = exports.choice(what, given["fmt"] or _usual_format(what))
            if as_json and not out:
                raise InvalidInputError("The export itself goes to standard output: name a file with --out for --json.")
            found = chosen(project)
            if not out:
                self._stream(found, choice)
                return
            answer = self._write(found, choice, Path(out), is_quiet=as_json)
        answers.show(self.stdout, answer, as_json=as_json)

    def _stream(self, project: Project, choice: exports.Choice) -> None:
        with tolerating_a_closed_pipe():
            for piece in exports.stream(project=project, what=choice.what, fmt=choice.fmt):
                self.stdout.write(piece, ending="")
            self.stdout.flush()

    def _write(self, project: Project, choice: exports.Choice, file: Path, *, is_quiet: bool) -> Answer:
        say = Announcer(self.stdout, is_quiet=is_quiet)
        say.passing("Export", "writing …")
        n_bytes = write_whole(file, exports.stream(project=project, what=choice.what, fmt=choice.fmt))
        say.passing("", "")
        facts: dict[str, object] = {"project": project.slug, "file": str(file), "what": choice.what}
        facts |= {"format": choice.fmt, "bytes": n_bytes}
        lines = [f"  {file}: {choice.what} of “{project}” as {choice.fmt}, {n_bytes:,} bytes"]
        again = f"import it elsewhere: manage.py import_data {file} --project NAME"
        return Answer(facts, lines, again if choice.what in ("all", "votes") else "")


def _usual_format(what: str) -> str:
    return next(each.fmt for each in exports.CHOICES if each.what == what)
