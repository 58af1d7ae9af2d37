"""Everything that can be taken home, as files."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from annotation.http import member_page, render_member
from evaluation.errors import InvalidInputError
from evaluation.models import Membership
from evaluation.services import exports


@require_safe
@member_page
def export(request: HttpRequest, membership: Membership) -> HttpResponse:
    return render_member(request, membership, "annotation/export.html", {"section": "export", "files": exports.CHOICES})


@require_safe
@member_page
def export_file(_: HttpRequest, membership: Membership, what: str, fmt: str) -> StreamingHttpResponse:
    try:
        choice = exports.choice(what, fmt)
    except InvalidInputError as error:
        raise Http404(str(error)) from error
    project = membership.project
    pieces = exports.stream(project=project, what=what, fmt=fmt)
    response = StreamingHttpResponse(pieces, content_type=choice.content_type)
    response["Content-Disposition"] = f'attachment; filename="{project.slug}-{choice.ending}"'
    return response
