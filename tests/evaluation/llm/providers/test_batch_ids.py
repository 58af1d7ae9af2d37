"""Ids of batches."""

from __future__ import annotations

import pytest

from evaluation.llm.providers.batch_ids import checked, path_step


def test_it_takes_ids_that_every_batch_api_takes() -> None:
    assert checked("call-17_a") == "call-17_a"


@pytest.mark.parametrize("custom_id", ["", "a" * 65, "a b", "ü", "a/b", "a\n"])
def test_other_ids_are_refused(custom_id: str) -> None:
    with pytest.raises(ValueError, match="up to 64 letters"):
        checked(custom_id)


def test_id_of_a_server_stays_one_step_of_a_path() -> None:
    assert path_step("../files?x=1") == "..%2Ffiles%3Fx%3D1"
