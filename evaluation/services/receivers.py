"""Who may see a project's text: servers by their host, ticked one by one by an owner."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.db import transaction

from evaluation.errors import NotAllowedError
from evaluation.llm import registry
from evaluation.models import Judge, Project
from evaluation.services import projects


@dataclass(frozen=True)
class Receiver:
    """A server that judges of the project would send its text to, and whether it may."""

    host: str
    judges: tuple[str, ...]
    is_allowed: bool


def receiver_of(judge: Judge) -> str:
    """The host, with its port, that gets the text when this judge is asked; empty where none leaves the machine."""
    return _host(judge.base_url) or registry.provider(judge.provider).host


def _host(address: str) -> str:
    return urlsplit(address).netloc.rpartition("@")[2].lower()


def is_allowed(judge: Judge, allowed: Collection[str]) -> bool:
    """Whether this judge may be asked under a project's list, which names hosts, or a provider with all its hosts."""
    if not registry.provider(judge.provider).is_remote:
        return True
    return receiver_of(judge) in allowed or judge.provider in allowed


def require(*, project: Project, judge: Judge, may_see_text: bool) -> None:
    """Make sure that the judge's server may see the text; call it while the project is held.

    Raises NotAllowedError where it may not yet and nobody ticked that it may.
    """
    project.refresh_from_db(fields=["allowed_providers"])
    if is_allowed(judge, project.allowed_providers):
        return
    host = receiver_of(judge)
    if not may_see_text:
        raise NotAllowedError(
            f"{host} may not see this project's text yet. Tick that it may; without it “{judge}” cannot be asked."
        )
    project.allowed_providers = [*project.allowed_providers, host]
    project.save(update_fields=["allowed_providers"])


def receivers(project: Project) -> list[Receiver]:
    """Every server of a judge that is not retired, and every other that is allowed, by name."""
    allowed = set(Project.objects.values_list("allowed_providers", flat=True).get(pk=project.pk))
    judges = [judge for judge in project.judges.filter(retired_at=None) if receiver_of(judge)]
    by_host: dict[str, list[Judge]] = {_host_of_entry(entry): [] for entry in allowed}
    for judge in judges:
        by_host.setdefault(receiver_of(judge), []).append(judge)
    return [
        Receiver(
            host,
            tuple(judge.name for judge in asked),
            host in allowed or not asked or any(is_allowed(judge, allowed) for judge in asked),
        )
        for host, asked in sorted(by_host.items())
    ]


def _host_of_entry(entry: str) -> str:
    listed = registry.PROVIDERS.get(entry)
    return listed.host if listed else entry


def allow_only(*, project: Project, hosts: Iterable[str]) -> list[str]:
    """Let these servers and no others see the text, of those that are listed; returns those that no longer may.

    A worker looks before it asks: judges at a server that is taken away are not asked any more, in open runs too.
    """
    with transaction.atomic():
        projects.hold(project)
        listed = receivers(project)
        chosen = [receiver.host for receiver in listed if receiver.host in set(hosts)]
        project.allowed_providers = chosen
        project.save(update_fields=["allowed_providers"])
    return [receiver.host for receiver in listed if receiver.is_allowed and receiver.host not in chosen]
