from __future__ import annotations

import pytest

from evaluation.models import Project, Response
from evaluation.schemas import PrivacyRules
from evaluation.selectors import privacy
from evaluation.selectors.privacy import Replacements, replaced_before_sending, sample
from tests import factories

pytestmark = pytest.mark.django_db

RULES = PrivacyRules(emails=True, phones=True, names=("Ana Weber",))


def answer(project: Project, text: str, *, source: str = "") -> Response:
    return factories.make_response(factories.make_instance(project, sources=[source] if source else []), text)


def test_a_sample_shows_what_is_replaced_in_an_answer_and_its_sources(project: Project) -> None:
    response = answer(project, "Ask Ana Weber.", source="Ana Weber: ana@x.org")

    shown = sample(project, RULES)

    assert shown is not None
    assert (shown.response_id, shown.next_id) == (response.pk, None)
    texts = {text.title: [(part.text, part.placeholder) for part in text.stretches] for text in shown.texts}
    assert texts["Answer"] == [("Ask ", ""), ("Ana Weber", "[name 1]"), (".", "")]
    assert texts["Source"] == [("Ana Weber", "[name 1]"), (": ", ""), ("ana@x.org", "[email 1]")]
    assert [(row.original, row.placeholder, row.n) for row in shown.replaced] == [
        ("Ana Weber", "[name 1]", 2),
        ("ana@x.org", "[email 1]", 1),
    ]


def test_the_sample_is_one_in_which_something_is_replaced(project: Project) -> None:
    plain, with_name = answer(project, "Nothing here."), answer(project, "Ana Weber.")

    chosen = [sample(project, rules, asked) for rules, asked in ((RULES, None), (RULES, plain.pk), (None, None))]

    assert [each and each.response_id for each in chosen] == [with_name.pk, plain.pk, plain.pk]
    assert [each and each.next_id for each in chosen] == [plain.pk, with_name.pk, with_name.pk]


def test_the_sample_is_looked_for_behind_many_answers_without_anything(project: Project) -> None:
    for _ in range(60):
        answer(project, "Nothing here.")
    with_name = answer(project, "Ana Weber.")

    shown = sample(project, RULES)

    assert shown is not None
    assert shown.response_id == with_name.pk


def test_another_projects_answer_is_never_shown(project: Project) -> None:
    own, foreign = answer(project, "Mine."), answer(factories.make_project(), "Theirs.")

    shown = sample(project, RULES, foreign.pk)

    assert shown is not None
    assert shown.response_id == own.pk


def test_without_answers_there_is_no_sample(project: Project) -> None:
    assert sample(project, RULES) is None


def test_of_a_long_text_the_start_is_shown(project: Project) -> None:
    answer(project, "Ana Weber. " + "x" * 6_000)

    shown = sample(project, RULES)

    assert shown is not None
    text = next(text for text in shown.texts if text.title == "Answer")
    assert (text.n_more, sum(len(part.text) for part in text.stretches)) == (1_011, 5_000)


def test_different_things_are_counted_over_the_project(project: Project) -> None:
    answer(project, "Ana Weber, ana@x.org, ANA@x.org", source="Ana Weber, bea@x.org, 030 1234567")
    project.deidentify = {"emails": True, "phones": True, "names": ["Ana Weber", "Nobody"]}

    found = replaced_before_sending(project)

    assert found is not None
    assert found.sentence == "1 name, 2 e-mail addresses and 1 phone number are replaced before text is sent."


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (Replacements((("name", 1), ("email", 0)), is_all=True), "1 name is replaced before text is sent."),
        (Replacements((("name", 0), ("email", 1_200)), is_all=False), "At least 1,200 e-mail addresses are replaced"),
        (Replacements((("name", 0),), is_all=True), "Nothing to replace was found in this project's texts."),
        (Replacements((("name", 0),), is_all=False), "Nothing to replace was found in the texts looked through."),
    ],
)
def test_counts_are_said_as_a_sentence(found: Replacements, said: str) -> None:
    assert found.sentence.startswith(said)


def test_a_project_that_replaces_nothing_says_nothing(project: Project) -> None:
    assert replaced_before_sending(project) is None


def test_counting_stops_at_a_number_of_characters(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(privacy, "COUNTED_CHARACTERS", 30)
    answer(project, "ana@x.org " * 10)
    project.deidentify = {"emails": True}

    found = replaced_before_sending(project)

    assert found == Replacements((("name", 0), ("email", 1), ("phone", 0)), is_all=False)
