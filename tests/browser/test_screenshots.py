"""Every page fits a desk and a phone; with JURYFLOW_SCREENSHOTS it is photographed into that folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from juryflow_app import env
from tests.browser import pages
from tests.browser.pages import Visit
from tests.browser.watching import PHONE, WIDE, Scheme, Visits

FOLDER = env.text("JURYFLOW_SCREENSHOTS")
SCHEMES: tuple[Scheme, ...] = ("light", "dark") if FOLDER else ("light",)
OVERFLOWING = """() => {
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth <= width) return [];
  const isCut = (element) => {
    for (let above = element.parentElement; above && above !== document.body; above = above.parentElement) {
      if (getComputedStyle(above).overflowX !== "visible") return true;
    }
    return false;
  };
  const found = [...document.querySelectorAll("body *")]
    .filter((element) => element.getBoundingClientRect().right > width + 1 && !isCut(element));
  return [`${document.documentElement.scrollWidth} px wide`, ...found.slice(0, 5).map((element) =>
    `${element.tagName} ${element.className} ${element.textContent.trim().slice(0, 40)}`)];
}"""


def unlike(visits: Visits) -> list[Visit]:
    """Every page once; experts' pages only where they differ."""
    return [
        visit for visit in pages.visits_of(visits.world) if visit.person != pages.EXPERT or visit.project == "ruled"
    ]


def photograph(page: Page, visit: Visit, number: int, form: str) -> None:
    """Keep a picture of the page, if pictures are asked for."""
    if FOLDER:
        folder = Path(FOLDER) / form
        folder.mkdir(parents=True, exist_ok=True)
        page.wait_for_load_state("networkidle")
        page.screenshot(path=folder / f"{number:02}-{visit.title}.png", full_page=True)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("form", "size"), [("1440", WIDE), ("390", PHONE)])
def test_screenshots_show_pages_without_sideways_scrolling(
    visits: Visits, form: str, size: tuple[int, int], scheme: Scheme
) -> None:
    visits.watch.expected = {403, 404}
    windows = {
        person: visits.as_(person, size=size, scheme=scheme, is_touched=form == "390") for person in pages.PEOPLE
    }
    found = []

    for number, visit in enumerate(unlike(visits)):
        page = windows[visit.person]
        page.goto(visit.path)
        photograph(page, visit, number, f"{form}-{scheme}")
        found += [f"{visit.title} at {form}: {element}" for element in page.evaluate(OVERFLOWING)]

    assert found == []
