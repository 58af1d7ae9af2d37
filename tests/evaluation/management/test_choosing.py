"""Which project a command is about."""

from __future__ import annotations

import pytest

from evaluation.errors import InvalidInputError
from evaluation.management.choosing import chosen, chosen_or_made
from evaluation.models import Project
from tests import factories

pytestmark = pytest.mark.django_db


def test_the_only_project_needs_no_name() -> None:
    only = factories.make_project()

    assert chosen("") == only


def test_the_demo_counts_only_where_it_is_alone() -> None:
    demo = factories.make_project(is_demo=True)
    alone = chosen("")
    own = factories.make_project()

    assert (alone, chosen("")) == (demo, own)


def test_a_project_is_found_by_slug_or_name() -> None:
    one, other = factories.make_project("Memos"), factories.make_project()

    assert chosen("Memos") == chosen(one.slug) == one
    assert chosen(other.slug) == other


def test_several_have_to_be_named() -> None:
    slugs = [factories.make_project().slug for _ in range(2)]

    with pytest.raises(InvalidInputError, match=f"--project. There are: {', '.join(sorted(slugs))}"):
        chosen("")


def test_two_of_one_name_are_told_apart_by_slug() -> None:
    factories.make_project("Memos"), factories.make_project("Memos")

    with pytest.raises(InvalidInputError, match="Several projects are called “Memos”"):
        chosen("Memos")


def test_a_new_one_is_made_once_and_belongs_to_the_owner() -> None:
    first = chosen_or_made("Fridge memos", "votes")
    second = chosen_or_made("Fridge memos", "votes")

    assert (first.is_new, second.is_new) == (True, False)
    assert first.project == second.project == Project.objects.get(slug="fridge-memos")
    assert first.project.memberships.get().user.is_superuser


def test_without_a_name_a_new_one_is_called_after_the_file_whatever_is_there() -> None:
    factories.make_project()

    made = chosen_or_made("", "votes")

    assert (made.project.name, made.is_new) == ("votes", True)


def test_without_a_name_one_called_like_the_file_has_to_be_named() -> None:
    slug = chosen_or_made("", "votes").project.slug

    with pytest.raises(InvalidInputError, match=f"There is a project “votes” already: .* --project {slug}"):
        chosen_or_made("", "votes")
