"""Finds the project that a command is about."""

from __future__ import annotations

from argparse import ArgumentParser
from dataclasses import dataclass

from evaluation.errors import InvalidInputError
from evaluation.models import Project
from evaluation.services import projects, signin


@dataclass(frozen=True)
class Chosen:
    """A project, and whether it was made just now."""

    project: Project
    is_new: bool


def add_project(parser: ArgumentParser, *, without: str = "may be left out where there is only one") -> None:
    """Add the option that names a project; `without` says what happens where it is left out."""
    parser.add_argument("--project", default="", help=f"slug or name; {without}")


def chosen(name: str) -> Project:
    """Return the named project, or the only one; the demo counts only where it is alone.

    Raises InvalidInputError naming those there are.
    """
    if name:
        found = _named(name)
        if found is None:
            raise InvalidInputError(f"There is no project “{name}”. {_known()}")
        return found
    candidates = list(Project.objects.filter(is_demo=False)[:2]) or list(Project.objects.filter(is_demo=True))
    if len(candidates) != 1:
        raise InvalidInputError(f"Name a project with --project. {_known()}")
    return candidates[0]


def chosen_or_made(name: str, fallback: str) -> Chosen:
    """Return the named project, making it if there is none of that name; without a name a new one called `fallback`.

    Raises InvalidInputError where `fallback` is the name of one that is there: then it has to be said.
    """
    found = _named(name or fallback)
    if found is not None and not name:
        raise InvalidInputError(
            f"There is a project “{found}” already: import into it with --project {found.slug}, or name a new one with "
            "--project NAME."
        )
    if found is not None:
        return Chosen(found, is_new=False)
    return Chosen(projects.create(name=name or fallback, owner=signin.owner()), is_new=True)


def _named(name: str) -> Project | None:
    if by_slug := Project.objects.filter(slug=name).first():
        return by_slug
    by_name = list(Project.objects.filter(name=name)[:2])
    if len(by_name) > 1:
        raise InvalidInputError(f"Several projects are called “{name}”: name one by its slug. {_known()}")
    return by_name[0] if by_name else None


def _known() -> str:
    slugs = list(Project.objects.order_by("slug").values_list("slug", flat=True))
    if not slugs:
        return "There is none yet: make one with import_data PATH --project NAME."
    return f"There are: {', '.join(slugs)}."
