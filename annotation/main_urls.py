"""Addresses of the pages that experts use all day."""

from __future__ import annotations

from django.urls import URLPattern, path

from annotation.views import claim, graph, proposals, queue, rubric, rulings

main_urls: list[URLPattern] = [
    path("p/<slug:slug>/queue/", queue.queue, name="queue"),
    path("p/<slug:slug>/next/", queue.next_claim, name="next-claim"),
    path("p/<slug:slug>/claims/<int:claim_id>/", claim.claim, name="claim"),
    path("p/<slug:slug>/claims/<int:claim_id>/rule/", claim.rule, name="rule"),
    path("p/<slug:slug>/claims/<int:claim_id>/preview/", claim.show_preview, name="preview"),
    path("p/<slug:slug>/claims/<int:claim_id>/second-opinion/", claim.ask_second_opinion, name="second-opinion"),
    path("p/<slug:slug>/rulings/<int:decision_id>/", rulings.moved, name="moved"),
    path("p/<slug:slug>/rulings/<int:decision_id>/undo/", rulings.undo, name="undo"),
    path("p/<slug:slug>/rulings/<int:decision_id>/draft/", rubric.draft, name="rubric-draft"),
    path("p/<slug:slug>/proposals/<int:proposal_id>/accept/", proposals.accept, name="proposal-accept"),
    path("p/<slug:slug>/proposals/<int:proposal_id>/drop/", proposals.drop, name="proposal-drop"),
    path("p/<slug:slug>/graph/", graph.graph, name="graph"),
    path("p/<slug:slug>/rubric/", rubric.rubric, name="rubric"),
    path("p/<slug:slug>/rubric/new/", rubric.write, name="rubric-new"),
    path("p/<slug:slug>/rubric/<int:entry_id>/", rubric.entry, name="rubric-entry"),
    path("p/<slug:slug>/rubric/<int:entry_id>/edit/", rubric.edit, name="rubric-edit"),
    path("p/<slug:slug>/rubric/<int:entry_id>/adopt/", rubric.adopt, name="rubric-adopt"),
    path("p/<slug:slug>/rubric/<int:entry_id>/propose/", rubric.propose, name="rubric-propose"),
    path("p/<slug:slug>/rubric/<int:entry_id>/drop/", rubric.drop, name="rubric-drop"),
    path("p/<slug:slug>/rubric/<int:entry_id>/retire/", rubric.retire, name="rubric-retire"),
]
