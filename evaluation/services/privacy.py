"""What a project replaces in its texts before they are sent to another machine."""

from __future__ import annotations

from dataclasses import asdict

from django.contrib.auth.models import User

from evaluation.errors import InvalidInputError
from evaluation.methods.deidentify import Masked, mask, untouched
from evaluation.models import Judge, Project
from evaluation.schemas import PrivacyRules, Subject
from evaluation.services import judges, projects

MAX_NAMES = 500
SHORTEST_NAME, LONGEST_NAME = 2, 100


def rules_of(project: Project) -> PrivacyRules | None:
    """The project's rules, None where nothing is replaced."""
    return PrivacyRules.of(project.deidentify)


def masked(project: Project, judge: Judge, subject: Subject) -> Masked:
    """The subject as this judge gets it: judges of this installation read the originals."""
    rules = rules_of(project)
    if rules is None or not judges.is_remote(judge):
        return untouched(subject)
    return mask(subject, rules)


def rules_from(*, emails: bool, phones: bool, titles: bool, names: str) -> PrivacyRules:
    """Rules from what a person typed, one name a line. Raises InvalidInputError naming the line."""
    lines = {number: " ".join(line.split()) for number, line in enumerate(names.splitlines(), start=1)}
    for number, name in lines.items():
        if name and not SHORTEST_NAME <= len(name) <= LONGEST_NAME:
            raise InvalidInputError(
                f"Line {number} of the names has {len(name)} characters: a name has {SHORTEST_NAME} to {LONGEST_NAME}."
            )
        if "\x00" in name:
            raise InvalidInputError(f"Line {number} of the names holds a NUL character: remove it.")
    listed = tuple(dict.fromkeys(name for name in lines.values() if name))
    if len(listed) > MAX_NAMES:
        raise InvalidInputError(f"{len(listed)} names are listed: at most {MAX_NAMES} can be replaced.")
    return PrivacyRules(emails=emails, phones=phones, titles=titles, names=listed)


def set_rules(*, project: Project, by: User, rules: PrivacyRules) -> Project:
    """Keep what is replaced from the next question on. Raises NotAllowedError for anybody but an owner."""
    projects.require_owner(project, by)
    project.deidentify = {
        name: list(value) if isinstance(value, tuple) else value for name, value in asdict(rules).items()
    }
    project.save(update_fields=["deidentify"])
    return project
