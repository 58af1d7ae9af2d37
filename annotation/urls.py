"""Addresses of the pages: those of a project in the order of its navigation, and those outside of one."""

from __future__ import annotations

from django.urls import URLPattern, path

from annotation.views import (
    claim,
    export,
    graph,
    home,
    imports,
    judges,
    overview,
    people,
    projects,
    proposals,
    queue,
    rubric,
    rulings,
    runs,
    sign_in,
)
from annotation.views.help import help_page

project_urls: list[URLPattern] = [
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
    path("p/<slug:slug>/", overview.project_overview, name="overview"),
    path("p/<slug:slug>/rubric/", rubric.rubric, name="rubric"),
    path("p/<slug:slug>/rubric/new/", rubric.write, name="rubric-new"),
    path("p/<slug:slug>/rubric/<int:entry_id>/", rubric.entry, name="rubric-entry"),
    path("p/<slug:slug>/rubric/<int:entry_id>/edit/", rubric.edit, name="rubric-edit"),
    path("p/<slug:slug>/rubric/<int:entry_id>/adopt/", rubric.adopt, name="rubric-adopt"),
    path("p/<slug:slug>/rubric/<int:entry_id>/propose/", rubric.propose, name="rubric-propose"),
    path("p/<slug:slug>/rubric/<int:entry_id>/drop/", rubric.drop, name="rubric-drop"),
    path("p/<slug:slug>/rubric/<int:entry_id>/retire/", rubric.retire, name="rubric-retire"),
    path("p/<slug:slug>/graph/", graph.graph, name="graph"),
    path("p/<slug:slug>/judges/", judges.judge_list, name="judges"),
    path("p/<slug:slug>/judges/add/", judges.judge_add, name="judge-add"),
    path("p/<slug:slug>/judges/offline/", judges.judge_add_offline, name="judge-add-offline"),
    path("p/<slug:slug>/judges/<int:judge_id>/switch/", judges.judge_switch, name="judge-switch"),
    path("p/<slug:slug>/runs/", runs.run_list, name="runs"),
    path("p/<slug:slug>/runs/start/", runs.run_start, name="run-start"),
    path("p/<slug:slug>/runs/<int:run_id>/", runs.run_detail, name="run"),
    path("p/<slug:slug>/runs/<int:run_id>/stop/", runs.run_stop, name="run-stop"),
    path("p/<slug:slug>/import/", imports.import_page, name="import"),
    path("p/<slug:slug>/import/<int:import_id>/", imports.import_report, name="import-report"),
    path("p/<slug:slug>/import/<int:import_id>/commit/", imports.import_commit, name="import-commit"),
    path("p/<slug:slug>/export/", export.export, name="export"),
    path("p/<slug:slug>/export/<slug:what>.<slug:fmt>", export.export_file, name="export-file"),
    path("p/<slug:slug>/people/", people.people, name="people"),
    path("p/<slug:slug>/people/invite/", people.invite, name="invite"),
    path("p/<slug:slug>/people/<int:member_id>/sign-in-link/", people.sign_in_link, name="sign-in-link"),
    path("p/<slug:slug>/remove/", projects.remove, name="project-remove"),
]

urlpatterns: list[URLPattern] = [
    path("", home.home, name="home"),
    path("start/<str:token>", sign_in.start, name="start"),
    path("sign-in/", sign_in.SignIn.as_view(), name="sign-in"),
    path("sign-out/", sign_in.sign_out, name="sign-out"),
    path("join/<slug:token>/", sign_in.invitation, name="invitation"),
    path("projects/", projects.project_list, name="projects"),
    path("projects/new/", projects.project_new, name="project-new"),
    path("help/", help_page, name="help"),
    *project_urls,
]
