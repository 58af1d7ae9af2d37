"""What a command says: one JSON object, or lines for people with the next step; bad input becomes a sentence."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from django.core.management.base import CommandError
from django.db import OperationalError, ProgrammingError, connection

from evaluation.errors import JuryFlowError
from evaluation.management.announcing import Output

INTERRUPTED = 130


@dataclass(frozen=True)
class Answer:
    """What came of a command: `facts` for programs, `lines` for people; a `problem` makes it exit non-zero."""

    facts: Mapping[str, object]
    lines: Sequence[str] = ()
    next_step: str = ""
    problem: str = ""


def add_json(parser: ArgumentParser) -> None:
    """Add the option that every command takes."""
    parser.add_argument("--json", dest="as_json", action="store_true", help="print one JSON object and nothing else")


def show(out: Output, answer: Answer, *, as_json: bool) -> None:
    """Print an answer; raises CommandError with its problem, if it has one."""
    if as_json:
        out.write(json.dumps(answer.facts, ensure_ascii=False))
    else:
        for line in answer.lines:
            out.write(line)
        if answer.next_step and not answer.problem:
            out.write(f"  Next   {answer.next_step}")
    if answer.problem:
        raise CommandError(answer.problem)


@contextmanager
def sentences(out: Output) -> Iterator[None]:
    """Turn what a person can put right into a CommandError with its sentence."""
    try:
        yield
    except JuryFlowError as error:
        raise _after_progress(out, CommandError(str(error))) from error
    except (OperationalError, ProgrammingError) as error:
        advice = "Start JuryFlow once with `make run`, or run: manage.py migrate"
        problem = CommandError(f"The database {_database()} cannot be used ({error}). {advice}")
        raise _after_progress(out, problem) from error
    except KeyboardInterrupt:
        stopped = CommandError("Stopped. What was finished is kept; run it again to go on.", returncode=INTERRUPTED)
        raise _after_progress(out, stopped) from None


def _database() -> str:
    """The database by its name, and for a file what chooses its folder."""
    name = str(connection.settings_dict["NAME"])
    is_file = connection.vendor == "sqlite"
    return f"{name} (its folder is chosen by JURYFLOW_DATA, all of it by DATABASE_URL)" if is_file else f"“{name}”"


def _after_progress(out: Output, error: CommandError) -> CommandError:
    if out.isatty():
        out.write("\r\033[K", ending="")
    return error
