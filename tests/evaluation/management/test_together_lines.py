"""Lines about asking together and alone."""

from __future__ import annotations

from evaluation.management.together_lines import lines
from evaluation.services.together import Comparison, Effort, JudgeComparison, Pairwise


def test_a_judge_has_a_row_and_what_changed_is_named() -> None:
    remote = JudgeComparison(
        name="gpt",
        same=Pairwise(18, 0.9, 0.71),
        repeated=Pairwise(20, 0.95, None),
        changed={"accept>reject": 2},
        n_without=2,
        together=Effort(10, 1.0, 410.4),
        alone=Effort(20, 2.0, 1204.0),
    )
    offline = JudgeComparison("Words", Pairwise(0, None, None), None, {}, 20, Effort(10, 1.0, 0), Effort(20, 2.0, 0))

    said = lines(Comparison(10, 20, (remote, offline), run=7, n_failed_steps=1))

    assert said[0] == "  10 responses with 20 claims"
    assert said[2].split() == ["gpt", "90.0", "%", "0.71", "18", "95.0", "%", "2", "1.00", "2.00", "410", "1204"]
    assert said[3].split() == ["Words", "-", "-", "0", "always", "same", "20", "1.00", "2.00", "0", "0"]
    assert said[4] == "  gpt: 2 accept > reject (together > alone)"
    assert said[-1] == "  ! 1 question failed: see run 7"
