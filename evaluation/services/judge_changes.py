"""Changes a judge: what leaves its votes comparable is changed in place, anything else makes a new judge."""

from __future__ import annotations

from django.db import transaction
from django.views.decorators.debug import sensitive_variables

from evaluation.errors import InvalidInputError, NotAllowedError
from evaluation.models import Job, Judge
from evaluation.services import judges, patterns, projects, receivers
from evaluation.services.judges import NewJudge

KEPT = ("name", "model", "base_url", "key_name", "persona", "parameters", "encrypted_key")


def can_change(judge: Judge) -> bool:
    """Whether there is anything to change: offline rules are as they are, and recorded votes came from a file."""
    return judges.is_remote(judge)


def has_worked(judge: Judge) -> bool:
    """Whether it has voted or was asked, tests apart: then another model under its name would mix two judges."""
    return judge.verdicts.exists() or judge.calls.exclude(job__task=Job.Task.TEST).exists()


@sensitive_variables()
def change(*, judge: Judge, wanted: NewJudge, forget_key: bool = False) -> Judge:
    """Make a judge what is wanted, or put a new one in its place where it has worked and its model or server changes.

    An empty `wanted.key` keeps the key there is, unless it is to be forgotten or the server is another one: a key that
    was typed for one server never goes to another. Raises InvalidInputError and NotAllowedError.
    """
    if not can_change(judge):
        raise NotAllowedError(f"“{judge}” has nothing to change: it is asked by no provider.")
    if wanted.provider != judge.provider:
        raise InvalidInputError("A judge of another provider is another judge: add it, and retire this one.")
    drafted = judges.drafted(judge.project, wanted)
    with transaction.atomic():
        projects.hold(judge.project)
        judge.refresh_from_db()
        _keep_key(judge, drafted, forget_key=forget_key)
        receivers.require(project=judge.project, judge=drafted, may_see_text=wanted.may_see_text)
        if _is_another(judge, drafted) and has_worked(judge):
            return _put_in_place(judge, drafted)
        for name in KEPT:
            setattr(judge, name, getattr(drafted, name))
        judges.check_name(judge)
        judge.save(update_fields=KEPT)
    return judge


def _is_another(judge: Judge, drafted: Judge) -> bool:
    return (judge.model, judge.base_url) != (drafted.model, drafted.base_url)


@sensitive_variables()
def _keep_key(judge: Judge, drafted: Judge, *, forget_key: bool) -> None:
    is_same_server = receivers.receiver_of(judge) == receivers.receiver_of(drafted)
    if not drafted.encrypted_key and is_same_server and not forget_key:
        drafted.encrypted_key = judge.encrypted_key


def _put_in_place(judge: Judge, drafted: Judge) -> Judge:
    """Let a new judge vote; the old one rests and keeps its name and votes."""
    if drafted.name.lower() == judge.name.lower():
        raise InvalidInputError(
            f"“{judge}” has votes of {judge.model}. With another model or address it is a new judge, which needs a "
            f"name of its own; “{judge}” keeps its votes and rests."
        )
    judges.check_name(drafted)
    judge.is_active = False
    judge.save(update_fields=["is_active"])
    drafted.save()
    patterns.renew_panel(judge.project)
    return drafted
