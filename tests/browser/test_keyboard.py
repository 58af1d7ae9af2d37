"""Every control is used by keyboard, a late or held key rules on nothing, and pages work without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import pages
from tests.browser.watching import Visits, focused, keys_are_live

pytestmark = pytest.mark.usefixtures("restored")

OPENED_BY_KEY = {"g": "Guidelines", "s": "All documents in full", "t": "Tags", "y": "Rules that the judges saw"}
RECORD_RULINGS = """() => {
  window.rulings = 0;
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.elt.id === "ruling-form") window.rulings += 1;
  });
}"""
REACHABLE = """() => [...document.querySelectorAll("a[href], button, input, select, textarea, summary")]
  .filter((e) => e.checkVisibility() && !e.disabled && e.type !== "hidden" && e.tabIndex >= 0
    && !e.closest("dialog:not([open])") && !(e.type === "radio" && !e.checked))
  .map((e, number) => { e.dataset.number = number; return number; })"""
NUMBER = "document.activeElement.dataset.number ?? ''"


@pytest.fixture
def claim(visits: Visits) -> Page:
    """The claim page of a disputed claim in a project without rulings, ready for keys."""
    page = visits.as_("newcomer")
    page.goto(visits.claim("demo"))
    page.evaluate(RECORD_RULINGS)
    keys_are_live(page)
    return page


def reason(page: Page) -> Locator:
    """The field for a ruling's reason."""
    return page.get_by_role("textbox", name="Reason")


def is_ruled(page: Page, words: str) -> None:
    """Check that the strip tells of the ruling just made."""
    expect(page.locator(".strip")).to_contain_text(words)


@pytest.mark.parametrize(
    ("key", "words"), [("1", "Supported"), ("2", "Not supported"), ("3", "Sources do not settle it")]
)
def test_a_figure_key_rules_and_goes_on_to_the_next_claim(claim: Page, key: str, words: str) -> None:
    before = claim.url

    claim.keyboard.press(key)

    expect(claim).not_to_have_url(before)
    is_ruled(claim, f"“{words}”")


def test_v_shows_what_moved_and_u_undoes(claim: Page) -> None:
    address = claim.url
    claim.keyboard.press("2")
    is_ruled(claim, "Not supported")
    keys_are_live(claim)

    claim.keyboard.press("v")
    expect(claim.get_by_role("heading", level=1)).to_have_text("What your ruling changed")
    claim.keyboard.press("u")

    expect(claim).to_have_url(address)
    expect(claim.locator("#messages")).to_contain_text("The ruling is undone")


def test_p_shows_what_each_ruling_would_change(claim: Page) -> None:
    claim.keyboard.press("p")

    expect(claim.locator("#preview .card")).to_have_count(3)


def test_a_asks_for_a_second_opinion(claim: Page) -> None:
    claim.keyboard.press("a")

    expect(claim.locator("#second-opinion")).to_contain_text("Second opinion")


@pytest.mark.parametrize("key", OPENED_BY_KEY)
def test_a_letter_opens_and_closes_its_part(visits: Visits, key: str) -> None:
    page = visits.as_("newcomer")
    page.goto(visits.claim("demo"))
    part = page.locator("details").filter(has=page.locator(f"summary[data-key={key}]"))
    keys_are_live(page)

    page.keyboard.press(key)
    expect(part).to_have_attribute("open", "")
    page.keyboard.press(key)

    expect(part).not_to_have_attribute("open", "")
    expect(part.locator("summary").first).to_contain_text(OPENED_BY_KEY[key])


@pytest.mark.parametrize("key", ["h", "x"])
def test_a_way_out_that_is_no_ruling_goes_on_too(claim: Page, key: str) -> None:
    before = claim.url

    claim.keyboard.press(key)

    expect(claim).not_to_have_url(before)


def test_the_question_mark_lists_the_keys_and_switches_them_off(claim: Page) -> None:
    claim.keyboard.press("?")
    sheet = claim.get_by_role("dialog", name="Keys on this page")
    for words in ("Not supported", "What would change?", "Write a reason"):
        expect(sheet).to_contain_text(words)
    sheet.get_by_label("Single keys are on").uncheck()
    claim.keyboard.press("Escape")

    claim.keyboard.press("2")

    assert claim.evaluate("window.rulings") == 0


def test_r_leads_to_the_reason_where_keys_are_letters(claim: Page) -> None:
    claim.keyboard.press("r")
    claim.keyboard.type("1 of 2 offers, see p. 3?")

    expect(reason(claim)).to_have_value("1 of 2 offers, see p. 3?")
    assert claim.evaluate("window.rulings") == 0


def test_the_focus_starts_on_the_claim_and_returns_to_it(claim: Page) -> None:
    first = focused(claim)

    claim.keyboard.press("2")
    is_ruled(claim, "Not supported")

    assert (first["tag"], focused(claim)["tag"]) == ("H1", "H1")
    assert focused(claim)["text"] != first["text"]


def test_a_key_is_dead_for_a_moment_after_a_new_claim(claim: Page) -> None:
    claim.keyboard.press("2")
    is_ruled(claim, "Not supported")
    second = claim.url

    claim.keyboard.press("1")
    claim.keyboard.press("1")
    keys_are_live(claim)

    assert claim.evaluate("window.rulings") == 1
    assert claim.url == second
    claim.keyboard.press("1")
    expect(claim).not_to_have_url(second)


def test_a_held_key_rules_once(claim: Page) -> None:
    claim.keyboard.down("2")
    for _ in range(5):
        claim.keyboard.down("2")
    is_ruled(claim, "Not supported")
    keys_are_live(claim)
    claim.keyboard.down("2")
    claim.keyboard.up("2")

    assert claim.evaluate("window.rulings") == 1


def test_two_quick_clicks_make_one_ruling(visits: Visits) -> None:
    page = visits.as_("newcomer")
    page.goto(visits.claim("demo"))

    page.get_by_role("button", name=re.compile("Not supported")).dblclick()
    is_ruled(page, "Not supported")
    page.goto(f"/p/{visits.world.slugs['demo']}/people/")

    expect(page.locator("tr", has_text="(you)").locator("td.number")).to_have_text("1")


def test_two_quick_clicks_start_one_run(visits: Visits) -> None:
    page = visits.as_()
    page.goto("/p/ruled/runs/?ask=again")
    rows = page.locator("table tbody tr", has_text="Panel run")
    before = rows.count()

    page.get_by_role("button", name=re.compile("^Start|^Run")).first.dblclick()
    page.wait_for_url(re.compile(r"/runs/\d+/"))
    page.goto("/p/ruled/runs/")

    assert rows.count() == before + 1


def test_a_typed_reason_survives_a_refusal_and_a_reload(claim: Page, visits: Visits) -> None:
    visits.watch.expected = {422}
    reason(claim).fill("The offer says “not”.")

    claim.evaluate("document.getElementById('ruling-form').requestSubmit()")
    expect(claim.get_by_role("alert")).to_contain_text("Choose one of the answers")
    expect(reason(claim)).to_have_value("The offer says “not”.")
    claim.reload()

    expect(reason(claim)).to_have_value("The offer says “not”.")


def test_the_keys_of_a_rule_edit_and_adopt_it(visits: Visits) -> None:
    page = visits.as_()
    entry = f"/p/ruled/rubric/{visits.world.ids['ruled-entry']}/"
    page.goto(entry)

    page.keyboard.press("e")
    page.wait_for_url(re.compile(f"{entry}edit/$"))
    page.keyboard.press("Escape")
    page.wait_for_url(re.compile(f"{entry}$"))
    page.keyboard.press("a")

    expect(page.locator("#messages")).to_contain_text("The rule is in force")


def test_x_drops_a_draft(visits: Visits) -> None:
    page = visits.as_()
    page.goto(f"/p/ruled/rubric/{visits.world.ids['ruled-entry']}/")

    page.keyboard.press("x")

    expect(page.locator("#messages")).to_contain_text("The draft is dropped")


@pytest.mark.parametrize(
    "name", ["claim", "queue", "graph", "rubric", "overview", "import", "judges", "people", "runs"]
)
def test_tab_reaches_every_control(visits: Visits, name: str) -> None:
    page = visits.as_()
    page.goto(next(v.path for v in pages.project_visits(visits.world, "ruled", pages.OWNER) if v.name == name))
    page.evaluate("document.activeElement.blur()")
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true })")
    wanted = set(page.evaluate(REACHABLE))

    reached = set()
    for _ in range(2 * len(wanted) + 20):
        page.keyboard.press("Tab")
        if number := page.evaluate(NUMBER):
            reached.add(int(number))
        if reached >= wanted:
            break

    assert reached >= wanted
    assert wanted


def test_it_works_without_scripts(visits: Visits) -> None:
    page = visits.as_("newcomer", has_scripts=False)
    address = visits.claim("demo")
    page.goto(address)

    reason(page).fill("By hand.")
    page.get_by_role("button", name=re.compile("Not supported")).click()
    is_ruled(page, "Not supported")
    page.get_by_role("link", name=re.compile("See")).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What your ruling changed")
    page.get_by_role("button", name=re.compile("Undo this ruling")).click()
    expect(page).to_have_url(re.compile(address))
    page.get_by_role("link", name=re.compile("What would change")).click()
    expect(page.locator("#preview .card")).to_have_count(3)


def test_a_rule_is_adopted_without_scripts(visits: Visits) -> None:
    page = visits.as_(has_scripts=False)
    page.goto(f"/p/ruled/rubric/{visits.world.ids['ruled-entry']}/")
    page.get_by_role("button", name=re.compile("Adopt")).click()

    expect(page.locator("#messages")).to_contain_text("The rule is in force")


def test_a_rule_is_tried_by_keys(visits: Visits) -> None:
    page = visits.as_("owner")
    entry = f"/p/ruled/rubric/{visits.world.ids['ruled-entry']}/"
    page.goto(entry)
    expect(page.get_by_text("Other trials of this rule")).to_have_count(0)
    keys_are_live(page)

    for leave in ("Escape", "Enter"):
        page.keyboard.press("t")
        page.wait_for_url(re.compile("/try/$"))
        page.keyboard.press(leave)
        page.wait_for_url(re.compile(f"{entry}(#.*)?$"))
        expect(page.get_by_role("heading", name="Tried on ruled claims")).to_be_visible()

    expect(page.get_by_text("Other trials of this rule")).to_be_visible()
    page.keyboard.press("e")
    expect(page.get_by_role("heading", name="Edit a rule")).to_be_visible()
