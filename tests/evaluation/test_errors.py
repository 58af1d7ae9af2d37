"""One family of errors, so that a page or a command catches what people may read and nothing else."""

from __future__ import annotations

import inspect

import pytest

from evaluation import errors
from evaluation.errors import JuryFlowError
from evaluation.llm.errors import LLMError

OF_PEOPLE = [kind for _, kind in inspect.getmembers(errors, inspect.isclass) if kind is not JuryFlowError]


@pytest.mark.parametrize("kind", OF_PEOPLE)
def test_each_is_caught_as_one_and_shows_its_sentence_unchanged(kind: type[JuryFlowError]) -> None:
    with pytest.raises(JuryFlowError) as caught:
        raise kind("Claim 42 is held by Ana. Ask her.")

    assert str(caught.value) == "Claim 42 is held by Ana. Ask her."


@pytest.mark.parametrize("kind", OF_PEOPLE)
def test_none_is_mistaken_for_another(kind: type[JuryFlowError]) -> None:
    assert [other for other in OF_PEOPLE if issubclass(kind, other)] == [kind]


def test_a_failed_call_is_not_shown_to_people_as_it_is() -> None:
    assert not issubclass(LLMError, JuryFlowError)
