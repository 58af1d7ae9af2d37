"""Constraints on projects and members, and a project's words and parameters."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError

from evaluation.models import Membership, Project
from evaluation.schemas import Label, MethodParameters
from tests import factories

pytestmark = pytest.mark.django_db


def test_one_project_is_the_demo(project: Project) -> None:
    factories.make_project(is_demo=True)

    with pytest.raises(IntegrityError):
        factories.make_project(is_demo=True)


def test_a_person_is_a_member_once(project: Project, owner: User) -> None:
    with pytest.raises(IntegrityError):
        Membership.objects.create(project=project, user=owner, role="expert")


def test_stored_parameters_go_over_the_defaults_and_unknown_ones_are_ignored(project: Project) -> None:
    project.parameters = {"tau": 0.2, "of_another_version": 1}

    assert project.method_parameters == MethodParameters(tau=0.2)


def test_labels_leave_out_what_the_project_does_not_allow(project: Project) -> None:
    project.allow_tie = project.allow_uncertain = False

    assert project.labels("statement") == (Label.ACCEPT, Label.REJECT)
    assert project.labels("preference") == (Label.FIRST, Label.SECOND)


def test_own_words_go_over_the_usual_ones(project: Project) -> None:
    project.display_labels = {"statement": {"accept": "True"}}
    project.questions = {}

    assert project.label_words("statement")[Label.ACCEPT] == "True"
    assert project.label_words("statement")[Label.REJECT] == "Not supported"
    assert project.question("statement") == "Do the sources support this?"
