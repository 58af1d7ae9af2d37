"""Adds judges to a project, switches them on and off, and builds the model that answers for one."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import ProhibitNullCharactersValidator
from django.db import transaction

from evaluation.algorithms.alignment import is_same_claim
from evaluation.errors import InvalidInputError, MissingPieceError
from evaluation.llm import registry
from evaluation.llm.protocol import ChatModel
from evaluation.models import Judge, Project
from evaluation.prompts import persona_names
from evaluation.schemas import JudgeSettings
from evaluation.services import patterns, projects, vectors

OFFLINE_JUDGES = {
    "words": "Words",
    "meaning": "Meaning",
    "numbers": "Numbers",
    "negation": "Negation and opposites",
    "names": "Names and new words",
}


@dataclass(frozen=True)
class ProviderOffer:
    """A provider as the form that adds a judge lists it."""

    name: str
    title: str
    key_name: str
    key_found: bool
    models: tuple[str, ...]


def offers() -> list[ProviderOffer]:
    """The remote providers a person can add a judge of."""
    return [
        ProviderOffer(
            name=each.name,
            title=each.title,
            key_name=each.key_variable,
            key_found=each.key_variable in settings.PROVIDER_KEYS,
            models=each.default_models,
        )
        for each in registry.PROVIDERS.values()
        if each.is_remote
    ]


@dataclass(frozen=True)
class NewJudge:
    """What a person fills in to add a judge."""

    name: str
    provider: str
    model: str
    base_url: str = ""
    key_name: str = ""
    persona: str = ""


def add(*, project: Project, new: NewJudge) -> Judge:
    """Add a judge and make a new panel with it. Raises InvalidInputError naming what is wrong."""
    provider = registry.provider(new.provider)
    name = new.name.strip()
    if not name or not new.model.strip():
        raise InvalidInputError("A judge needs a name and a model.")
    if new.persona and new.persona not in persona_names():
        raise InvalidInputError(f"There is no persona “{new.persona}”: choose one of {', '.join(persona_names())}.")
    judge = Judge(
        project=project,
        name=name,
        provider=provider.name,
        model=new.model.strip(),
        base_url=new.base_url.strip(),
        key_name=new.key_name.strip() or ("" if new.base_url.strip() else provider.key_variable),
        persona=new.persona,
    )
    _check(judge)
    with transaction.atomic():
        projects.hold(project)
        if project.judges.filter(name__iexact=name).exists():
            raise InvalidInputError(f"There is a judge called “{name}” already: choose another name.")
        judge.save()
        project.refresh_from_db(fields=["allowed_providers"])
        if provider.is_remote and provider.name not in project.allowed_providers:
            project.allowed_providers = [*project.allowed_providers, provider.name]
            project.save(update_fields=["allowed_providers"])
        patterns.renew_panel(project)
    return judge


def _check(judge: Judge) -> None:
    """Refuse texts that are too long, hold a NUL, or are no address, naming the field."""
    try:
        judge.clean_fields(exclude=["project"])
        for name in ("name", "model", "key_name"):
            ProhibitNullCharactersValidator()(getattr(judge, name))
    except ValidationError as error:
        named = error.message_dict.items() if hasattr(error, "error_dict") else [("name, model or key", error.messages)]
        sentences = [f"{field}: {' '.join(messages)}" for field, messages in named]
        raise InvalidInputError(f"This judge cannot be added; {'; '.join(sentences)}") from error


def add_offline_panel(*, project: Project) -> list[Judge]:
    """Add the five offline judges, or switch them on again; returns them."""
    with transaction.atomic():
        projects.hold(project)
        for model, name in OFFLINE_JUDGES.items():
            Judge.objects.update_or_create(
                project=project, name=name, defaults={"provider": Judge.OFFLINE, "model": model, "is_active": True}
            )
        patterns.renew_panel(project)
    return list(project.judges.filter(provider=Judge.OFFLINE))


def recorded(*, project: Project, names: list[str]) -> dict[str, Judge]:
    """The judges whose votes a file brings, by name; new ones are made and join the panel."""
    known = {judge.name: judge for judge in project.judges.filter(name__in=names)}
    for name in names:
        if name not in known:
            known[name] = Judge.objects.create(project=project, name=name, provider=Judge.RECORDED, model=name)
    patterns.renew_panel(project)
    return known


def set_active(*, judge: Judge, is_active: bool) -> Judge:
    """Switch a judge on or off; the panel gets a new version and outcomes follow."""
    with transaction.atomic():
        projects.hold(judge.project)
        judge.is_active = is_active
        judge.save(update_fields=["is_active"])
        patterns.renew_panel(judge.project)
    return judge


def settings_of(judge: Judge) -> JudgeSettings:
    """The judge as the LLM layer needs it."""
    return JudgeSettings(
        name=judge.name,
        provider=judge.provider,
        model=judge.model,
        base_url=judge.base_url,
        persona=judge.persona,
        parameters=judge.parameters,
    )


def is_remote(judge: Judge) -> bool:
    """Whether asking this judge sends text to another machine."""
    return registry.provider(judge.provider).is_remote


def recipient(judge: Judge) -> str:
    """Who gets the text when this judge is asked: its name, its model and the host of its address."""
    host = urlsplit(judge.base_url).netloc.rpartition("@")[2] or registry.provider(judge.provider).host
    return f"{judge.name} ({judge.model}) at {host}"


def key_of(judge: Judge) -> str | None:
    """The judge's key from the environment, None where it is not set."""
    key: str | None = settings.PROVIDER_KEYS.get(judge.key_name)
    return key


def key_problem(judge: Judge) -> str:
    """What to do about a key that is not set; empty where none is needed: a server of one's own may ask for none."""
    if not judge.key_name or judge.base_url or key_of(judge):
        return ""
    return f"Judge “{judge}” has no key: set {judge.key_name} in the environment and start again."


def model_for(judge: Judge) -> ChatModel:
    """Build the model that answers for this judge. Raises MissingPieceError without its key."""
    if problem := key_problem(judge):
        raise MissingPieceError(problem)
    return registry.build(
        settings_of(judge),
        api_key=key_of(judge),
        embedder=vectors.embedder() if judge.is_offline else None,
        aligner=is_same_claim if judge.is_offline else None,
    )


def askable(project: Project) -> list[Judge]:
    """Active judges that can be asked; recorded ones cannot."""
    return [judge for judge in project.judges.filter(is_active=True) if not judge.is_recorded]
