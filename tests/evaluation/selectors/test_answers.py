from __future__ import annotations

from django.contrib.auth.models import User

from evaluation.models import Outcome, Project
from evaluation.selectors.answers import Reader, answer_of, n_rulings, reader, split_of
from tests import factories


def outcome_of(claim_id: int) -> Outcome:
    return Outcome.objects.select_related("claim", "pattern", "decision__expert").get(claim=claim_id)


def phrase(person: Reader, claim_id: int) -> str:
    outcome = outcome_of(claim_id)
    words = person.words(outcome.claim.kind, claim_id)
    return answer_of(outcome, words, is_settling=person.is_settling).phrase


def test_it_says_dots_and_words_with_the_majority_first(project: Project) -> None:
    words = Reader(project, 1, 0).words("statement", 1)

    split = split_of([["j1", "reject", 1.0], ["j2", "accept", 1.0], ["j3", "reject", 1.0]], words)

    assert split.words == "2 Not supported · 1 Supported"
    assert [dot.slot for dot in split.dots] == [2, 2, 1]
    assert split.n_cast == 3


def test_samples_of_one_voter_count_as_one_voter(project: Project) -> None:
    words = Reader(project, 1, 0).words("statement", 1)

    split = split_of([["j1", "accept", 0.5], ["j1", "reject", 0.5], ["j2", "accept", 1.0]], words)

    assert (split.n_cast, len(split.dots)) == (2, 2)
    assert split.words == "1 Supported · 1 torn between answers"
    assert [dot.slot for dot in split.dots] == [1, 0]
    assert split.wavering == "1 not the same each time"


def test_a_voter_has_the_dot_of_what_it_said_most_often(project: Project) -> None:
    words = Reader(project, 1, 0).words("statement", 1)

    split = split_of([["j1", "accept", 1 / 3], ["j1", "reject", 2 / 3], ["j2", "reject", 1.0]], words)

    assert (split.words, split.n_cast) == ("2 Not supported", 2)
    assert split.wavering == "1 not the same each time"
    assert split_of([["j2", "reject", 1.0]], words).wavering == ""


def test_an_answer_leans_is_clear_or_is_a_tie_and_never_a_percentage(project: Project, owner: User) -> None:
    judges = factories.make_judges(project, 4)
    claims = [factories.make_claim(project) for _ in range(4)]
    factories.vote(claims[0], dict.fromkeys(judges, "accept"))
    factories.vote(claims[1], {judges[0]: "accept", judges[1]: "accept", judges[2]: "reject"})
    factories.vote(claims[2], {judges[0]: "accept", judges[1]: "reject"})
    factories.vote(claims[3], {judges[0]: "accept"})
    person = reader(project, owner.pk)

    phrases = [phrase(person, claim.pk) for claim in claims]

    assert phrases == ["clearly “Supported”", "leans “Supported”", "a tie", "one vote only: “Supported”"]


def test_a_claim_without_votes_is_not_judged_yet(project: Project, owner: User) -> None:
    claim = factories.make_claim(project)

    assert phrase(reader(project, owner.pk), claim.pk) == "not judged yet"


def test_a_ruling_names_who_settled_it(project: Project, owner: User) -> None:
    claim = factories.make_disputed(project, factories.make_judges(project))[0]
    factories.rule(claim, owner, "reject")

    assert phrase(reader(project, owner.pk), claim.pk) == "settled by Tom: “Not supported”"


def test_leaning_answers_are_hollow_until_twenty_rulings_stand(project: Project, owner: User) -> None:
    judges = factories.make_judges(project)
    claims = factories.make_disputed(project, judges, n=21)
    for claim in claims[:19]:
        factories.rule(claim, owner)
    at_19 = reader(project, owner.pk)
    factories.rule(claims[19], owner)

    at_20 = reader(project, owner.pk)

    assert (at_19.n_rulings, at_19.is_settling) == (19, True)
    assert (at_20.n_rulings, at_20.is_settling) == (20, False)


def test_only_own_rulings_on_live_claims_count(project: Project, owner: User) -> None:
    judges = factories.make_judges(project)
    first, second = factories.make_disputed(project, judges, n=2)
    factories.rule(first, owner)
    decision = factories.rule(second, owner)
    type(decision).objects.filter(pk=decision.pk).update(source="reviewer")

    assert n_rulings(project) == 1


def test_sides_of_a_pair_are_shuffled_per_person_and_remembered(project: Project) -> None:
    people = [Reader(project, user_id, 0) for user_id in range(200)]

    swapped = [person.sees_swapped("preference", 7) for person in people]

    assert 60 < sum(swapped) < 140
    assert swapped == [person.sees_swapped("preference", 7) for person in people]
    assert not any(person.sees_swapped("statement", 7) for person in people)


def test_a_swapped_label_is_shown_and_stored_on_the_right_side(project: Project) -> None:
    swapped = next(person for n in range(99) if (person := Reader(project, n, 0)).sees_swapped("preference", 7))

    words = swapped.words("preference", 7)

    assert words["second"].words == "Left"
    assert words["first"].words == "Right"
    assert swapped.stored_label("preference", 7, "first") == "second"
    assert swapped.stored_label("preference", 7, "tie") == "tie"


def test_several_pairs_at_once_speak_of_first_and_second(project: Project) -> None:
    words = Reader(project, 1, 0).unplaced_words("preference")

    assert [shown.words for shown in words.values()] == ["First in the file", "Second in the file", "Equally good"]
