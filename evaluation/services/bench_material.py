"""Makes projects to time runs on: offers as sources, a memo about each, and a few claims in every memo."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db import transaction

from evaluation.models import Claim, Document, Instance, Project, Response
from evaluation.services import judges, patterns, projects

CLAIMS_PER_RESPONSE = 5
ITEMS_PER_OFFER = 40
PROVIDERS = ("openai_chat", "anthropic_messages")
MOST_JUDGES = 4
BLOCK = 500


def make(*, calls: int, urls: Mapping[str, str], parameters: Mapping[str, object]) -> Project:
    """Make a project of which a run takes exactly so many calls, to servers at these base URLs by provider.

    Every text is there once, so that no call answers two questions.
    """
    owner, _ = User.objects.get_or_create(username="bench")
    project = projects.create(name="Offers", owner=owner)
    n_judges = next(n for n in (MOST_JUDGES, 2, 1) if calls % n == 0)
    with transaction.atomic():
        for number in range(n_judges):
            _add_judge(project, number, urls, parameters)
        for start in range(0, calls // n_judges, BLOCK):
            _add_responses(project, range(start, min(start + BLOCK, calls // n_judges)))
        patterns.refresh(project=project, claim_ids=project.claims.values_list("pk", flat=True))
    return project


def _add_judge(project: Project, number: int, urls: Mapping[str, str], parameters: Mapping[str, object]) -> None:
    provider = PROVIDERS[number % len(PROVIDERS)]
    new = judges.NewJudge(
        name=f"Judge {number + 1}",
        provider=provider,
        model=f"model-{number + 1}",
        base_url=urls[provider],
        parameters=parameters,
        may_see_text=True,
    )
    judges.add(project=project, new=new)


def _add_responses(project: Project, numbers: range) -> None:
    documents = Document.objects.bulk_create(
        Document(project=project, external_id=f"offer-{n}", title=f"Offer {n}", text=_offer(n), content_hash=str(n))
        for n in numbers
    )
    instances = Instance.objects.bulk_create(
        Instance(project=project, external_id=f"q{n}", prompt=f"What does offer {n} cost?", content_hash=str(n))
        for n in numbers
    )
    link = Instance.documents.through
    pairs = zip(instances, documents, strict=True)
    link.objects.bulk_create(link(instance_id=instance.pk, document_id=document.pk) for instance, document in pairs)
    responses = Response.objects.bulk_create(
        Response(
            project=project, instance=instance, external_id=f"m{n}", text=" ".join(_claims(n)), content_hash=str(n)
        )
        for n, instance in zip(numbers, instances, strict=True)
    )
    Claim.objects.bulk_create(
        Claim(
            project=project,
            instance_id=response.instance_id,
            response=response,
            external_id=f"c{n}-{position}",
            kind=Claim.Kind.STATEMENT,
            position=position,
            text=text,
        )
        for n, response in zip(numbers, responses, strict=True)
        for position, text in enumerate(_claims(n))
    )


def _offer(number: int) -> str:
    lines = (f"Item {item} of offer {number} costs {100 + 7 * item} euros." for item in range(ITEMS_PER_OFFER))
    return "\n".join(lines)


def _claims(number: int) -> list[str]:
    """Statements of which every second one has a price that the offer does not."""
    return [
        f"Item {item} of offer {number} costs {100 + 7 * item + 3 * (item % 2)} euros."
        for item in range(CLAIMS_PER_RESPONSE)
    ]
