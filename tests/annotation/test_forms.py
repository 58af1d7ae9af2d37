"""Forms: what is let through and what is named."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.datastructures import MultiValueDict

from annotation import forms
from annotation.forms import CommitForm, ImportForm, ProjectForm


def test_an_upload_keeps_its_name_and_bytes() -> None:
    files = MultiValueDict({"file": [SimpleUploadedFile("votes.csv", b"\xef\xbb\xbfitem")]})
    form = ImportForm({"fmt": ""}, files)

    assert form.is_valid()
    assert (form.filename(), form.content()) == ("votes.csv", b"\xef\xbb\xbfitem")


@pytest.mark.parametrize(("fmt", "name"), [("votes", "pasted.csv"), ("", "pasted text")])
def test_pasted_text_keeps_its_spaces_and_gets_a_name(fmt: str, name: str) -> None:
    form = ImportForm({"text": "  item,judge\n", "fmt": fmt})

    assert form.is_valid()
    assert (form.filename(), form.content()) == (name, b"  item,judge\n")


def test_a_file_that_is_too_large_is_led_to_the_command_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(forms, "MAX_UPLOAD", 3)
    files = MultiValueDict({"file": [SimpleUploadedFile("votes.csv", b"four")]})

    form = ImportForm({}, files)

    assert not form.is_valid()
    assert "manage.py import_data" in form.errors["file"][0]


def test_an_unknown_format_is_refused() -> None:
    assert "fmt" in ImportForm({"text": "x", "fmt": "xlsx"}).errors


@pytest.mark.parametrize(("given", "choice"), [({}, "stop"), ({"on_conflict": "keep"}, "keep")])
def test_conflicts_stop_unless_another_choice_was_made(given: dict[str, str], choice: str) -> None:
    form = CommitForm(given)

    assert form.is_valid()
    assert form.choice() == choice


def test_a_nul_is_refused_in_every_text() -> None:
    form = ProjectForm({"name": "a\x00b", "kind": "statement", "question": "c\x00", "guidelines": "d\x00"})

    assert set(form.errors) == {"name", "question", "guidelines"}
