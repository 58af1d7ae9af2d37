"""What would be replaced in a project's texts before they are sent: shown on a sample, and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import QuerySet

from evaluation.methods.deidentify import Replacing
from evaluation.models import Instance, Project, Response
from evaluation.schemas import PrivacyRules

SHOWN_CHARACTERS = 5_000
COUNTED_CHARACTERS = 300_000
LOOKED_THROUGH = 500
_WORDS = {
    "name": ("name", "names"),
    "email": ("e-mail address", "e-mail addresses"),
    "phone": ("phone number", "phone numbers"),
}


@dataclass(frozen=True)
class Stretch:
    """A stretch of a text; with a placeholder it is replaced by that."""

    text: str
    placeholder: str = ""


@dataclass(frozen=True)
class ShownText:
    """The start of a text that is sent, in stretches, and how many characters follow."""

    title: str
    stretches: tuple[Stretch, ...]
    n_more: int


@dataclass(frozen=True)
class ReplacedRow:
    """Something that is replaced in a sample, by what, and how often."""

    original: str
    placeholder: str
    n: int


@dataclass(frozen=True)
class Sample:
    """An answer with its sources as judges of a provider would get them; `next_id` is another one, if there is one."""

    response_id: int
    name: str
    texts: tuple[ShownText, ...]
    replaced: tuple[ReplacedRow, ...]
    next_id: int | None


@dataclass(frozen=True)
class Replacements:
    """How many different things are replaced in a project's texts; at least so many where not all were read."""

    counts: tuple[tuple[str, int], ...]
    is_all: bool

    @property
    def sentence(self) -> str:
        found = [f"{n:,} {_WORDS[kind][n != 1]}" for kind, n in self.counts if n]
        if not found:
            where = "this project's texts" if self.is_all else "the texts looked through"
            return f"Nothing to replace was found in {where}."
        listed = " and ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found)
        is_one = len(found) == 1 and found[0].startswith("1 ")
        sentence = f"{listed} {'is' if is_one else 'are'} replaced before text is sent."
        return sentence if self.is_all else f"At least {sentence}"


def replaced_before_sending(project: Project) -> Replacements | None:
    """What a run would replace, None where the project replaces nothing; reads at most 300,000 characters."""
    rules = PrivacyRules.of(project.deidentify)
    if rules is None:
        return None
    texts, room = [], COUNTED_CHARACTERS
    for text in _texts_of(project):
        if room <= 0:
            break
        texts.append(text[:room])
        room -= len(text)
    replacing = Replacing(texts, rules)
    found = {(each.kind, replacing.number(each)) for text in texts for each in replacing.found(text)}
    n = Counter(kind for kind, _ in found)
    return Replacements(tuple((kind, n[kind]) for kind in _WORDS), is_all=room > 0)


def sample(project: Project, rules: PrivacyRules | None, response_id: int | None = None) -> Sample | None:
    """The response asked for, else the first in which the rules replace something; None without responses."""
    used = rules or PrivacyRules()
    responses = project.responses.select_related("instance").prefetch_related("instance__documents")
    asked = responses.filter(pk=response_id).first() if response_id else None
    response = asked or (rules and _first_with_something(project, responses, used)) or responses.first()
    if response is None:
        return None
    after = project.responses.filter(pk__gt=response.pk).values_list("pk", flat=True).first()
    first = project.responses.exclude(pk=response.pk).values_list("pk", flat=True).first()
    texts = list(_sent_of(response, project))
    replacing = Replacing([text for _, text in texts], used)
    return Sample(
        response_id=response.pk,
        name=response.external_id,
        texts=tuple(_shown(title, text, replacing) for title, text in texts if text.strip()),
        replaced=_rows(replacing, [text for _, text in texts]),
        next_id=after or first,
    )


def _first_with_something(project: Project, responses: QuerySet[Response], rules: PrivacyRules) -> Response | None:
    room = COUNTED_CHARACTERS
    for response in responses[:LOOKED_THROUGH].iterator(chunk_size=50):
        texts = [text for _, text in _sent_of(response, project)]
        room -= sum(len(text) for text in texts)
        replacing = Replacing(texts, rules)
        if any(replacing.found(text) for text in texts):
            return response
        if room <= 0:
            return None
    return None


def _sent_of(response: Response, project: Project) -> Iterator[tuple[str, str]]:
    """The texts that are sent with a question about a response, with what each is."""
    yield "Guidelines", project.guidelines
    yield "Request", response.instance.prompt
    yield "Context", response.instance.context
    yield "Answer", response.text
    for document in response.instance.documents.all():
        yield "Title of a source", document.title
        yield "Source", document.text


def _shown(title: str, text: str, replacing: Replacing) -> ShownText:
    stretches: list[Stretch] = []
    at = 0
    for each in replacing.found(text[:SHOWN_CHARACTERS]):
        stretches += [Stretch(text[at : each.start]), Stretch(each.original, each.placeholder)]
        at = each.end
    rest = Stretch(text[at:SHOWN_CHARACTERS])
    shown = tuple(each for each in (*stretches, rest) if each.text)
    return ShownText(title, shown, max(0, len(text) - SHOWN_CHARACTERS))


def _rows(replacing: Replacing, texts: list[str]) -> tuple[ReplacedRow, ...]:
    n = Counter((each.original, each.placeholder) for text in texts for each in replacing.found(text))
    return tuple(ReplacedRow(original, placeholder, times) for (original, placeholder), times in n.items())


def _texts_of(project: Project) -> Iterator[str]:
    yield project.guidelines
    for row in Instance.objects.filter(project=project).values_list("prompt", "context").iterator():
        yield from row
    yield from project.responses.values_list("text", flat=True).iterator()
    for row in project.documents.values_list("title", "text").iterator():
        yield from row
