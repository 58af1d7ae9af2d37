"""What an import is compared with: every record's hash, near duplicates, and texts of responses."""

from __future__ import annotations

import pytest

from evaluation.exchange.fingerprint import content_hash, near_key
from evaluation.exchange.records import record_key
from evaluation.models import Project
from evaluation.schemas import ClaimKind
from evaluation.services import import_index, records
from tests import factories

pytestmark = pytest.mark.django_db


def test_every_record_is_known_by_key_and_content(project: Project) -> None:
    factories.make_disputed(project, factories.make_judges(project))
    pair = factories.make_pair(project)

    index = import_index.index_of(project)

    found = list(records.everything(project))
    assert index.hashes == {record_key(record): content_hash(record) for record in found}
    assert len(index.hashes) == len(found)
    for claim in records.claims(project):
        assert index.near[str(near_key(claim))] == claim.external_id
    assert index.claim_kinds[pair.external_id] is ClaimKind.PREFERENCE


def test_responses_are_known_with_their_text_and_instance(project: Project) -> None:
    response = factories.make_response(factories.make_instance(project), "It is blue.")

    known = import_index.index_of(project).responses[response.external_id]

    assert (known.instance_id, known.text) == (response.instance.external_id, "It is blue.")


def test_other_projects_are_not_looked_at(project: Project) -> None:
    factories.make_claim(factories.make_project())

    assert import_index.index_of(project).hashes == {}
