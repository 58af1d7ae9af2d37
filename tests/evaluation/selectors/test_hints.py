from __future__ import annotations

import pytest

from evaluation.models import Project, RubricEntry
from evaluation.selectors.answers import Reader
from evaluation.selectors.hints import Hint, hint_after


@pytest.mark.parametrize(
    ("n_today", "hint"), [(0, None), (4, None), (5, Hint(1, False)), (6, None), (10, Hint(1, False))]
)
def test_drafts_are_told_of_after_every_fifth_ruling(project: Project, n_today: int, hint: Hint | None) -> None:
    RubricEntry.objects.create(project=project, criterion="Units must match.")

    assert hint_after(Reader(project, 1, n_today), n_today) == hint


def test_the_demo_leads_to_ones_own_data_after_ten(project: Project) -> None:
    project.is_demo = True

    assert hint_after(Reader(project, 1, 10), 10) == Hint(0, True)
    assert hint_after(Reader(project, 1, 5), 5) is None
