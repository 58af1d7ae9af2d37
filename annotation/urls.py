"""Addresses of the pages; those about claims, rulings, graph and rubric are in `main_urls`."""

from __future__ import annotations

from django.urls import URLPattern, path

from annotation.main_urls import main_urls
from annotation.views import export, home, imports, judges, overview, people, projects, runs, sign_in
from annotation.views.help import help_page

project_urls: list[URLPattern] = [
    path("p/<slug:slug>/", overview.project_overview, name="overview"),
    path("p/<slug:slug>/remove/", projects.remove, name="project-remove"),
    path("p/<slug:slug>/import/", imports.import_page, name="import"),
    path("p/<slug:slug>/import/<int:import_id>/", imports.import_report, name="import-report"),
    path("p/<slug:slug>/import/<int:import_id>/commit/", imports.import_commit, name="import-commit"),
    path("p/<slug:slug>/runs/", runs.run_list, name="runs"),
    path("p/<slug:slug>/runs/start/", runs.run_start, name="run-start"),
    path("p/<slug:slug>/runs/<int:run_id>/", runs.run_detail, name="run"),
    path("p/<slug:slug>/runs/<int:run_id>/stop/", runs.run_stop, name="run-stop"),
    path("p/<slug:slug>/judges/", judges.judge_list, name="judges"),
    path("p/<slug:slug>/judges/add/", judges.judge_add, name="judge-add"),
    path("p/<slug:slug>/judges/offline/", judges.judge_add_offline, name="judge-add-offline"),
    path("p/<slug:slug>/judges/<int:judge_id>/switch/", judges.judge_switch, name="judge-switch"),
    path("p/<slug:slug>/people/", people.people, name="people"),
    path("p/<slug:slug>/people/invite/", people.invite, name="invite"),
    path("p/<slug:slug>/export/", export.export, name="export"),
    path("p/<slug:slug>/export/<slug:what>.<slug:fmt>", export.export_file, name="export-file"),
]

urlpatterns: list[URLPattern] = [
    path("", home.home, name="home"),
    path("start/<str:token>", sign_in.start, name="start"),
    path("sign-in/", sign_in.SignIn.as_view(), name="sign-in"),
    path("sign-out/", sign_in.sign_out, name="sign-out"),
    path("join/<str:token>/", sign_in.invitation, name="invitation"),
    path("projects/", projects.project_list, name="projects"),
    path("projects/new/", projects.project_new, name="project-new"),
    path("help/", help_page, name="help"),
    *project_urls,
    *main_urls,
]
