"""Pages of a list."""

from __future__ import annotations

import pytest

from evaluation.selectors.paging import Page, page_of


@pytest.mark.parametrize(
    ("n", "wanted", "page"),
    [
        (0, 1, Page(1, 1, slice(0, 25))),
        (25, 1, Page(1, 1, slice(0, 25))),
        (26, 2, Page(2, 2, slice(25, 50))),
        (60, 9, Page(3, 3, slice(50, 75))),
        (60, -3, Page(1, 3, slice(0, 25))),
    ],
    ids=["empty", "full", "one more", "beyond the last", "before the first"],
)
def test_a_page_that_does_not_exist_is_the_nearest_that_does(n: int, wanted: int, page: Page) -> None:
    assert page_of(n, 25, wanted) == page
