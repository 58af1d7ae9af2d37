"""The content policy is in force on every page, and hostile text is shown letter by letter wherever it can stand."""

from __future__ import annotations

import re
from urllib.parse import urlencode

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from tests.browser import hostile, pages
from tests.browser.watching import Visits

SMUGGLED = """() => [
  ...document.querySelectorAll("img[onerror], svg[onload], iframe, b, i, details[ontoggle], [onmouseover], main style"),
  ...[...document.querySelectorAll("a")].filter((link) => !["http:", "https:", ""].includes(link.protocol)),
  ...[...document.scripts].filter((script) => !script.src && script.type !== "application/json"),
].map((element) => element.outerHTML)"""
SHOWN = {
    "overview": (hostile.PROJECT, hostile.TAG),
    "queue": (hostile.PROJECT, hostile.CLAIM, hostile.TAG, hostile.ITEM),
    "graph": (hostile.CLAIM,),
    "rubric": (hostile.RULE,),
    "rubric-entry": (hostile.RULE, hostile.CLAIM, hostile.RATIONALE, hostile.TAG),
    "judges": (hostile.JUDGE,),
    "people": (hostile.PERSON,),
    "import": (hostile.FILENAME,),
    "import-report": (hostile.FILENAME, hostile.ITEM),
    "moved": (hostile.CLAIM, hostile.REASON),
    "claim": (hostile.CLAIM, hostile.QUESTION, hostile.RATIONALE, hostile.TITLE, hostile.ITEM),
}
ADMIN = ("project", "claim", "judge", "response", "document", "rubricentry", "import", "verdict", "decision", "system")


def text_of(page: Page) -> str:
    """What the page says, with folded parts opened and the words of fields."""
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true })")
    fields = page.evaluate("[...document.querySelectorAll('input, textarea, option')].map((field) => field.value)")
    return str(page.locator("body").inner_text()) + "\n" + "\n".join(fields)


def test_the_policy_is_in_force_on_every_page(visits: Visits) -> None:
    visits.watch.expected = {403, 404}
    windows = {person: visits.as_(person) for person in pages.PEOPLE}

    for visit in pages.visits_of(visits.world):
        if visit.project in {"", "hostile", "demo"}:
            answer = windows[visit.person].goto(visit.path)
            assert answer
            policy = answer.headers.get("content-security-policy", "")
            assert "script-src 'self';" in f"{policy};", visit
            assert "content-security-policy-report-only" not in answer.headers, visit


SETTLED = """() => new Promise((resolve) => {
  const image = [...document.images].at(-1);
  if (image.complete) resolve();
  for (const name of ["load", "error"]) image.addEventListener(name, () => resolve());
})"""


def test_a_script_in_a_page_does_not_run(visits: Visits) -> None:
    page = visits.as_()
    page.goto("/help/")

    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=/static/none.png onerror=alert(1)>')")
    page.evaluate(SETTLED)  # one promise: a condition that is polled would be an eval, which the policy refuses

    refused = [trouble for trouble in visits.watch.troubles if "script-src" in trouble]
    assert refused
    assert not any("dialog" in trouble for trouble in visits.watch.troubles)
    visits.watch.troubles.clear()


@pytest.mark.parametrize("name", SHOWN)
def test_hostile_text_is_shown_literally(visits: Visits, name: str) -> None:
    page = visits.as_()
    found = [v for v in pages.project_visits(visits.world, "hostile", pages.OWNER) if v.name == name]

    page.goto(found[0].path)
    text = text_of(page)

    assert [word for word in SHOWN[name] if word not in text] == []
    assert page.evaluate(SMUGGLED) == []


def test_no_page_of_the_project_lets_hostile_text_become_markup(visits: Visits) -> None:
    page = visits.as_()

    for visit in pages.project_visits(visits.world, "hostile", pages.OWNER):
        page.goto(visit.path)

        assert page.evaluate(SMUGGLED) == [], visit


def test_the_judges_names_and_the_system_appear_literally_after_a_ruling(visits: Visits) -> None:
    page = visits.as_()
    page.goto(visits.claim("hostile", "ruled-claim"))

    text = text_of(page)

    assert hostile.JUDGE in text
    assert hostile.SYSTEM in text
    assert page.evaluate(SMUGGLED) == []


def test_the_graph_shows_a_claim_literally_on_hover_and_in_its_data(visits: Visits) -> None:
    page = visits.as_()
    page.goto(reverse("graph", args=[visits.world.slugs["hostile"]]))
    point = page.locator(".figure .scatterlayer .point").last

    box = point.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    expect(page.locator(".hoverlayer .hovertext").first).to_contain_text(f"{hostile.CLAIM} <b>1</b>")
    assert page.locator(".hoverlayer a, .hoverlayer img").count() == 0
    assert page.evaluate("JSON.parse(document.getElementById('graph-figure').textContent).data.length") > 1
    assert "<img" not in page.evaluate("document.getElementById('graph-figure').textContent")


def test_an_invitation_names_the_project_literally(visits: Visits) -> None:
    page = visits.as_("")

    page.goto(reverse("invitation", args=[visits.world.tokens["hostile"]]))

    expect(page.get_by_role("heading", level=1)).to_contain_text(hostile.PROJECT)


@pytest.mark.usefixtures("restored")
def test_error_messages_show_hostile_text_literally(visits: Visits) -> None:
    page = visits.as_()
    visits.watch.expected = {422}
    page.goto(reverse("import", args=[visits.world.slugs["hostile"]]))

    page.locator("input[type=file]").set_input_files(
        {"name": hostile.FILENAME, "mimeType": "text/html", "buffer": f'{{"id": "{hostile.ROW}", "x": 1}}'.encode()}
    )
    page.get_by_role("button", name="Read it and report").click()

    expect(page.locator("main")).to_contain_text(hostile.FILENAME)
    assert page.evaluate(SMUGGLED) == []


def test_a_hostile_tag_in_the_address_is_shown_literally(visits: Visits) -> None:
    page = visits.as_()

    page.goto(reverse("queue", args=[visits.world.slugs["hostile"]]) + "?" + urlencode({"tag": hostile.TAG}))

    expect(page.locator("main .lead")).to_contain_text(hostile.TAG)
    assert page.evaluate(SMUGGLED) == []


@pytest.mark.parametrize("model", ADMIN)
def test_the_admin_shows_hostile_text_literally(visits: Visits, model: str) -> None:
    page = visits.as_()
    visits.watch.expected = {404}  # Django's admin names no icon, so the browser asks for /favicon.ico

    page.goto(reverse(f"admin:evaluation_{model}_changelist"))
    assert page.evaluate(SMUGGLED) == []
    page.locator("#result_list tbody th a").first.click()
    page.wait_for_url(re.compile(r"/\d+/change/"))

    assert page.evaluate(SMUGGLED) == []
