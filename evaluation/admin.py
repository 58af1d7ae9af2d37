"""The admin: everything can be searched and filtered; what records an event can only be read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.db.models import Model
from django.http import HttpRequest

from evaluation import models

if TYPE_CHECKING:
    Page = admin.ModelAdmin[Model]
    Rows = admin.TabularInline[Model, Model]
else:
    Page = admin.ModelAdmin
    Rows = admin.TabularInline


class EditablePage(Page):
    """Rows that a person may correct; many-rowed relations are chosen by id."""

    list_per_page = 50
    show_full_result_count = False


class RecordPage(Page):
    """Rows that say what happened or what was computed: they are read here and never changed."""

    list_per_page = 50
    show_full_result_count = False

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Model | None = None) -> bool:
        return False


@admin.register(models.Project)
class ProjectPage(EditablePage):
    list_display = ["name", "slug", "method", "is_demo", "rubric_version", "created_at"]
    list_filter = ["method", "is_demo"]
    search_fields = ["name", "slug"]
    readonly_fields = ["method", "is_demo", "rubric_version", "created_at", "created_by"]
    exclude = ["cap_micros", "weekly_second_look_cap_micros"]  # set on the page Money, which tells the purses

    def has_delete_permission(self, _request: HttpRequest, _obj: Model | None = None) -> bool:
        """A project goes by its own page, which removes it whole; here its records would be in the way."""
        return False


@admin.register(models.Membership)
class MembershipPage(EditablePage):
    list_display = ["project", "user", "role", "created_at"]
    list_filter = ["role", "project"]
    search_fields = ["project__name", "user__username"]
    list_select_related = ["project", "user"]
    raw_id_fields = ["project", "user"]


@admin.register(models.Invitation)
class InvitationPage(EditablePage):
    list_display = ["project", "role", "created_by", "created_at", "expires_at", "used_at", "used_by"]
    list_filter = ["role", "project"]
    search_fields = ["project__name", "created_by__username", "used_by__username"]
    list_select_related = ["project", "created_by", "used_by"]
    raw_id_fields = ["project", "created_by", "used_by"]
    exclude = ["token"]


@admin.register(models.System, models.Batch)
class NamedPage(EditablePage):
    list_display = ["name", "project"]
    list_filter = ["project"]
    search_fields = ["name"]
    list_select_related = ["project"]
    raw_id_fields = ["project"]


@admin.register(models.Document)
class DocumentPage(EditablePage):
    list_display = ["external_id", "project", "title"]
    list_filter = ["project"]
    search_fields = ["external_id", "title", "text"]
    list_select_related = ["project"]


@admin.register(models.Instance)
class InstancePage(EditablePage):
    list_display = ["external_id", "project", "prompt", "created_at"]
    list_filter = ["project"]
    search_fields = ["external_id", "prompt"]
    list_select_related = ["project"]
    raw_id_fields = ["project"]
    readonly_fields = ["content_hash", "created_at"]
    filter_horizontal = ["documents"]


@admin.register(models.Response)
class ResponsePage(EditablePage):
    list_display = ["external_id", "project", "system", "batch", "instance", "created_at"]
    list_filter = ["project", "system", "batch"]
    search_fields = ["external_id", "text"]
    list_select_related = ["project", "system", "batch", "instance"]
    raw_id_fields = ["project", "instance", "system", "batch"]
    readonly_fields = ["content_hash", "created_at"]


@admin.register(models.Claim)
class ClaimPage(EditablePage):
    list_display = ["text", "external_id", "kind", "project", "gold", "is_void", "degree"]
    list_filter = ["project", "kind", "is_void", "gold"]
    search_fields = ["external_id", "text"]
    list_select_related = ["project"]
    raw_id_fields = ["project", "instance", "response", "second_response"]
    readonly_fields = ["content_hash", "degree", "created_at"]


@admin.register(models.Judge)
class JudgePage(RecordPage):  # it changes on its own page, where the panel follows and no key goes to another server
    list_display = ["name", "project", "provider", "model", "persona", "key_name", "is_active", "retired_at"]
    list_filter = ["provider", "is_active", "project"]
    search_fields = ["name", "model"]
    list_select_related = ["project"]


@admin.register(models.RubricEntry)
class RubricEntryPage(RecordPage):
    """An entry changes on its own page, where every change leaves an event."""

    list_display = ["criterion", "project", "status", "version", "dimension", "updated_at"]
    list_filter = ["status", "rubric", "project"]
    search_fields = ["criterion", "boundary", "positive_example", "negative_example"]
    list_select_related = ["project"]


@admin.register(models.RubricEvent)
class RubricEventPage(RecordPage):
    list_display = ["at", "action", "entry", "entry_version", "rubric_version", "by"]
    list_filter = ["action", "at"]
    search_fields = ["entry__criterion", "by__username"]
    list_select_related = ["entry", "by"]


@admin.register(models.Import)
class ImportPage(RecordPage):
    list_display = ["filename", "project", "format", "state", "created_by", "created_at", "committed_at"]
    list_filter = ["state", "format", "project"]
    search_fields = ["filename", "sha256"]
    list_select_related = ["project", "created_by"]
    exclude = ["content"]


@admin.register(models.Panel)
class PanelPage(RecordPage):
    list_display = ["project", "version", "is_current", "created_at"]
    list_filter = ["is_current", "project"]
    search_fields = ["project__name"]
    list_select_related = ["project"]


@admin.register(models.Run)
class RunPage(RecordPage):
    list_display = ["pk", "kind", "project", "state", "message", "started_by", "created_at", "ended_at"]
    list_filter = ["kind", "state", "project"]
    search_fields = ["project__name", "message"]
    list_select_related = ["project", "started_by"]


@admin.register(models.Job)
class JobPage(RecordPage):
    list_display = ["key", "run", "task", "judge", "state", "attempt", "lease_until", "error"]
    list_filter = ["state", "task", "run__project"]
    search_fields = ["key", "error", "judge__name"]
    list_select_related = ["run__project", "judge"]
    exclude = ["claims"]


@admin.register(models.Call)
class CallPage(RecordPage):
    list_display = ["sent_at", "judge", "state", "model", "input_tokens", "output_tokens", "cost_micros", "reason"]
    list_filter = ["state", "reason", "model", "sent_at"]
    search_fields = ["judge__name", "model", "cache_key", "error"]
    list_select_related = ["judge"]


@admin.register(models.ModelPrice)
class ModelPricePage(EditablePage):
    list_display = ["model", "provider", "host", "valid_from", "input_micros", "output_micros", "source"]
    list_filter = ["provider", "host", "valid_from"]
    search_fields = ["model", "source"]


@admin.register(models.Purse)
class PursePage(RecordPage):
    list_display = ["key", "cap_micros", "spent_micros", "reserved_micros"]
    list_filter = ["project"]
    search_fields = ["key", "project__name"]


@admin.register(models.ProviderBatch)
class ProviderBatchPage(RecordPage):
    list_display = ["created_at", "judge", "run", "state", "n_calls", "provider_id", "error"]
    list_filter = ["state", "run__project"]
    search_fields = ["provider_id", "token", "judge__name"]
    list_select_related = ["judge", "run__project"]


@admin.register(models.Verdict)
class VerdictPage(RecordPage):
    list_display = ["claim", "judge", "order", "purpose", "state", "label", "confidence", "is_current", "created_at"]
    list_filter = ["state", "purpose", "label", "is_current", "claim__project"]
    search_fields = ["claim__text", "claim__external_id", "judge__name", "rationale", "failure_reason"]
    list_select_related = ["claim", "judge"]


@admin.register(models.Draw)
class DrawPage(RecordPage):
    list_display = ["drawn_at", "claim", "expert", "policy", "rank", "probability", "is_audit", "is_by_hand", "is_open"]
    list_filter = ["policy", "is_audit", "is_by_hand", "is_open", "project"]
    search_fields = ["claim__text", "claim__external_id", "expert__username"]
    list_select_related = ["claim", "expert"]


@admin.register(models.Decision)
class DecisionPage(RecordPage):
    list_display = ["decided_at", "claim", "expert", "action", "label", "source", "is_serious", "reason"]
    list_filter = ["action", "label", "source", "is_serious", "project", "decided_at"]
    search_fields = ["claim__text", "claim__external_id", "expert__username", "reason"]
    list_select_related = ["claim", "expert"]


@admin.register(models.Undo)
class UndoPage(RecordPage):
    list_display = ["undone_at", "decision", "expert"]
    list_filter = ["undone_at", "decision__project"]
    search_fields = ["decision__claim__text", "expert__username"]
    list_select_related = ["decision", "expert"]


@admin.register(models.Propagation)
class PropagationPage(RecordPage):
    list_display = ["created_at", "decision", "n_moved", "n_ties_settled"]
    list_filter = ["created_at", "decision__project"]
    search_fields = ["decision__claim__text"]
    list_select_related = ["decision"]


@admin.register(models.PatternMove)
class PatternMovePage(RecordPage):
    list_display = ["propagation", "before_state", "before_label", "after_state", "after_label", "n_claims"]
    list_filter = ["before_state", "after_state", "after_label"]
    search_fields = ["pattern__key", "propagation__decision__claim__text"]
    list_select_related = ["propagation"]


@admin.register(models.Proposal)
class ProposalPage(RecordPage):
    list_display = ["created_at", "claim", "before_label", "label", "state", "answered_by", "answered_at"]
    list_filter = ["state", "label", "decision__project"]
    search_fields = ["claim__text", "claim__external_id"]
    list_select_related = ["claim", "answered_by"]


@admin.register(models.Outcome)
class OutcomePage(RecordPage):
    list_display = ["claim", "source", "label", "state", "is_serious", "updated_at"]
    list_filter = ["source", "settled_label", "pattern__state", "is_serious", "project"]
    search_fields = ["claim__text", "claim__external_id"]
    list_select_related = ["claim", "pattern"]


@admin.register(models.VotePattern)
class VotePatternPage(RecordPage):
    list_display = ["key", "project", "n_cast", "is_candidate", "state", "label", "n_open"]
    list_filter = ["state", "is_candidate", "is_full", "project"]
    search_fields = ["key"]
    list_select_related = ["project"]


@admin.register(models.TrackRecord)
class TrackRecordPage(RecordPage):
    list_display = ["judge", "order", "kind", "agreed", "decided", "mean", "lower", "upper"]
    list_filter = ["kind", "order", "project"]
    search_fields = ["judge__name"]
    list_select_related = ["judge"]


@admin.register(models.ClaimGraph)
class ClaimGraphPage(RecordPage):
    list_display = ["project", "is_current", "n_claims", "n_edges", "alpha", "beta", "neighbours", "created_at"]
    list_filter = ["is_current", "project"]
    search_fields = ["project__name"]
    list_select_related = ["project"]
