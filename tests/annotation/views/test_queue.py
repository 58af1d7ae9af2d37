from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from evaluation.models import Draw, Project
from tests import factories


def page(client: Client, project: Project, query: str = "") -> str:
    return client.get(reverse("queue", kwargs={"slug": project.slug}) + query).content.decode()


def test_it_lists_claims_with_split_answer_and_look_alikes(signed_in: Client, project: Project) -> None:
    claim = factories.make_disputed(project, factories.make_judges(project), n=3)[0]

    shown = page(signed_in, project)

    assert claim.text in shown
    assert "2 Supported · 1 Not supported" in shown
    assert "leans “Supported”" in shown
    assert 'aria-label="2 other claims with this split"' in shown
    assert "still settling (0 of 20)" in shown


def test_next_leads_to_the_same_claim_until_it_is_ruled_on(signed_in: Client, project: Project) -> None:
    factories.make_disputed(project, factories.make_judges(project), n=3)
    following = reverse("next-claim", kwargs={"slug": project.slug})

    first, second = signed_in.get(following), signed_in.get(following)

    assert first.headers["Location"] == second.headers["Location"]
    assert Draw.objects.count() == 1


def test_next_without_claims_says_that_nothing_is_left(signed_in: Client, project: Project) -> None:
    response = signed_in.get(reverse("next-claim", kwargs={"slug": project.slug}), follow=True)

    assert "Nothing is left to rule on" in response.content.decode()


@pytest.mark.parametrize(
    "query", ["?page=0", "?page=99", "?page=x", "?page=-1", "?split=x", "?split=9223372036854775808"]
)
def test_strange_addresses_show_a_page(signed_in: Client, project: Project, query: str) -> None:
    factories.make_disputed(project, factories.make_judges(project))

    assert "Next claim" in page(signed_in, project, query)


def test_each_empty_queue_names_the_next_step(signed_in: Client, project: Project, owner: User) -> None:
    without_claims = page(signed_in, project)
    claim = factories.make_claim(project)
    without_votes = page(signed_in, project)
    judges = factories.make_judges(project)
    factories.vote(claim, dict.fromkeys(judges, "accept"))
    without_disputes = page(signed_in, project)

    assert "There are no claims yet" in without_claims
    assert "No judge has voted yet" in without_votes
    assert "Nothing is disputed any more" in without_disputes


def test_thin_and_unjudged_claims_are_apart_with_a_way_to_run_again(signed_in: Client, project: Project) -> None:
    judges = factories.make_judges(project)
    factories.make_disputed(project, judges)
    factories.make_claim(project)
    factories.vote(factories.make_claim(project), {judges[0]: "accept"})

    shown = page(signed_in, project)

    assert "Not judged: 1" in shown
    assert "One vote only: 1" in shown
    assert shown.count("Run again") == 2


def test_a_hostile_tag_in_the_address_is_literal(signed_in: Client, project: Project) -> None:
    factories.make_disputed(project, factories.make_judges(project))

    shown = page(signed_in, project, "?tag=%3Cscript%3Ealert(1)%3C/script%3E")

    assert "<script>alert" not in shown
    assert "No open claim fits this filter" in shown


def test_where_nothing_is_disputed_the_next_claim_is_drawn_at_random(signed_in: Client, project: Project) -> None:
    claim = factories.make_claim(project)
    factories.vote(claim, dict.fromkeys(factories.make_judges(project), "accept"))
    following = reverse("next-claim", kwargs={"slug": project.slug})

    shown = page(signed_in, project)
    answer = signed_in.get(following)

    assert f'href="{following}"' in shown
    assert "Next claim, drawn at random (audit)" in shown
    assert answer.headers["Location"] == reverse("claim", kwargs={"slug": project.slug, "claim_id": claim.pk})
    assert Draw.objects.get().is_audit


def test_a_generated_id_never_stands_for_a_missing_question(signed_in: Client, project: Project) -> None:
    instance = factories.make_instance(project, prompt="")
    factories.make_disputed(project, factories.make_judges(project), response=factories.make_response(instance))

    shown = page(signed_in, project)

    assert instance.external_id not in shown[shown.index("<tbody>") :]
    assert "muted where" not in shown


def test_the_note_on_hollow_answers_stands_only_where_one_is_shown(signed_in: Client, project: Project) -> None:
    judges = factories.make_judges(project, 2)
    factories.make_disputed(project, judges)
    with_a_tie = page(signed_in, project)
    factories.make_disputed(project, [*judges, *factories.make_judges(project, 1)])

    with_a_lean = page(signed_in, project)

    assert "still settling" not in with_a_tie
    assert "drawn hollow" in with_a_lean


def test_a_claim_passed_on_is_no_ruling_in_the_strip(signed_in: Client, project: Project) -> None:
    claim = factories.make_disputed(project, factories.make_judges(project), 2)[0]
    address = reverse("rule", kwargs={"slug": project.slug, "claim_id": claim.pk})

    signed_in.post(address, {"token": "t", "action": "cannot_judge"})

    shown = page(signed_in, project)
    assert f"You passed “{claim.text}” on." in shown
    assert "you ruled" not in shown


def test_the_strip_names_the_claim_that_undo_takes_back(signed_in: Client, project: Project, owner: User) -> None:
    claim = factories.make_disputed(project, factories.make_judges(project), 2)[0]
    factories.rule(claim, owner, "reject")

    assert f"“Not supported”</strong> on “{claim.text}”" in page(signed_in, project)


def test_the_filter_lists_only_tags_that_disputed_claims_carry(signed_in: Client, project: Project) -> None:
    factories.make_disputed(project, factories.make_judges(project), tags=["price"])

    shown = page(signed_in, project)

    assert '<option value="price">' in shown
    assert '<option value="negation">' not in shown


def test_without_tags_there_is_no_filter(signed_in: Client, project: Project) -> None:
    factories.make_disputed(project, factories.make_judges(project))

    assert "queue-filter" not in page(signed_in, project)


def test_failed_votes_are_shown_with_a_button_for_owners(signed_in: Client, client: Client, project: Project) -> None:
    judge = factories.make_asked_judge(project, "http://127.0.0.1:9/v1")
    factories.vote_repeatedly(factories.make_claim(project), {judge: ("",)})
    expert = factories.make_member(project).user

    of_owner = page(signed_in, project)
    client.force_login(expert)
    of_expert = page(client, project)

    assert "Votes that failed: 1" in of_owner
    assert "time-out 1" in of_owner
    assert '<input type="hidden" name="ask" value="failed"><button class="button">Run again</button>' in of_owner
    assert "Votes that failed: 1" in of_expert
    assert "An owner of the project can run them again." in of_expert
    assert 'value="failed"' not in of_expert


def test_run_again_asks_for_the_failed_votes_only(signed_in: Client, project: Project) -> None:
    judge = factories.make_asked_judge(project, "http://127.0.0.1:9/v1")
    failed, _ = factories.make_claim(project), factories.make_claim(project)
    factories.vote_repeatedly(failed, {judge: ("",)})

    answer = signed_in.post(reverse("run-start", kwargs={"slug": project.slug}), {"ask": "failed"})

    run = project.runs.get(kind="panel")
    assert answer.headers["Location"] == reverse("run", kwargs={"slug": project.slug, "run_id": run.pk})
    assert [(job.judge, list(job.claims.all())) for job in run.jobs.all()] == [(judge, [failed])]


@pytest.mark.parametrize(
    ("kind", "says"), [("not-judged", "2 claims"), ("one-vote", "0 claims"), ("failed", "1 claim")]
)
def test_each_list_apart_has_a_page(signed_in: Client, project: Project, kind: str, says: str) -> None:
    judge = factories.make_asked_judge(project, "http://127.0.0.1:9/v1")
    factories.vote_repeatedly(factories.make_claim(project, "Text <b>as given</b>."), {judge: ("",)})
    factories.make_claim(project)

    response = signed_in.get(reverse("queue-apart", kwargs={"slug": project.slug, "kind": kind}))

    assert response.status_code == 200
    assert says in response.content.decode()
    assert "<b>as given" not in response.content.decode()


def test_a_list_that_does_not_exist_is_not_found(signed_in: Client, project: Project) -> None:
    assert signed_in.get(f"/p/{project.slug}/queue/nonsense/").status_code == 404
