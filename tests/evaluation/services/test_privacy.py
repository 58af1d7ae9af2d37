from __future__ import annotations

from dataclasses import replace

import pytest
from django.contrib.auth.models import User

from evaluation.errors import InvalidInputError, NotAllowedError
from evaluation.models import Project
from evaluation.schemas import PrivacyRules
from evaluation.services import judges, privacy
from tests import factories
from tests.evaluation.llm.builders import statement_subject

pytestmark = pytest.mark.django_db

SUBJECT = replace(statement_subject(), response="Write to ana@x.org.")


def switched_on(project: Project, owner: User) -> Project:
    return privacy.set_rules(project=project, by=owner, rules=PrivacyRules(emails=True, names=("Ana",)))


def test_rules_are_kept_and_read_again(project: Project, owner: User) -> None:
    switched_on(project, owner)

    project.refresh_from_db()
    assert privacy.rules_of(project) == PrivacyRules(emails=True, names=("Ana",))
    assert project.deidentify == {"emails": True, "phones": False, "names": ["Ana"], "titles": False}


def test_a_new_project_replaces_nothing(project: Project) -> None:
    judge = factories.make_asked_judge(project, "http://127.0.0.1:9/v1")

    assert privacy.rules_of(project) is None
    assert privacy.masked(project, judge, SUBJECT).subject is SUBJECT


def test_only_an_owner_says_what_is_replaced(project: Project) -> None:
    expert = factories.make_member(project).user

    with pytest.raises(NotAllowedError):
        privacy.set_rules(project=project, by=expert, rules=PrivacyRules())


def test_judges_of_providers_get_placeholders_and_judges_of_this_installation_the_originals(
    project: Project, owner: User
) -> None:
    switched_on(project, owner)
    remote = factories.make_asked_judge(project, "http://127.0.0.1:9/v1")
    offline = judges.add_offline_panel(project=project)[0]

    assert privacy.masked(project, remote, SUBJECT).subject.response == "Write to [email 1]."
    assert privacy.masked(project, offline, SUBJECT).subject is SUBJECT


def test_names_are_read_line_by_line() -> None:
    rules = privacy.rules_from(emails=False, phones=True, titles=False, names=" Ana  Weber \n\nBea\r\nAna Weber\n")

    assert rules == PrivacyRules(phones=True, names=("Ana Weber", "Bea"))


@pytest.mark.parametrize(
    ("names", "said"),
    [
        ("Ana\nB", "Line 2 of the names has 1 characters"),
        ("x" * 101, "Line 1 of the names has 101 characters"),
        ("Ana\x00", "Line 1 of the names holds a NUL"),
        ("\n".join(f"Name {n}" for n in range(501)), "501 names are listed"),
    ],
)
def test_names_that_make_no_sense_are_refused_in_words(names: str, said: str) -> None:
    with pytest.raises(InvalidInputError, match=said):
        privacy.rules_from(emails=False, phones=False, titles=False, names=names)
