from __future__ import annotations

import pytest

from annotation.numbers import whole


@pytest.mark.parametrize(("text", "number"), [("7", 7), ("0", 0), (str(2**63 - 1), 2**63 - 1)])
def test_a_whole_number_is_read(text: str, number: int) -> None:
    assert whole(text) == number


@pytest.mark.parametrize("text", [None, "", "-1", "1.5", "x", "٣", str(2**63), "9" * 5000])
def test_anything_else_is_none(text: str | None) -> None:
    assert whole(text) is None
