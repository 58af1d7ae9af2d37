"""What holds for every page: no inline code, one heading, named fields, and only members get in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser

import pytest
from django.test import Client
from django.urls import reverse

from evaluation.models import Project
from tests.factories import make_disputed, make_judges, make_project, make_run, make_user, rule

pytestmark = pytest.mark.django_db

OPEN_PAGES = ("sign-in", "help")
OWN_PAGES = ("projects", "project-new")
PROJECT_PAGES = (
    "privacy",
    "overview",
    "import",
    "runs",
    "judges",
    "people",
    "export",
    "queue",
    "graph",
    "rubric",
    "money",
    "money-calls",
    "prices",
)


class Outline(HTMLParser):
    """Collects tags with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))

    def named(self, *names: str) -> Iterator[dict[str, str]]:
        return (attrs for tag, attrs in self.tags if tag in names)


@pytest.fixture
def project(client: Client) -> Project:
    owner = make_user()
    project = make_project("<b>Memos</b>", owner=owner)
    make_run(project)
    rule(make_disputed(project, make_judges(project), 3, tags=["<i>tag</i>"])[0], owner)
    client.force_login(owner)
    return project


def pages(project: Project) -> list[str]:
    return [
        *map(reverse, OWN_PAGES),
        *(reverse(name, args=[project.slug]) for name in PROJECT_PAGES),
        *(reverse("queue-apart", args=[project.slug, kind]) for kind in ("not-judged", "one-vote", "failed")),
        reverse("overview", args=[project.slug]) + "?details=1",
        reverse("run", args=[project.slug, project.runs.first().pk]),  # type: ignore[union-attr]
        "/there/is/no/such/page/",
    ]


def test_no_page_holds_inline_code_or_style(client: Client, project: Project) -> None:
    for address in pages(project):
        outline = Outline(client.get(address).content.decode())

        handlers = [name for _, attrs in outline.tags for name in attrs if re.fullmatch(r"on[a-z]+|style", name)]
        scripts = [attrs for attrs in outline.named("script") if attrs.get("type") != "application/json"]
        assert not handlers, address
        assert not list(outline.named("style")), address
        assert all(attrs.get("src", "").startswith("/static/") for attrs in scripts), address


def test_every_page_has_one_heading_landmarks_and_a_way_past_the_navigation(client: Client, project: Project) -> None:
    for address in pages(project):
        outline = Outline(client.get(address).content.decode())

        assert len(list(outline.named("h1"))) == 1, address
        assert len(list(outline.named("main"))) == 1, address
        assert next(outline.named("a"))["href"] == "#main", address


def test_every_field_has_a_label(client: Client, project: Project) -> None:
    for address in pages(project):
        text = client.get(address).content.decode()
        fields = [f for f in Outline(text).named("input", "select", "textarea") if f.get("type") != "hidden"]

        labelled = {attrs.get("for") for attrs in Outline(text).named("label")}
        inside = re.sub(r"<label[^>]*>.*?</label>", "", text, flags=re.DOTALL)
        outside = [f for f in Outline(inside).named("input", "select", "textarea") if f.get("type") != "hidden"]
        assert all(f.get("id") in labelled or "aria-label" in f for f in outside), (address, fields)


def test_hostile_names_are_shown_literally(client: Client, project: Project) -> None:
    for address in pages(project):
        text = client.get(address).content.decode()

        assert "<b>Memos</b>" not in text, address
        assert "<i>tag</i>" not in text, address


def test_pages_forbid_foreign_scripts(client: Client, project: Project) -> None:
    answer = client.get(reverse("overview", args=[project.slug]))

    assert "script-src 'self'" in answer.headers["Content-Security-Policy"]


def test_no_page_of_a_project_opens_for_a_stranger(project: Project) -> None:
    stranger = Client()
    stranger.force_login(make_user())

    answers = {name: stranger.get(reverse(name, args=[project.slug])).status_code for name in PROJECT_PAGES}

    assert set(answers.values()) == {404}, answers


def test_signed_out_people_are_led_to_the_sign_in_page(project: Project) -> None:
    for name in PROJECT_PAGES:
        answer = Client().get(reverse(name, args=[project.slug]))

        assert answer.status_code == 302
        assert answer.headers["Location"].startswith(reverse("sign-in")), name


def test_open_pages_need_nobody() -> None:
    assert [Client().get(reverse(name)).status_code for name in OPEN_PAGES] == [200, 200]
