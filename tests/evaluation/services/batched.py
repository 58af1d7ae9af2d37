"""A project with judges at a local server that takes batches, and steps through a run of it."""

from __future__ import annotations

from django.utils import timezone

from evaluation.llm.local_server.protocols import REPLIES
from evaluation.llm.local_server.server import LocalServer
from evaluation.models import Claim, Judge, ModelPrice, Project, ProviderBatch, Run, Verdict
from evaluation.services import panel, panel_worker
from tests import factories

SOURCE = "The fridge holds 84 litres."


def make_batch_judge(project: Project, server: LocalServer, provider: str = "openai_chat") -> Judge:
    url = server.url if provider == "anthropic_messages" else server.openai_url
    return factories.make_asked_judge(project, url, provider=provider)


def make_claims(project: Project, n: int) -> list[Claim]:
    """Claims of a response each, so that each is a question of its own."""
    return [
        factories.make_claim(
            project,
            f"Fridge {number} holds 84 litres.",
            response=factories.make_response(factories.make_instance(project, sources=[SOURCE]), f"Answer {number}."),
        )
        for number in range(n)
    ]


def open_run(project: Project, *, cap_micros: int | None = None, in_batches: bool = True) -> Run:
    return panel.open_run(
        project=project, by=None, options=panel.RunOptions(cap_micros=cap_micros, in_batches=in_batches)
    )


def drive(run: Run) -> Run:
    return panel_worker.drive(run_id=run.pk, concurrency=4)


def look_again(run: Run) -> Run:
    """Let the time pass until the batches of a run are looked after again."""
    ProviderBatch.objects.filter(run=run, next_poll_at__isnull=False).update(next_poll_at=timezone.now())
    run.jobs.filter(not_before__isnull=False).update(not_before=timezone.now())
    return drive(run)


def set_prices() -> None:
    """A price for judges at this machine: a micro-dollar a token of input."""
    for provider in ("openai_chat", "anthropic_messages"):
        ModelPrice.objects.create(
            provider=provider,
            host="127.0.0.1",
            model="m",
            valid_from=timezone.now().date(),
            input_micros=1_000_000,
            output_micros=10_000,
        )


def handed_over(project: Project, server: LocalServer, n: int = 2, provider: str = "openai_chat") -> Run:
    """A run of which every question is with the provider."""
    make_batch_judge(project, server, provider)
    make_claims(project, n)
    run = open_run(project)
    drive(run)
    return run


def votes(project: Project) -> list[str]:
    """The current votes, one a claim in their order; those that failed with their reason."""
    current = Verdict.objects.filter(claim__project=project, is_current=True).order_by("claim")
    return [row.label or f"{row.state}: {row.failure_reason}" for row in current]


def single_calls(server: LocalServer) -> int:
    """How many questions were asked one by one."""
    return sum(each.path in REPLIES for each in server.received)
