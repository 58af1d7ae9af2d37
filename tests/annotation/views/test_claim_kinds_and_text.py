"""The claim page with pairs, and with text that would like to be markup."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from evaluation.models import Claim, Decision, Project
from tests import factories

HOSTILE = "<img src=x onerror=alert(1)>"


def address(name: str, claim: Claim) -> str:
    return reverse(name, kwargs={"slug": claim.project.slug, "claim_id": claim.pk})


def shown(client: Client, claim: Claim) -> str:
    return client.get(address("claim", claim)).content.decode()


def test_a_pair_is_stored_as_it_is_in_the_file_whatever_side_was_seen(client: Client, project: Project) -> None:
    claim = factories.make_pair(project)
    judges = factories.make_judges(project, 2)
    factories.vote(claim, {judges[0]: "first", judges[1]: "second"})
    for _ in range(6):
        client.force_login(factories.make_member(project).user)
        page = shown(client, claim)
        left = "first" if page.index("The first answer.") < page.index("The second answer.") else "second"

        client.post(address("rule", claim), {"token": f"t{_}", "label": "first"})

        assert Decision.objects.latest("pk").label == left


def test_hostile_text_is_literal_everywhere(client: Client, project: Project, owner: User) -> None:
    client.force_login(owner)
    instance = factories.make_instance(project, sources=[HOSTILE], prompt=HOSTILE)
    response = factories.make_response(instance, HOSTILE, system=HOSTILE)
    judges = factories.make_judges(project)
    claim = factories.make_claim(project, HOSTILE, response=response, tags=["</script><script>alert(2)</script>"])
    factories.vote(claim, {judges[0]: "accept", judges[1]: "reject", judges[2]: ""})
    claim.verdicts.update(rationale=HOSTILE)
    for judge in judges:
        judge.name = f"{HOSTILE} {judge.pk}"
        judge.save()
    factories.rule(claim, owner)

    page = shown(client, claim)

    assert "<img" not in page
    assert "<script>alert" not in page
    assert page.count("&lt;img src=x onerror=alert(1)&gt;") >= 6


def test_a_weak_passage_is_labelled_and_not_marked(client: Client, project: Project, owner: User) -> None:
    client.force_login(owner)
    instance = factories.make_instance(project, sources=["The nurse opens the door at night."])
    response = factories.make_response(instance)
    weak = factories.make_claim(project, "The supplier trains every nurse before the winter.", response=response)
    strong = factories.make_claim(project, "The nurse opens the door.", response=response)

    pages = [shown(client, claim) for claim in (weak, strong)]

    assert ["weak match" in page for page in pages] == [True, False]
    assert ["<mark>The nurse opens" in page for page in pages] == [False, True]


def test_the_strip_says_what_a_ruling_did_where_nothing_moved(client: Client, project: Project, owner: User) -> None:
    client.force_login(owner)
    judges = factories.make_judges(project, 2)
    claims = factories.make_disputed(project, judges, 2)
    factories.rule(claims[0], owner, "uncertain")

    page = shown(client, claims[1])

    assert "no judge sided with you" in page
    assert "No other current answer moved" not in page


def test_a_thin_panel_and_who_could_not_be_asked_are_said(client: Client, project: Project, owner: User) -> None:
    client.force_login(owner)
    judges = factories.make_judges(project, 5)
    claim = factories.make_claim(project)
    factories.vote(claim, {judges[0]: "accept", judges[1]: "reject"})
    factories.vote_repeatedly(claim, {judges[2]: ("",)})
    full = factories.make_claim(project)
    factories.vote(full, dict.fromkeys(judges, "accept"))

    page = shown(client, claim)

    assert '<span class="chip warn">thin panel</span> 2 of 5 judges voted' in page
    assert "<li>1 judge could not be asked: time-out.</li>" in page
    assert "<li>2 judges have not been asked.</li>" in page
    assert "thin panel" not in shown(client, full)


def test_a_judge_that_was_asked_several_times_shows_how_its_votes_vary(
    client: Client, project: Project, owner: User
) -> None:
    client.force_login(owner)
    one, other = factories.make_judges(project, 2)
    claim = factories.make_claim(project)
    factories.vote_repeatedly(claim, {one: ("accept", "reject", "accept"), other: ("reject",) * 3})
    claim.verdicts.update(rationale="So.")

    before = shown(client, claim)
    factories.rule(claim, owner, "accept")
    after = shown(client, claim)

    assert "<li>One judge: 2 of 3 times “Supported”, 1 of 3 times “Not supported”.</li>" in before
    assert "(1 not the same each time)" in before
    assert one.name not in before
    assert f"<li>{one.name}: 2 of 3 times “Supported”, 1 of 3 times “Not supported”.</li>" in after
