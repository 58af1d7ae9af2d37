"""The claim page, the ruling, its preview and the AI second opinion."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_http_methods
from django.views.decorators.vary import vary_on_headers

from annotation.http import errors_as_messages, is_fragment, member_page, render_member
from annotation.ruling_form import RulingForm
from annotation.views.queue import NOTHING_LEFT
from evaluation import tasks
from evaluation.errors import JuryFlowError
from evaluation.models import Claim, Decision, Draw, Membership
from evaluation.selectors.answers import Reader, reader
from evaluation.selectors.claims import claim_page, may_see_names, open_draw, second_opinion, visible_claims
from evaluation.selectors.hints import hint_after
from evaluation.selectors.last_ruling import last_ruling
from evaluation.selectors.previews import PreviewView, preview_view
from evaluation.services import decisions, draws, preview, second_look


@dataclass(frozen=True)
class Desk:
    """A person with a claim before them."""

    request: HttpRequest
    membership: Membership
    reader: Reader
    claim: Claim

    def page(
        self, form: RulingForm | None = None, previews: tuple[PreviewView, ...] = (), *, status: int = 200
    ) -> HttpResponse:
        draw = open_draw(self.claim, self.reader.user_id)
        fresh = {"token": secrets.token_urlsafe(24), "draw": draw.pk if draw else ""}
        page = claim_page(self.reader, self.claim, draw)
        context = {
            "section": "queue",
            "page": page,
            "hint": hint_after(self.reader, page.n_today),
            "reader": self.reader,
            "strip": last_ruling(self.reader),
            "form": form.renewed(fresh) if form else RulingForm(initial=fresh),
            "previews": previews,
            "has_tour": "tour" in self.request.GET,
            "is_part": is_fragment(self.request),
        }
        name = "annotation/claim.html#claim-page" if is_fragment(self.request) else "annotation/claim.html"
        return render_member(self.request, self.membership, name, context, status=status)

    @property
    def address(self) -> str:
        return reverse("claim", kwargs={"slug": self.membership.project.slug, "claim_id": self.claim.pk})


def _desk(request: HttpRequest, membership: Membership, claim_id: int) -> Desk:
    claim = get_object_or_404(visible_claims(membership.project), pk=claim_id)
    return Desk(request, membership, reader(membership.project, membership.user_id), claim)


@vary_on_headers("HX-Request")
@require_GET
@member_page
def claim(request: HttpRequest, membership: Membership, claim_id: int) -> HttpResponse:
    desk = _desk(request, membership, claim_id)
    response = desk.page()
    if is_fragment(request):
        response["HX-Push-Url"] = desk.address
    return response


@require_http_methods(["GET", "POST"])
@member_page
def rule(request: HttpRequest, membership: Membership, claim_id: int) -> HttpResponse:
    """Record a ruling and lead to the next claim; a reload of this address leads back to the claim."""
    desk = _desk(request, membership, claim_id)
    if request.method != "POST":
        return redirect(desk.address)
    form = RulingForm(request.POST)
    if not form.is_valid():
        return desk.page(form, status=422)
    if known := Decision.objects.filter(token=form.cleaned_data["token"], expert=membership.user).first():
        return _answered_before(desk, form, known)
    saw_names = may_see_names(desk.reader, desk.claim)
    ruling = form.ruling(desk.reader, desk.claim, saw_names=saw_names)
    try:
        if warning := _warning(desk, ruling):
            return desk.page(form, (warning,), status=422)
        decision = decisions.record(draw=_draw(desk, form), ruling=ruling)
        tasks.follow_up.delay_on_commit(decision.pk)
    except JuryFlowError as error:
        form.add_error(None, str(error))
        return desk.page(form, status=422)
    return _on_to_the_next(desk)


def _answered_before(desk: Desk, form: RulingForm, known: Decision) -> HttpResponse:
    """A second click goes on; a form from before an undo is shown again, for it would change nothing."""
    if not hasattr(known, "undo"):
        return _on_to_the_next(desk)
    form.add_error(None, "The ruling of this form was undone since. Choose again to rule anew.")
    return desk.page(form, status=422)


def _draw(desk: Desk, form: RulingForm) -> Draw:
    """The draw that brought the claim before this person; opened by hand where there is none."""
    own = desk.claim.draws.filter(expert=desk.membership.user, pk=form.cleaned_data["draw"])
    return own.first() or draws.by_hand(claim=desk.claim, expert=desk.membership.user)


def _warning(desk: Desk, ruling: decisions.Ruling) -> PreviewView | None:
    """What the person should see before this ruling counts; nothing once they have seen it."""
    if ruling.saw_preview or ruling.action != Decision.Action.RULE:
        return None
    found = preview.preview(claim=desk.claim, label=ruling.label)
    return preview_view(desk.reader, desk.claim, ruling.label, found) if found.opens_by_itself else None


def _on_to_the_next(desk: Desk) -> HttpResponse:
    slug = desk.membership.project.slug
    draw = draws.next_draw(project=desk.membership.project, expert=desk.membership.user, after=desk.claim)
    if draw is not None:
        return redirect("claim", slug=slug, claim_id=draw.claim_id)
    messages.info(desk.request, NOTHING_LEFT)
    address = reverse("queue", kwargs={"slug": slug})
    return HttpResponse(headers={"HX-Redirect": address}) if is_fragment(desk.request) else redirect(address)


@vary_on_headers("HX-Request")
@require_GET
@member_page
def show_preview(request: HttpRequest, membership: Membership, claim_id: int) -> HttpResponse:
    """What each ruling on the claim would change, as a part of the claim page or in it."""
    desk = _desk(request, membership, claim_id)
    labels = desk.reader.words(desk.claim.kind, desk.claim.pk)
    found = tuple(
        preview_view(desk.reader, desk.claim, label, preview.preview(claim=desk.claim, label=label))
        for label in sorted(labels, key=lambda label: labels[label].slot)
    )
    if not is_fragment(request):
        return desk.page(previews=found)
    return render_member(request, membership, "annotation/claim.html#preview", {"previews": found})


@vary_on_headers("HX-Request")
@require_http_methods(["GET", "POST"])
@member_page
def ask_second_opinion(request: HttpRequest, membership: Membership, claim_id: int) -> HttpResponse:
    """Ask the AI reviewer about the claim (POST), or say how far that is (GET)."""
    desk = _desk(request, membership, claim_id)
    if request.method == "POST":
        with errors_as_messages(request):
            run = second_look.ask_about(claim=desk.claim, by=membership.user)
            tasks.drive_run.delay_on_commit(run.pk)
    if not is_fragment(request):
        return redirect(desk.address)
    opinion = second_opinion(desk.reader, desk.claim)
    context = {"claim": desk.claim, "opinion": opinion, "with_messages": True}
    part = render_member(request, membership, "annotation/claim.html#second-opinion", context)
    if opinion is not None and not opinion.is_waiting:
        part["HX-Reswap"] = "outerHTML show:#second-opinion:top"  # the result comes into view, waiting does not
    return part
