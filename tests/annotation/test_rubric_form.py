from __future__ import annotations

from annotation.rubric_form import EntryForm


def test_tags_are_read_between_commas() -> None:
    entry = EntryForm({"criterion": "Units must match.", "tags": " price, ,time "})

    assert entry.is_valid()
    assert entry.text().tags == ("price", "time")
