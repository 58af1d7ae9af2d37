"""The words that cross layers fit together."""

from __future__ import annotations

import dataclasses

import pytest

from evaluation.llm.presentation import turned
from evaluation.schemas import (
    LABELS,
    ClaimKind,
    Label,
    MethodParameters,
    PresentationOrder,
    PrivacyRules,
    SelectionPolicy,
    Subject,
    VerdictState,
)


@pytest.mark.parametrize("kind", list(ClaimKind))
def test_every_kind_of_claim_has_labels_to_disagree_with(kind: ClaimKind) -> None:
    assert len(set(LABELS[kind])) == len(LABELS[kind]) >= 2


def test_every_label_belongs_to_exactly_one_kind() -> None:
    listed = [label for labels in LABELS.values() for label in labels]

    assert sorted(listed) == sorted(Label)


def test_turning_a_pair_never_leaves_its_kind() -> None:
    pair = LABELS[ClaimKind.PREFERENCE]

    assert {turned(label, PresentationOrder.SWAPPED) for label in pair} == set(pair)


def test_no_label_can_be_mistaken_for_a_state_without_a_vote() -> None:
    assert not set(Label) & {VerdictState.ABSTAINED, VerdictState.FAILED}


def test_defaults_are_those_of_the_design() -> None:
    given = MethodParameters()

    assert (given.tau, given.alpha, given.beta, given.neighbours) == (0.4, 0.5, 0.5, 10)
    assert (given.max_targets, given.audit_every) == (50, 10)
    assert given.policy is SelectionPolicy.POSTERIOR_ENTROPY
    assert (given.decompose, given.next_claim) == ("independent", "same_response")


def test_judges_names_are_hidden_unless_a_project_shows_them() -> None:
    assert MethodParameters().show_judge_names is False


def test_offline_settings_of_a_project_and_of_a_question_have_the_same_defaults() -> None:
    of_subject = {field.name: field.default for field in dataclasses.fields(Subject)}

    for name in ("silence_means", "in_between"):
        assert getattr(MethodParameters(), name) == of_subject[name]


@pytest.mark.parametrize(
    ("stored", "rules"),
    [
        ({}, None),
        ({"emails": False, "names": []}, None),
        ({"emails": "yes", "names": "Ana"}, None),
        ({"emails": True}, PrivacyRules(emails=True)),
        ({"names": ["Ana"], "titles": True, "more": 1}, PrivacyRules(names=("Ana",), titles=True)),
    ],
)
def test_privacy_rules_are_read_from_what_a_project_keeps(
    stored: dict[str, object], rules: PrivacyRules | None
) -> None:
    assert PrivacyRules.of(stored) == rules
