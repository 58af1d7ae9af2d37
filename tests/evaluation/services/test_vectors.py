"""Vectors of claims: made once, again when the text changes, and read back as they were."""

from __future__ import annotations

import numpy as np
import pytest

from evaluation.models import Claim, Embedding, Project
from evaluation.services import vectors
from tests import factories

pytestmark = pytest.mark.django_db


def test_every_vector_is_made_once_and_again_for_a_new_text(project: Project) -> None:
    claims = [factories.make_claim(project) for _ in range(3)]

    made = [vectors.embed_missing(project=project) for _ in range(2)]
    Claim.objects.filter(pk=claims[0].pk).update(text="Something else.")
    made.append(vectors.embed_missing(project=project))

    assert made == [3, 0, 1]
    assert Embedding.objects.count() == 3


def test_a_vector_of_another_model_is_made_anew(project: Project) -> None:
    factories.make_claim(project)
    vectors.embed_missing(project=project)
    Embedding.objects.update(model="an older one")

    assert vectors.embed_missing(project=project) == 1
    assert Embedding.objects.get().model == vectors.embedder().name


def test_the_matrix_of_vectors_is_what_was_embedded_by_id(project: Project) -> None:
    second, first = (factories.make_claim(project, text) for text in ("One fridge.", "Two fridges."))
    bare = factories.make_claim(project)
    vectors.embed_missing(project=project)
    Embedding.objects.filter(claim=bare).delete()

    ids, rows = vectors.matrix([first.pk, second.pk, bare.pk])

    assert ids == [second.pk, first.pk]
    assert rows.dtype == np.float32
    assert np.array_equal(rows, vectors.embedder().embed(["One fridge.", "Two fridges."]))
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1)


def test_no_claims_give_an_empty_matrix_of_vectors(project: Project) -> None:
    ids, rows = vectors.matrix([])

    assert (ids, rows.shape) == ([], (0, 1))


def test_a_pair_s_vector_stands_for_request_and_both_answers(project: Project) -> None:
    text = vectors.text_of(factories.make_pair(project, "Which?"))

    assert text == "A question\nWhich?\nThe first answer.\nThe second answer."
