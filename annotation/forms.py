"""Forms of the pages: what a person types, checked before a service sees it."""

from __future__ import annotations

from django import forms
from django.core.files.uploadedfile import UploadedFile

from evaluation.models import Import, Membership
from evaluation.schemas import ClaimKind

MAX_UPLOAD = 200 * 1024 * 1024
FORMATS = [("", "Find out by itself"), ("jsonl", "JuryFlow JSONL"), ("votes", "CSV of votes")]


class PlainForm(forms.Form):
    """A form whose labels end without a colon."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__(*args, **{"label_suffix": "", **kwargs})  # type: ignore[arg-type]


class ProjectForm(PlainForm):
    name = forms.CharField(max_length=200, label="Name")
    kind = forms.ChoiceField(
        choices=[(ClaimKind.STATEMENT.value, "Statements"), (ClaimKind.PREFERENCE.value, "Pairs of answers")],
        initial=ClaimKind.STATEMENT.value,
        widget=forms.RadioSelect,
        label="What is judged",
    )
    question = forms.CharField(
        max_length=500,
        required=False,
        label="The question",
        help_text="Shown with every claim and sent to the judges word for word. "
        "Left empty: “Do the sources support this?” or “Which answer serves the request better?”",
    )
    guidelines = forms.CharField(
        required=False,
        max_length=20_000,
        widget=forms.Textarea(attrs={"rows": 4}),
        label="Guidelines (optional)",
        help_text="For experts and judges: what counts, what does not.",
    )


class ImportForm(PlainForm):
    """A file or pasted text, not both."""

    file = forms.FileField(required=False, label="File", help_text="JSONL or CSV in UTF-8, at most 200 MB.")
    text = forms.CharField(
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false"}),
        label="Or paste it",
    )
    fmt = forms.ChoiceField(choices=FORMATS, required=False, label="Format")

    def clean_file(self) -> UploadedFile[bytes] | None:
        file: UploadedFile[bytes] | None = self.cleaned_data["file"]
        if file is not None and (file.size or 0) > MAX_UPLOAD:
            raise forms.ValidationError("The file is larger than 200 MB: bring it with `manage.py import_data`.")
        return file

    def clean(self) -> dict[str, object]:
        cleaned: dict[str, object] = super().clean() or {}
        file, text = cleaned.get("file"), str(cleaned.get("text") or "").strip()
        if "file" in self.errors:
            return cleaned
        if not file and not text:
            raise forms.ValidationError("Choose a file or paste its text.")
        if file and text:
            raise forms.ValidationError("Choose a file or paste text, not both.")
        return cleaned

    def content(self) -> bytes:
        """The bytes to import."""
        file: UploadedFile[bytes] | None = self.cleaned_data["file"]
        return bytes(file.read()) if file else str(self.cleaned_data["text"]).encode()

    def filename(self) -> str:
        """The name the report calls the file by."""
        file: UploadedFile[bytes] | None = self.cleaned_data["file"]
        if file and file.name:
            return file.name
        return "pasted.csv" if self.cleaned_data["fmt"] == "votes" else "pasted text"


class CommitForm(PlainForm):
    """What happens to things that are in the project with other content."""

    on_conflict = forms.ChoiceField(
        choices=[
            (Import.OnConflict.STOP.value, "Stop: take nothing in"),
            (Import.OnConflict.KEEP.value, "Keep what is in the project"),
            (Import.OnConflict.REPLACE.value, "Replace it by what the file says"),
        ],
        initial=Import.OnConflict.STOP.value,
        required=False,
        widget=forms.RadioSelect,
        label="Where the project and the file differ",
    )

    def choice(self) -> str:
        """The choice, stopping where none was shown."""
        return str(self.cleaned_data["on_conflict"] or Import.OnConflict.STOP.value)


class InviteForm(PlainForm):
    role = forms.ChoiceField(choices=Membership.Role.choices, initial=Membership.Role.EXPERT.value, label="Role")


class JoinForm(PlainForm):
    """For people who have no account here yet."""

    display_name = forms.CharField(max_length=100, label="Your name", help_text="As others in the project will see it.")
