"""axe-core finds nothing to mend on any page, in the light and in the dark, for owners, experts and strangers."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files

import pytest
from playwright.sync_api import Page

from annotation.urls import urlpatterns
from tests.browser import pages
from tests.browser.watching import PHONE, Visits

AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")
RUN = """async (options) => {
  const told = (node) => `${node.html} ${node.failureSummary}`;
  const found = (await axe.run(document, options)).violations;
  return found.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map(told).join(" | ")}`);
}"""
EVERY_RULE = {"resultTypes": ["violations"]}
COLOUR = {**EVERY_RULE, "runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}


def violations(page: Page) -> list[str]:
    """What axe-core finds now; in the dark only what colours can break, since nothing else differs.

    Its code enters by the debugger, so the content policy stays in force.
    """
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(AXE)
    found = []
    for scheme, options in (("light", EVERY_RULE), ("dark", COLOUR)):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        found += [f"{page.url} in the {scheme}: {violation}" for violation in page.evaluate(RUN, options)]
    return found


def test_every_page_is_visited(visits: Visits) -> None:
    named = {pattern.name for pattern in urlpatterns}

    visited = {visit.name for visit in pages.visits_of(visits.world)}

    assert named - visited == pages.NO_PAGES


@pytest.mark.parametrize("person", pages.PEOPLE, ids=lambda person: person or "nobody")
def test_no_page_has_a_violation(visits: Visits, person: str) -> None:
    page = visits.as_(person)
    visits.watch.expected = {403, 404}
    found = []

    for visit in pages.visits_of(visits.world):
        if visit.person == person and visit.project != "hostile":
            answer = page.goto(visit.path)
            assert answer
            assert answer.status == visit.status, visit
            found += violations(page)

    assert found == []


def open_everything(page: Page) -> None:
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true })")


def open_preview(page: Page) -> None:
    page.get_by_role("link", name="What would change?").click()
    page.locator("#preview .card").first.wait_for()


def open_second_opinion(page: Page) -> None:
    button = page.get_by_role("button", name="Second opinion")
    if button.is_disabled():  # the votes of the pairs are recorded: the greyed button is what there is to see
        return
    button.click()
    page.locator("#second-opinion .card, #second-opinion .note").first.wait_for()


def open_keys(page: Page) -> None:
    page.get_by_role("button", name="Keys").click()
    page.locator("#key-sheet").wait_for()


def open_signed_out(page: Page) -> None:
    page.context.clear_cookies(name="sessionid")
    page.get_by_role("link", name="What would change?").click()
    page.locator("#signed-out").wait_for()


def be_refused(page: Page) -> None:
    page.get_by_role("textbox", name="Reason").fill("x")
    page.evaluate("document.getElementById('ruling-form').requestSubmit()")
    page.get_by_role("alert").wait_for()


@pytest.mark.usefixtures("restored")
@pytest.mark.parametrize(
    "do", [open_everything, open_preview, open_second_opinion, open_keys, open_signed_out, be_refused]
)
@pytest.mark.parametrize("project", ["ruled", "pairs"])
def test_what_opens_on_the_claim_page_has_no_violation(
    visits: Visits, do: Callable[[Page], None], project: str
) -> None:
    page = visits.as_()
    visits.watch.expected = {401, 422}
    page.goto(visits.claim(project))

    do(page)

    assert violations(page) == []


def test_fragments_of_other_pages_have_no_violation(visits: Visits) -> None:
    page = visits.as_()
    found = []

    for visit in pages.project_visits(visits.world, "ruled", pages.OWNER):
        if visit.name in {"overview", "moved", "rubric-entry", "judges"}:
            page.goto(visit.path)
            open_everything(page)
            page.wait_for_load_state("networkidle")
            found += violations(page)

    assert found == []


@pytest.mark.parametrize("project", ["ruled", "empty"])
def test_no_page_has_a_violation_on_a_phone(visits: Visits, project: str) -> None:
    page = visits.as_(size=PHONE, is_touched=True)
    found = []

    for visit in pages.project_visits(visits.world, project, pages.OWNER):
        page.goto(visit.path)
        found += violations(page)

    assert found == []


@pytest.mark.parametrize("name", ["sign-in", "project-new", "import", "rubric-new", "judge-new"])
def test_a_refused_form_has_no_violation(visits: Visits, name: str) -> None:
    page = visits.as_("" if name == "sign-in" else pages.OWNER)
    visits.watch.expected = {422}
    visit = next(v for v in pages.visits_of(visits.world) if v.name == name)
    page.goto(visit.path)

    page.evaluate("document.querySelectorAll('main form').forEach((form) => { form.noValidate = true })")
    page.locator("main form button.primary").last.click()
    page.locator(".errorlist, .note.error").first.wait_for()

    assert violations(page) == []
