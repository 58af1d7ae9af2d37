"""What models cost: the prices there are with date and source, those of this project's judges, and entering one."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.dateformat import format as date_format
from django.views.decorators.http import require_POST, require_safe

from annotation.http import owner_page, render_member
from annotation.money_forms import PriceForm
from annotation.numbers import whole
from evaluation.errors import JuryFlowError
from evaluation.models import Membership
from evaluation.selectors import price_list as listed
from evaluation.selectors.answers import name_of
from evaluation.services import judges as judge_services
from evaluation.services import prices


@require_safe
@owner_page
def price_list(request: HttpRequest, membership: Membership) -> HttpResponse:
    judge = membership.project.judges.filter(pk=whole(request.GET.get("judge")) or 0).first()
    initial: dict[str, object] | None = None
    if judge:
        initial = {"provider": judge.provider, "host": prices.host_of(judge), "model": judge.model}
    return _page(request, membership, _form(initial=initial))


@require_POST
@owner_page
def price_add(request: HttpRequest, membership: Membership) -> HttpResponse:
    form = _form(request.POST)
    if not form.is_valid():
        return _page(request, membership, form, status=422)
    try:
        row = prices.set_price(new=form.price(name_of(membership.user)))
    except JuryFlowError as error:
        form.add_error(None, str(error))
        return _page(request, membership, form, status=422)
    messages.success(
        request,
        f"The price of {row.model} holds from {date_format(row.valid_from, 'j M Y')}. Calls made before keep theirs.",
    )
    return redirect("prices", slug=membership.project.slug)


def _form(data: QueryDict | None = None, *, initial: dict[str, object] | None = None) -> PriceForm:
    providers = [(offer.name, offer.title) for offer in judge_services.offers()]
    return PriceForm(data, initial=initial, providers=providers)


def _page(request: HttpRequest, membership: Membership, form: PriceForm, *, status: int = 200) -> HttpResponse:
    context = {
        "section": "money",
        "judges": prices.of_judges(membership.project),
        "today": timezone.now(),
        "rows": listed.price_rows(),
        "form": form,
    }
    return render_member(request, membership, "annotation/prices.html", context, status=status)
