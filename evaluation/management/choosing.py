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


def add_project(parser: ArgumentParser) -> None:
    """Add the option that names a project."""
    parser.add_argument("--project", default="", help="slug or name; may be left out where there is only one")


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
    """Return the named project, making it if there is none of that name.

    Without a name it is the only project besides the demo; where there is none yet, one is called `fallback`. Raises
    InvalidInputError where there are several.
    """
    if name:
        found = _named(name)
    else:
        own = list(Project.objects.filter(is_demo=False)[:2])
        if len(own) > 1:
            raise InvalidInputError(f"Name a project with --project. {_known()}")
        found = own[0] if own else None
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
