"""Import responses, claims and votes from a file or tree: a report first, then everything or nothing."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand
from django.urls import reverse

from evaluation.errors import ConflictError
from evaluation.management import answers, import_report, running
from evaluation.management.announcing import Announcer
from evaluation.management.answers import Answer
from evaluation.management.choosing import Chosen, add_project, chosen_or_made
from evaluation.management.sources import add_source, source_path
from evaluation.management.tables import counted
from evaluation.models import Import
from evaluation.services import imports
from evaluation.services.imports import Reading

STEP = "Import"
ADVICE = "Name one file or folder to import: import_data PATH"


@dataclass(frozen=True)
class Wish:
    """What is imported and what happens with records that are stored with other content."""

    path: Path
    fmt: str
    options: dict[str, str]
    on_conflict: str
    is_dry: bool


class Command(BaseCommand):
    help = __doc__
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_source(parser)
        parser.add_argument("--orders", default="both", choices=["both", "first"], help="LLMBar: presentation orders")
        parser.add_argument(
            "--on-conflict",
            default=Import.OnConflict.STOP,
            choices=Import.OnConflict.values,
            help="ids stored with other content",
        )
        parser.add_argument("--dry-run", dest="is_dry", action="store_true", help="report only, store nothing")
        add_project(parser, without="without it a new project named after the file is made")
        answers.add_json(parser)

    def handle(self, *_: object, project: str, is_dry: bool, as_json: bool, **given: str) -> None:
        self.say = Announcer(self.stdout, is_quiet=as_json)
        with answers.sentences(self.stdout):
            options = {"prompt": given["prompt"], "orders": given["orders"], "kind": given["kind"]}
            path = source_path(given["file"], given["path"], advice=ADVICE)
            wish = Wish(path, given["fmt"], options, given["on_conflict"], is_dry)
            answer = self._import(chosen_or_made(project, path.stem or "Imported"), wish)
        answers.show(self.stdout, answer, as_json=as_json)

    def _import(self, chosen: Chosen, wish: Wish) -> Answer:
        self.say.passing(STEP, "reading …")
        is_stored = False
        try:
            record, reading = imports.prepare_path(
                project=chosen.project, path=wish.path, fmt=wish.fmt, by=chosen.project.created_by, options=wish.options
            )
            facts = import_report.facts_of(record, reading)
            replaces = imports.may_replace(reading, wish.on_conflict)
            is_known = record.state == Import.State.COMMITTED and not replaces
            problem = _refused(record) if wish.is_dry or is_known else self._commit(record, reading, wish)
            is_stored = not (wish.is_dry or problem)
        finally:
            if chosen.is_new and not is_stored:
                chosen.project.delete()
        if wish.is_dry and not is_known and not chosen.is_new:
            record.delete()
        self.say.passing(STEP, "")
        did_store = is_stored and not is_known
        lines = [
            _target(chosen, wish, is_stored=is_stored),
            *import_report.lines_of(facts),
            _ending(record, is_known=is_known, is_stored=did_store),
        ]
        told = {"imported": did_store, "dry_run": wish.is_dry, "project_is_new": chosen.is_new, **facts}
        return Answer(told, lines, "" if wish.is_dry and is_known else _next(record, facts, wish), problem)

    def _commit(self, record: Import, reading: Reading, wish: Wish) -> str:
        if problem := _refused(record):
            return problem
        self.say.passing(STEP, "storing …")
        try:
            imports.commit_reading(record=record, reading=reading, on_conflict=wish.on_conflict, by=record.created_by)
        except ConflictError as error:
            return f"{error} Say so with --on-conflict keep or --on-conflict replace."
        return ""


def _refused(record: Import) -> str:
    if record.state != Import.State.REFUSED:
        return ""
    places = counted(record.report["n_refused"], "place")
    return f"Nothing was imported: {places} refused, see above. Put that right and import again."


def _target(chosen: Chosen, wish: Wish, *, is_stored: bool) -> str:
    project = chosen.project
    state = "exists"
    if chosen.is_new:
        state = "made" if is_stored else "will be made" if wish.is_dry else "was not made"
    return (
        f"  into: {project} ({state})"
        if str(project) == project.slug
        else f"  into: {project}, {project.slug} ({state})"
    )


def _ending(record: Import, *, is_known: bool, is_stored: bool) -> str:
    if is_known:
        when = f"{record.committed_at:%Y-%m-%d %H:%M} UTC" if record.committed_at else "before"
        return f"  This file was imported {when}: nothing was changed."
    return f"  Imported into “{record.project}” ({record.project.slug})." if is_stored else "  Nothing was stored."


def _next(record: Import, facts: import_report.Facts, wish: Wish) -> str:
    if wish.is_dry:
        return "import it: the same command without --dry-run"
    slug = record.project.slug
    if not facts["votes"]:
        return f"let judges vote: manage.py run_panel --project {slug} --offline"
    if notes := running.all_running(settings.DATA_DIR):
        return f"rule on what judges disagree about: {notes[0].url}{reverse('queue', args=[slug])}"
    return f"rule on what judges disagree about: make run (project {slug})"
