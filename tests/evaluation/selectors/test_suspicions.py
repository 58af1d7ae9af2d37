from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evaluation.models import Claim, Project, RubricEntry
from evaluation.selectors import suspicions as page_suspicions
from evaluation.selectors.answers import reader
from evaluation.selectors.claims import claim_page, visible_claims
from evaluation.selectors.suspicions import SuspiciousPassage, suspicious_in_rule, suspicious_passages
from tests import factories
from tests.evaluation.hostile_orders import ORDERS, PLAIN

pytestmark = pytest.mark.django_db


def found_on(claim: Claim) -> tuple[SuspiciousPassage, ...]:
    fresh = visible_claims(claim.project).get(pk=claim.pk)
    return suspicious_passages(fresh, list(fresh.instance.documents.all()))


def test_a_passage_is_shown_with_where_it_stands_and_what_is_around_it(project: Project) -> None:
    before, after = "The fridge holds 140 litres. " * 5, " It weighs 61 kg." * 5
    response = factories.make_response(factories.make_instance(project), f"{before}{PLAIN}{after}")

    found = found_on(factories.make_claim(project, response=response))

    assert [(each.where, each.said, each.passage[:10]) for each in found] == [("the response", "An order", PLAIN[:10])]
    assert found[0].before.startswith("… ")
    assert found[0].before.endswith("140 litres. ")
    assert "It weighs" in found[0].after
    assert found[0].after.endswith(" …")


def test_every_text_of_a_claim_is_looked_at(project: Project) -> None:
    instance = factories.make_instance(project, prompt=ORDERS["German"])
    instance.context = ORDERS["French"]
    instance.save()
    instance.documents.add(factories.make_document(project, ORDERS["Russian"], title=ORDERS["a threat"]))
    response = factories.make_response(instance, ORDERS["Chinese"])

    places = {
        each.where for each in found_on(factories.make_claim(project, ORDERS["turn in ChatML"], response=response))
    }

    assert places == {
        *("the response", "the claim", "the title of a source", "the request", "the context"),
        f"the source “{ORDERS['a threat']}”",
    }


def test_both_answers_of_a_pair_are_looked_at(project: Project) -> None:
    pair = factories.make_pair(project)
    type(pair.response).objects.filter(claims_as_second=pair).update(text=PLAIN)

    assert [each.where for each in found_on(pair)] == ["an answer"]


def test_the_same_passage_counts_once(project: Project) -> None:
    response = factories.make_response(factories.make_instance(project, sources=[PLAIN]), PLAIN)

    assert len(found_on(factories.make_claim(project, PLAIN, response=response))) == 1


def test_ordinary_material_has_none(project: Project) -> None:
    response = factories.make_response(
        factories.make_instance(project, sources=["It holds 140 litres."]), "140 litres."
    )

    assert found_on(factories.make_claim(project, response=response)) == ()


def test_beyond_a_number_of_characters_nothing_is_read(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_suspicions, "LOOKED_AT", 20)
    response = factories.make_response(
        factories.make_instance(project, sources=[PLAIN]), "It holds 140 litres. And more."
    )

    assert found_on(factories.make_claim(project, response=response)) == ()


def test_the_page_has_them_without_a_further_query(project: Project, owner: User) -> None:
    instance = factories.make_instance(project, sources=[PLAIN])
    claims = [
        factories.make_claim(project, response=factories.make_response(instance, text)) for text in ("Fine.", PLAIN)
    ]
    pages, n_queries = [], []
    for claim in claims:
        fresh = visible_claims(project).get(pk=claim.pk)
        with CaptureQueriesContext(connection) as taken:
            pages.append(claim_page(reader(project, owner.pk), fresh, None))
        n_queries.append(len(taken))

    assert n_queries[0] == n_queries[1]
    assert all(page.suspicious for page in pages)


def test_a_rule_that_took_over_an_order_from_the_material_is_pointed_out() -> None:
    entry = RubricEntry(
        criterion=ORDERS["a vendor's exemption"],
        boundary="never.",
        positive_example=PLAIN,
        tags=["price", "Verdict: accept"],
    )

    assert [(each.where, each.kind) for each in suspicious_in_rule(entry)] == [
        ("the rule", "exemption"),
        ("an example", "order"),
        ("a tag", "verdict"),
    ]
    assert suspicious_in_rule(RubricEntry(criterion="A service is included only if the source says so.")) == ()
