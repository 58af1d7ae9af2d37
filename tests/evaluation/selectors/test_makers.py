"""Makers of judges and systems, and who shares one."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from evaluation.models import Claim, Judge, Project
from evaluation.selectors import makers
from evaluation.selectors.answers import reader
from evaluation.selectors.claims import claim_page, visible_claims
from tests.factories import make_claim, make_instance, make_judges, make_pair, make_response, rule, vote

pytestmark = pytest.mark.django_db


def judge(model: str, provider: str = "openai_chat") -> Judge:
    return Judge(name="J", provider=provider, model=model)


def test_a_system_is_known_by_its_name_or_by_the_model_its_answers_name(project: Project) -> None:
    instance = make_instance(project)
    for system, model in (("GPT-4o", None), ("Birch", "claude-sonnet-4-6"), ("Aster", None), ("Cedar", 7)):
        response = make_response(instance, system=system)
        response.metadata = {} if model is None else {"model": model}
        response.save()

    assert makers.systems_by_maker(project) == {"OpenAI": ("GPT-4o",), "Anthropic": ("Birch",)}


def test_an_answer_without_a_system_belongs_to_the_model_it_names(project: Project) -> None:
    response = make_response(make_instance(project))
    unnamed = makers.maker_of_response(response)
    response.metadata = {"model": "qwen3-32b"}

    assert (unnamed, makers.maker_of_response(response), makers.maker_of_response(None)) == ("", "Qwen", "")


def test_only_systems_of_the_judges_maker_are_its_family() -> None:
    systems = {"OpenAI": ("Birch", "Cedar")}

    assert makers.same_maker(judge("gpt-5.4"), systems) == ("Birch", "Cedar")
    assert makers.same_maker(judge("claude-haiku-4-5"), systems) == ()
    assert makers.same_maker(judge("m"), systems) == ()
    assert makers.same_maker(judge("gpt-4", "replay"), systems) == ("Birch", "Cedar")


def test_rules_without_ai_have_no_maker() -> None:
    assert makers.maker_of_judge(judge("gpt-4", "offline")) == ""


def test_the_number_of_queries_does_not_grow(project: Project, django_assert_num_queries) -> None:
    instance = make_instance(project)
    for number in range(8):
        make_response(instance, system=f"System {number}")

    with django_assert_num_queries(2):
        makers.systems_by_maker(project)


def page_arguments(claim: Claim, owner: User) -> dict[str, str]:
    viewer = reader(claim.project, owner.pk)
    page = claim_page(viewer, visible_claims(claim.project).get(pk=claim.pk), None)
    return {argument.judge: argument.same_maker for side in page.arguments.sides for argument in side.arguments}


def test_a_vote_on_a_system_of_the_judges_maker_is_marked_once_both_names_are_seen(
    project: Project, owner: User
) -> None:
    claim = make_claim(project, response=make_response(make_instance(project), system="Claude with search"))
    panel = make_judges(project, 2)
    Judge.objects.filter(pk=panel[0].pk).update(model="claude-haiku-4-5")
    vote(claim, {panel[0]: "accept", panel[1]: "reject"})
    hidden = page_arguments(claim, owner)
    project.parameters = {"show_judge_names": True}
    project.save()
    without_system = page_arguments(Claim.objects.get(), owner)

    rule(claim, owner)

    assert hidden == {"": ""}
    assert without_system == {panel[0].name: "", panel[1].name: ""}
    assert page_arguments(Claim.objects.get(), owner) == {panel[0].name: "Claude with search", panel[1].name: ""}


def test_a_pair_has_the_makers_of_both_sides(project: Project) -> None:
    claim = make_pair(project)
    for response, model in ((claim.response, "gpt-5.4"), (claim.second_response, "mistral-large")):
        assert response is not None
        response.metadata = {"model": model}

    assert makers.systems_of(claim) == {"OpenAI": "this answer", "Mistral": "this answer"}
