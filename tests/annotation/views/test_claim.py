from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from evaluation.models import Claim, Decision, Draw, Outcome, Project, Run
from tests import factories


def address(name: str, claim: Claim) -> str:
    return reverse(name, kwargs={"slug": claim.project.slug, "claim_id": claim.pk})


def disputed(project: Project, n: int = 1) -> list[Claim]:
    instance = factories.make_instance(project, sources=["Installation is not included."])
    response = factories.make_response(instance, "An answer.", system="Birch")
    return factories.make_disputed(project, factories.make_judges(project), n=n, response=response)


def body(response: object) -> str:
    return response.content.decode()  # type: ignore[attr-defined, no-any-return]


def test_the_page_reads_in_the_order_of_the_work(signed_in: Client, project: Project) -> None:
    claim = disputed(project)[0]

    page = body(signed_in.get(address("claim", claim)))

    order = ["claim-question", "claim-text", "claim-why", "The response", "Sources", "Arguments", "ruling-choices"]
    places = [page.index(part) for part in order]
    assert places == sorted(places)


def test_judges_and_system_have_no_name_on_the_page_before_the_ruling(
    signed_in: Client, project: Project, owner: User
) -> None:
    claim = disputed(project)[0]
    names = [*project.judges.values_list("name", flat=True), "Birch"]
    # the judges' reasons in the factory carry their names; a real reason does not
    claim.verdicts.update(rationale="It is said so.")
    before = body(signed_in.get(address("claim", claim)))
    factories.rule(claim, owner)

    after = body(signed_in.get(address("claim", claim)))

    assert not [name for name in names if name in before]
    assert not [name for name in names if name not in after]


def test_a_ruling_is_stored_with_how_it_came_and_leads_to_the_next_claim(
    signed_in: Client, project: Project, owner: User
) -> None:
    claim, other = disputed(project, 2)
    draw = factories.make_draw(claim, owner)
    fields = {"token": "once", "draw": draw.pk, "label": "reject", "reason": "It says not.", "is_serious": "on"}

    response = signed_in.post(address("rule", claim), fields)

    decision = Decision.objects.get()
    assert response.status_code == 302
    assert response.headers["Location"] == address("claim", other)
    assert (decision.label, decision.reason, decision.is_serious, decision.draw) == (
        "reject",
        "It says not.",
        True,
        draw,
    )
    assert (decision.saw_names, decision.has_sources) == (False, True)


def test_the_strip_on_the_next_claim_says_what_was_ruled(signed_in: Client, project: Project) -> None:
    claim, _ = disputed(project, 2)

    page = body(signed_in.post(address("rule", claim), {"token": "t", "label": "reject"}, follow=True))

    assert "Last claim: you ruled <strong>“Not supported”" in page


def test_a_second_click_is_the_same_ruling(signed_in: Client, project: Project) -> None:
    claim = disputed(project, 2)[0]
    fields = {"token": "same", "label": "accept"}

    first, second = (signed_in.post(address("rule", claim), fields) for _ in range(2))

    assert first.headers["Location"] == second.headers["Location"]
    assert Decision.objects.count() == 1
    assert not Draw.objects.filter(claim=claim, is_open=True).exists()


def test_without_an_answer_the_page_comes_back_with_what_was_typed(signed_in: Client, project: Project) -> None:
    claim = disputed(project)[0]

    response = signed_in.post(
        address("rule", claim), {"token": "t", "reason": "Two <b>days</b> of thought", "is_serious": "on"}
    )

    assert response.status_code == 422
    assert "Two &lt;b&gt;days&lt;/b&gt; of thought</textarea>" in body(response)
    assert "Choose one of the answers" in body(response)
    assert re.search(r'name="is_serious"[^>]* checked', body(response))
    assert not Decision.objects.exists()


@pytest.mark.parametrize("label", ["first", "nonsense"])
def test_a_label_outside_the_scheme_is_refused_and_nothing_is_stored(
    signed_in: Client, project: Project, label: str
) -> None:
    claim = disputed(project)[0]

    response = signed_in.post(address("rule", claim), {"token": "t", "label": label, "reason": "kept"})

    assert response.status_code == 422
    assert "kept</textarea>" in body(response)
    assert not Decision.objects.exists()


def test_a_draw_that_was_used_is_refused_in_words(signed_in: Client, project: Project, owner: User) -> None:
    claim = disputed(project, 2)[0]
    draw = factories.make_draw(claim, owner)
    signed_in.post(address("rule", claim), {"token": "one", "draw": draw.pk, "label": "accept"})

    response = signed_in.post(address("rule", claim), {"token": "two", "draw": draw.pk, "label": "reject"})

    assert response.status_code == 422
    assert "another tab" in body(response)


def test_a_form_from_before_an_undo_is_shown_again_and_then_rules(signed_in: Client, project: Project) -> None:
    claim = disputed(project, 2)[0]
    signed_in.post(address("rule", claim), {"token": "old", "label": "accept"})
    decision = Decision.objects.get()
    signed_in.post(reverse("undo", kwargs={"slug": project.slug, "decision_id": decision.pk}))

    stale = signed_in.post(address("rule", claim), {"token": "old", "draw": decision.draw_id, "label": "reject"})
    fresh = dict(re.findall(r'name="(token|draw)" value="([^"]*)"', body(stale)))
    again = signed_in.post(address("rule", claim), {**fresh, "label": "reject"})

    assert stale.status_code == 422
    assert "undone since" in body(stale)
    assert again.status_code == 302
    assert Decision.objects.latest("pk").label == "reject"


def test_a_foreign_draw_is_not_used(signed_in: Client, project: Project) -> None:
    claim = disputed(project)[0]
    foreign = factories.make_draw(claim, factories.make_member(project).user)

    signed_in.post(address("rule", claim), {"token": "t", "draw": foreign.pk, "label": "accept"})

    assert Decision.objects.get().draw.is_by_hand


def test_not_a_claim_takes_it_out(signed_in: Client, project: Project) -> None:
    claim = disputed(project)[0]

    signed_in.post(address("rule", claim), {"token": "t", "action": "void"})

    claim.refresh_from_db()
    assert claim.is_void


def test_cannot_judge_leaves_the_claim_open_for_a_colleague(signed_in: Client, project: Project) -> None:
    claim, other = disputed(project, 2)

    response = signed_in.post(address("rule", claim), {"token": "t", "action": "cannot_judge"})

    assert response.headers["Location"] == address("claim", other)
    assert Outcome.objects.get(claim=claim).source == "panel"


def test_after_the_last_claim_the_queue_says_that_nothing_is_left(signed_in: Client, project: Project) -> None:
    claim = disputed(project)[0]

    response = signed_in.post(address("rule", claim), {"token": "t", "label": "accept"}, follow=True)

    assert "Nothing is left to rule on" in body(response)


def test_contradicting_an_earlier_ruling_is_shown_before_it_counts(
    signed_in: Client, project: Project, owner: User
) -> None:
    claim, like = disputed(project, 2)
    project.claims.filter(pk=like.pk).update(text=claim.text)
    graph = project.graphs.create(n_claims=2, n_edges=1, alpha=0.5, beta=0.5, neighbours=10)
    graph.edges.create(source=claim, target=like, weight=0.9)
    factories.rule(like, owner, "accept")
    fields = {"token": "t", "label": "reject", "reason": "kept"}

    warned = signed_in.post(address("rule", claim), fields)
    ruled = signed_in.post(address("rule", claim), {**fields, "saw_preview": "1"})

    assert warned.status_code == 422
    assert "like wording" in body(warned)
    assert "kept</textarea>" in body(warned)
    assert ruled.status_code == 302
    assert Decision.objects.get(claim=claim).saw_preview


def test_htmx_gets_the_claim_alone_and_the_address_to_show(signed_in: Client, project: Project) -> None:
    claim, other = disputed(project, 2)

    response = signed_in.post(
        address("rule", claim), {"token": "t", "label": "accept"}, headers={"HX-Request": "true"}, follow=True
    )

    assert response.headers["HX-Push-Url"] == address("claim", other)
    assert "<html" not in body(response)
    assert f'data-claim="{other.pk}"' in body(response)


def test_a_reload_of_the_ruling_address_leads_back_to_the_claim(signed_in: Client, project: Project) -> None:
    claim = disputed(project)[0]

    assert signed_in.get(address("rule", claim)).headers["Location"] == address("claim", claim)


def test_the_preview_shows_every_answer_and_marks_the_ruling(signed_in: Client, project: Project) -> None:
    claim = disputed(project, 3)[0]

    part = body(signed_in.get(address("preview", claim), headers={"HX-Request": "true"}))

    assert [
        word for word in ("Supported", "Not supported", "Sources do not settle it") if f"“{word}” would move" in part
    ]
    assert 'name="saw_preview" value="1"' in part
    assert "<html" not in part


def test_a_second_opinion_of_recorded_votes_is_refused_in_words(signed_in: Client, project: Project) -> None:
    claim = disputed(project)[0]

    page = body(signed_in.post(address("second-opinion", claim), follow=True))

    assert "No AI second opinion" in page
    assert not Run.objects.filter(kind="second_look").exists()


def test_strangers_find_nothing_and_the_signed_out_are_asked_to_sign_in(client: Client, project: Project) -> None:
    claim = disputed(project)[0]
    signed_out = client.get(address("claim", claim))
    part = client.post(address("rule", claim), {"token": "t"}, headers={"HX-Request": "true"})
    client.force_login(factories.make_user())

    assert signed_out.status_code == 302
    assert part.status_code == 401
    assert client.get(address("claim", claim)).status_code == 404


def test_a_claim_of_another_project_is_not_found(signed_in: Client, project: Project) -> None:
    other = factories.make_claim(factories.make_project())

    wrong = reverse("claim", kwargs={"slug": project.slug, "claim_id": other.pk})

    assert signed_in.get(wrong).status_code == 404


def test_the_number_of_queries_of_the_page_is_constant(signed_in: Client, project: Project) -> None:
    counts = []
    for n in (2, 12):
        claim = disputed(project, n)[0]
        with CaptureQueriesContext(connection) as taken:
            signed_in.get(address("claim", claim))
        counts.append(len(taken))

    assert counts[0] == counts[1]
    assert counts[0] <= 30
