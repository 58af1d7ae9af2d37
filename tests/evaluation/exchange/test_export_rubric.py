"""The rubric to take home, as JSON and as Markdown."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from evaluation.exchange.export_rubric import ProvenanceRow, RubricRow, literal, rubric_json, rubric_markdown
from evaluation.schemas import Label, RubricExample

WORDS = {Label.ACCEPT: "Supported", Label.REJECT: "Not supported"}
HOSTILE = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", '"><b>bold',
           "[click](javascript:alert(3)) <svg onload=alert(4)>", "{{7*7}} ${7*7}", "# no heading", "1. no list",
           "- no list", "a\n\n## b", "`code` *x* __y__ ~~z~~ a|b", "&lt; &#60;", "http://x.invalid", "\\"]  # fmt: skip


class TextOf(HTMLParser):
    """The characters a reader sees, and the tags that made them."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text, self.tags = "", set()
        self.feed(html)
        self.close()

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)


def row(status: str = "active", **changes: object) -> RubricRow:
    provenance = ProvenanceRow(
        "7", "Ana", datetime(2026, 11, 27, 13, tzinfo=UTC), "c1", "It is included.", Label.REJECT
    )
    values = {
        "criterion": "Only if the source says so.",
        "boundary": "A separate price is given.",
        "tags": ("services",),
        "positive": RubricExample("Ground floor.", Label.ACCEPT, "Offer 2214"),
        "negative_missing": "no ruling yet",
        "provenance": (provenance,),
        **changes,
    }
    return RubricRow("3", 2, status, **values)


def test_the_json_form_has_criterion_boundary_examples_tags_and_provenance():
    document = json.loads("".join(rubric_json("Memos “A”", [row(), row(weight=0.5)])))

    entry = document["entries"][0]
    assert document["project"] == "Memos “A”"
    assert len(document["entries"]) == 2
    assert (entry["criterion"], entry["boundary"]) == ("Only if the source says so.", "A separate price is given.")
    assert entry["examples"]["positive"] == {"text": "Ground floor.", "label": "accept", "note": "Offer 2214"}
    assert entry["examples"]["negative"] == {"text": None, "missing_because": "no ruling yet"}
    assert entry["tags"] == ["services"]
    assert entry["provenance"][0]["at"] == "2026-11-27T13:00:00+00:00"


def test_an_empty_rubric_is_valid_in_both_forms():
    assert json.loads("".join(rubric_json("P", [])))["entries"] == []
    assert "no rule yet" in "".join(rubric_markdown("P", [], {}))


def test_the_markdown_form_has_every_part_in_words():
    text = "".join(rubric_markdown("Memos", [row()], WORDS))

    for part in ("## 1. Only if", "**Holds not when:** A separate", "“Ground floor.” is *Supported* (Offer 2214)",
                 "none (no ruling yet)", "**Tags:** services",
                 "Ana, 2026-11-27T13:00+00:00, ruled *Not supported* on", "**Status:** in force"):  # fmt: skip
        assert part in text


def test_what_is_not_in_force_stands_under_its_own_heading():
    rows = [row(criterion="One."), row(criterion="Two."), row("draft", criterion="Three."), row("retired")]

    text = "".join(rubric_markdown("Memos", rows, WORDS))
    drafts_only = "".join(rubric_markdown("Memos", rows[2:3], WORDS))

    headings = [line for line in text.splitlines() if line.startswith("#")]
    assert headings[1:] == ["## 1. One.", "## 2. Two.", "# Not in force: drafts", "## 1. Three.",
                            "# Not in force: retired", "## 1. Only if the source says so."]  # fmt: skip
    assert "No rule is in force.\n\n# Not in force: drafts" in drafts_only


@pytest.mark.parametrize("text", HOSTILE)
def test_pc10_hostile_text_is_shown_literally(text):
    changes = {
        "criterion": text,
        "boundary": text,
        "tags": (text,),
        "positive": RubricExample(text, Label.ACCEPT, text),
    }
    page = TextOf(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(
        "".join(rubric_markdown(text, [row(**changes)], {Label.ACCEPT: text}))))  # fmt: skip

    assert page.text.count(" ".join(text.split())) >= 6
    assert page.tags <= {"h1", "h2", "ul", "li", "strong", "em", "p"}


@given(st.text(max_size=60))
def test_any_text_survives_markdown_on_one_line(text):
    page = TextOf(MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(f"x {literal(text)}"))

    shown = " ".join(text.replace("\x00", "\ufffd").split())
    assert page.text.strip() == f"x {shown}".strip()
