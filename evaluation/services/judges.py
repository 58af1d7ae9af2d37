"""Adds judges to a project, switches them on and off, and builds the model that answers for one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.views.decorators.debug import sensitive_variables

from evaluation.algorithms.alignment import is_same_claim
from evaluation.errors import ConflictError, InvalidInputError, MissingPieceError, NotAllowedError
from evaluation.llm import registry
from evaluation.llm.limits import LimitSettings
from evaluation.llm.own_parameters import OwnParameters
from evaluation.llm.protocol import BatchModel, ChatModel
from evaluation.models import Judge, Project
from evaluation.schemas import JudgeSettings
from evaluation.services import judge_parameters, keys, patterns, projects, receivers, vectors

OFFLINE_JUDGES = {
    "words": "Words",
    "meaning": "Meaning",
    "numbers": "Numbers",
    "negation": "Negation and opposites",
    "names": "Names and new words",
}


@dataclass(frozen=True)
class ProviderOffer:
    """A provider as the pages that add a judge list it; `structured` are its ways to ask for a form of reply."""

    name: str
    title: str
    key_name: str
    key_found: bool
    models: tuple[str, ...]
    host: str
    structured: tuple[str, ...]


def offers() -> list[ProviderOffer]:
    """The remote providers a person can add a judge of."""
    return [offer(each.name) for each in registry.PROVIDERS.values() if each.is_remote]


def offer(provider: str) -> ProviderOffer:
    """A remote provider as the page that adds a judge of it needs it. Raises InvalidInputError where there is none."""
    each = registry.provider(provider)
    if not each.is_remote:
        raise InvalidInputError(f"Judges of “{each.title}” are not added one by one.")
    return ProviderOffer(
        name=each.name,
        title=each.title,
        key_name=each.key_variable,
        key_found=each.key_variable in settings.PROVIDER_KEYS,
        models=each.default_models,
        host=each.host,
        structured=each.structured,
    )


@dataclass(frozen=True)
class NewJudge:
    """What a person fills in about a judge. With `may_see_text` its server is allowed to see the project's text."""

    name: str
    provider: str
    model: str
    base_url: str = ""
    key_name: str = ""
    persona: str = ""
    parameters: Mapping[str, object] = field(default_factory=dict)
    key: str = field(default="", repr=False)
    may_see_text: bool = False


@sensitive_variables()
def add(*, project: Project, new: NewJudge) -> Judge:
    """Add a judge and make a new panel with it.

    Raises InvalidInputError naming what is wrong, and NotAllowedError where its server may not see the text.
    """
    judge = drafted(project, new)
    with transaction.atomic():
        projects.hold(project)
        check_name(judge)
        receivers.require(project=project, judge=judge, may_see_text=new.may_see_text)
        judge.save()
        patterns.renew_panel(project)
    return judge


@sensitive_variables()
def drafted(project: Project, new: NewJudge) -> Judge:
    """The judge a person describes, checked and not kept yet. Raises InvalidInputError naming what is wrong."""
    provider = registry.provider(new.provider)
    address = new.base_url.strip()
    judge = Judge(
        project=project,
        name=new.name.strip(),
        provider=provider.name,
        model=new.model.strip(),
        base_url=address,
        key_name=new.key_name.strip() or ("" if address else provider.key_variable),
        persona=new.persona,
        parameters=dict(new.parameters),
    )
    judge_parameters.check(judge)
    if new.key:
        judge_parameters.check_key(new.key)
        judge.encrypted_key = keys.seal(new.key)
    return judge


def check_name(judge: Judge) -> None:
    """Raise InvalidInputError where another judge has this name; call it while the project is held."""
    if judge.project.judges.filter(name__iexact=judge.name).exclude(pk=judge.pk).exists():
        raise InvalidInputError(f"There is a judge called “{judge.name}” already: choose another name.")


def add_offline_panel(*, project: Project) -> list[Judge]:
    """Add the five offline judges, or switch them on again; returns them."""
    with transaction.atomic():
        projects.hold(project)
        for model, name in OFFLINE_JUDGES.items():
            on = {"provider": Judge.OFFLINE, "model": model, "is_active": True, "retired_at": None}
            Judge.objects.update_or_create(project=project, name=name, defaults=on)
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
    """Switch a judge on or off; the panel gets a new version and outcomes follow.

    Raises ConflictError for one that is retired.
    """
    with transaction.atomic():
        projects.hold(judge.project)
        judge.refresh_from_db(fields=["retired_at"])
        if is_active and judge.retired_at:
            raise ConflictError(f"“{judge}” is retired: bring it back before it votes again.")
        return _with_state(judge, is_active=is_active, is_retired=bool(judge.retired_at))


def retire(*, judge: Judge) -> Judge:
    """Switch a judge off for good: its votes are kept, and it is asked nothing until an owner brings it back."""
    with transaction.atomic():
        projects.hold(judge.project)
        return _with_state(judge, is_active=False, is_retired=True)


def bring_back(*, judge: Judge) -> Judge:
    """Let a retired judge vote again, with the votes it had."""
    with transaction.atomic():
        projects.hold(judge.project)
        return _with_state(judge, is_active=True, is_retired=False)


def _with_state(judge: Judge, *, is_active: bool, is_retired: bool) -> Judge:
    judge.is_active = is_active
    judge.retired_at = (judge.retired_at or timezone.now()) if is_retired else None
    judge.save(update_fields=["is_active", "retired_at"])
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
    return f"{judge.name} ({judge.model}) at {receivers.receiver_of(judge)}"


@sensitive_variables()
def key_of(judge: Judge) -> str | None:
    """The judge's own key, else the one in the environment, None where there is neither.

    Raises MissingPieceError where a key is kept and cannot be read.
    """
    if judge.encrypted_key:
        return keys.open_sealed(judge.encrypted_key)
    key: str = settings.PROVIDER_KEYS.get(judge.key_name, "")
    return key.strip() or None


def key_problem(judge: Judge) -> str:
    """What to do about a key that is missing or cannot be read; a server of one's own may ask for none."""
    try:
        has_key = key_of(judge) is not None
    except MissingPieceError as error:
        return f"Judge “{judge}”: {error}"
    if has_key or not judge.key_name or judge.base_url:
        return ""
    wanted = f"set {judge.key_name} in the environment and start again, or type a key on its page"
    return f"Judge “{judge}” has no key: {wanted}."


@sensitive_variables()
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


@sensitive_variables()
def batches_for(judge: Judge) -> BatchModel | None:
    """Build the batch API of this judge's provider, None where it has none. Raises MissingPieceError."""
    if problem := key_problem(judge):
        raise MissingPieceError(problem)
    return registry.build_batches(settings_of(judge), api_key=key_of(judge))


def limits_of(judge: Judge) -> LimitSettings:
    """How many calls and tokens this judge's endpoint may be sent. Raises InvalidInputError for a wrong parameter."""
    return OwnParameters.of(settings_of(judge)).limits


def permission_problem(judge: Judge, project: Project) -> str:
    """Why this judge may not be asked under the project's list, as a sentence; empty where it may."""
    if receivers.is_allowed(judge, project.allowed_providers):
        return ""
    return (
        f"{recipient(judge)} may not see this project's text: an owner has to allow it on the Judges page, "
        "or let the judge rest."
    )


def check_may_ask(judge: Judge, project: Project) -> None:
    """Raise NotAllowedError where no owner lets this judge's server see the project's text."""
    if problem := permission_problem(judge, project):
        raise NotAllowedError(problem)


def askable(project: Project) -> list[Judge]:
    """Active judges that can be asked; recorded ones cannot."""
    return [judge for judge in project.judges.filter(is_active=True) if not judge.is_recorded]
