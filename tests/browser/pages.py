"""Every page there is: the addresses of the world's projects under their URL names, for the people who may see them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.urls import reverse

from tests.browser.world import World

OWNER, EXPERT, NEWCOMER, NOBODY = "owner", "expert", "newcomer", ""
PEOPLE = (OWNER, EXPERT, NEWCOMER, NOBODY)
# answers that are no page: they change something and lead to a page, or are files
NO_PAGES = frozenset(
    {
        *("start", "sign-out", "project-remove", "import-commit", "run-start", "run-stop", "next-claim", "export-file"),
        *("judge-add-offline", "judge-switch", "judge-retire", "judge-bring-back", "judge-test", "judge-receivers"),
        *("invite", "sign-in-link", "rule", "second-opinion", "undo"),
        *("proposal-accept", "proposal-drop", "rubric-adopt", "rubric-propose", "rubric-drop", "rubric-retire"),
        *("voting-rules", "rubric-draft", "rubric-redact", "rubric-try-start", "privacy-preview", "privacy-save"),
        *("run-pause", "run-resume", "money-caps", "price-add"),
    }
)
MEMBERS = ("overview", "runs", "judges", "people", "export", "queue", "graph", "rubric", "rubric-new")
ROWS = {
    "claim": ("claim_id", "claim"),
    "preview": ("claim_id", "claim"),
    "moved": ("decision_id", "decision"),
    "rubric-entry": ("entry_id", "entry"),
    "rubric-edit": ("entry_id", "entry"),
    "rubric-try": ("entry_id", "entry"),
    "judge": ("judge_id", "judge"),
    "judge-tested": ("run_id", "test"),
    "run": ("run_id", "run"),
    "money-call": ("call_id", "call"),
    "import-report": ("import_id", "import"),
}
MONEY = ("money", "money-calls", "prices")
OWNERS_ONLY = {"judge", "judge-tested", "import", "import-report", "rubric-try", "privacy", "money-call", *MONEY}


@dataclass(frozen=True)
class Visit:
    """An address, the name of its URL, and who opens it."""

    name: str
    path: str
    person: str
    project: str = ""
    status: int = 200

    @property
    def title(self) -> str:
        """A name for files and messages, such as `ruled-claim-expert`."""
        return "-".join(part for part in (self.project, self.name, self.person or "nobody") if part)


def visits_of(world: World) -> Iterator[Visit]:
    """Every page once for each kind of person and each kind of project."""
    yield from _without_project(world)
    for project in ("ruled", "pairs", "empty", "hostile"):
        yield from project_visits(world, project, OWNER)
    for project in ("ruled", "empty"):
        yield from project_visits(world, project, EXPERT)
    yield from (visit for visit in project_visits(world, "pairs", EXPERT) if visit.name == "claim")
    for name in ("overview", "queue", "claim"):
        yield from (visit for visit in project_visits(world, "demo", NEWCOMER) if visit.name == name)


def _without_project(world: World) -> Iterator[Visit]:
    yield Visit("home", "/", NEWCOMER)
    for person in (OWNER, NOBODY):
        yield Visit("help", reverse("help"), person)
        yield Visit("invitation", reverse("invitation", args=[world.tokens["open"]]), person)
    yield Visit("invitation", reverse("invitation", args=["no-such-token"]), NOBODY)
    yield Visit("sign-in", reverse("sign-in"), NOBODY)
    yield Visit("projects", reverse("projects"), OWNER)
    yield Visit("project-new", reverse("project-new"), OWNER)
    yield Visit("not-found", "/there/is/no/such/page/", OWNER, status=404)
    yield Visit("not-allowed", reverse("import", args=[world.slugs["ruled"]]), EXPERT, status=403)


def project_visits(world: World, project: str, person: str) -> Iterator[Visit]:
    """The pages of one project that the person may open."""
    slug = world.slugs[project]
    yield from _lists(slug, project, person)
    for name, (argument, key) in ROWS.items():
        row = world.ids.get(f"{project}-{key}")
        if row is not None and (name not in OWNERS_ONLY or person != EXPERT):
            yield Visit(name, reverse(name, kwargs={"slug": slug, argument: row}), person, project)
    if paused := world.ids.get(f"{project}-paused"):
        yield Visit("run", reverse("run", args=[slug, paused]), person, project)
    if trial := world.ids.get(f"{project}-trial"):
        yield Visit(
            "rubric-trial", reverse("rubric-trial", args=[slug, world.ids[f"{project}-entry"], trial]), person, project
        )
    if ruled := world.ids.get(f"{project}-ruled-claim"):
        yield Visit("claim", reverse("claim", args=[slug, ruled]), person, project)
    if f"{project}-claim" in world.ids:
        tour = reverse("claim", args=[slug, world.ids[f"{project}-claim"]])
        yield Visit("claim", f"{tour}?tour=1", person, project)
        yield Visit("overview", reverse("overview", args=[slug]) + "?details=1", person, project)


def _lists(slug: str, project: str, person: str) -> Iterator[Visit]:
    for name in (*MEMBERS, *MONEY, "import", "privacy"):
        if name not in OWNERS_ONLY or person != EXPERT:
            yield Visit(name, reverse(name, args=[slug]), person, project)
    if person != EXPERT:
        yield Visit("judge-new", reverse("judge-new", args=[slug, "anthropic_messages"]), person, project)
    for kind in ("not-judged", "one-vote", "failed"):
        yield Visit("queue-apart", reverse("queue-apart", args=[slug, kind]), person, project)
