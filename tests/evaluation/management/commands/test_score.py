"""`score` prints scores of responses and systems, and no ranking where nothing stands behind one."""

from __future__ import annotations

import pytest
from django.core.management import CommandError

from evaluation.models import Project
from tests import factories
from tests.evaluation.management.commands.conftest import Ask, Say, WriteMemo

pytestmark = pytest.mark.django_db
VOTES = {"gpt": ["accept", "accept", "accept", "reject"], "palm": ["accept", "accept", "reject", "reject"]}


def test_it_scores_a_response_by_its_claims(ask: Ask, write_memo: WriteMemo) -> None:
    ask("import_data", str(write_memo(["It is blue."], votes=VOTES)), "--project", "Memos")

    found = ask("score")

    only = found["responses"][0]
    assert only["score"] == pytest.approx(1 - (1 + 0.5) / 4)
    assert (only["assessed"], only["claims"], only["errors"]) == (4, 4, ["c4", "c3"])
    assert found["systems"][0]["name"] == "Aster"
    assert found["is_ranked"] is False


def test_what_nobody_judged_is_not_assessed(say: Say, project: Project) -> None:
    factories.make_claim(project, response=factories.make_response(factories.make_instance(project), system="Birch"))

    text = say("score")

    assert "not assessed" in text
    assert "0 of 1" in text


def test_without_a_project_it_says_how_to_make_one(db: None, say: Say) -> None:
    with pytest.raises(CommandError, match="import_data PATH --project NAME"):
        say("score")
