"""The form that says what is replaced."""

from __future__ import annotations

import pytest

from annotation.privacy_form import PrivacyForm, kept
from evaluation.models import Project
from evaluation.schemas import PrivacyRules


def test_what_is_ticked_and_typed_are_the_rules() -> None:
    form = PrivacyForm({"phones": "on", "titles": "on", "names": "Ana\n\nBea", "response": ""})

    assert form.is_valid()
    assert form.rules() == PrivacyRules(phones=True, titles=True, names=("Ana", "Bea"))


@pytest.mark.django_db
def test_what_a_project_keeps_is_ticked_and_typed(project: Project) -> None:
    project.deidentify = {"emails": True, "names": ["Ana", "Bea"]}

    form = kept(project)

    assert [form[name].value() for name in ("emails", "phones", "titles", "names")] == [True, False, False, "Ana\nBea"]


def test_an_overlong_number_of_a_response_is_no_crash() -> None:
    assert not PrivacyForm({"response": "-1"}).is_valid()
