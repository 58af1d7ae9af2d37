"""Who made the judges and the systems judged: a judge tends to favour answers of its own family."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping

from evaluation.llm.families import family_of
from evaluation.models import Claim, Judge, Project, Response

MODEL_FIELD = "model"  # in a response's own fields: the model behind a system whose name does not tell


def maker_of_judge(judge: Judge) -> str:
    """The maker of a judge's model; empty for rules without AI and for names that do not tell."""
    return "" if judge.is_offline else family_of(judge.model)


def maker_of_response(response: Response | None) -> str:
    """The maker of the system that wrote a response, by the system's name, else by the response's field `model`."""
    if response is None:
        return ""
    return _maker(response.system.name if response.system else "", response.metadata.get(MODEL_FIELD))


def systems_of(claim: Claim) -> dict[str, str]:
    """The systems that wrote what a claim is about, by maker, where it is known; needs the responses selected."""
    responses = [response for response in (claim.response, claim.second_response) if response is not None]
    found = {maker_of_response(each): each.system.name if each.system else "this answer" for each in responses}
    return {maker: name for maker, name in found.items() if maker}


def systems_by_maker(project: Project) -> dict[str, tuple[str, ...]]:
    """The systems of the project whose maker is known, by maker; two queries."""
    found: dict[str, set[str]] = defaultdict(set)
    nameless = []
    for pk, name in project.systems.values_list("pk", "name"):
        if maker := family_of(name):
            found[maker].add(name)
        else:
            nameless.append(pk)
    rows = (
        Response.objects.filter(system__in=nameless).order_by().values_list("system__name", f"metadata__{MODEL_FIELD}")
    )
    for name, model in rows.distinct() if nameless else ():
        if maker := _maker("", model):
            found[maker].add(name)
    return {maker: tuple(sorted(names)) for maker, names in found.items()}


def same_maker(judge: Judge, systems: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The systems that are of the judge's maker."""
    return systems.get(maker_of_judge(judge), ())


def _maker(name: str, model: object) -> str:
    return family_of(name) or (family_of(model) if isinstance(model, str) else "")
