"""Every vote that is missing is asked for exactly once, whatever was answered before, and the estimate says so."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from itertools import product
from math import ceil

import pytest
from django.contrib.auth.models import User
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluation.models import Claim, Job, Judge, Project, Run, Verdict
from evaluation.services import estimating, judges, planning
from evaluation.services.counting import Wish
from evaluation.services.planning import Step
from tests import factories

pytestmark = pytest.mark.django_db
STATES = ("cast", "abstained", "failed", "step failed", "cast, then a step failed", "never asked")

Asked = tuple[int, int, str, int]


@dataclass(frozen=True)
class Mix:
    """What a project holds: statements per response, pairs, and how its judges are asked; `seed` draws what is done."""

    statements: list[int]
    n_pairs: int
    samples: int
    both_orders: bool
    seed: int


mixes = st.builds(
    Mix,
    statements=st.lists(st.sampled_from([1, 2, 19, 20, 21, 41]), max_size=2),
    n_pairs=st.integers(0, 2),
    samples=st.integers(1, 3),
    both_orders=st.booleans(),
    seed=st.integers(0, 10_000),
)


@dataclass(frozen=True)
class World:
    """A project with judges that can be asked, every vote there could be, and what became of each."""

    project: Project
    panel: list[Judge]
    fates: dict[Asked, str]

    def with_fate(self, *fates: str) -> set[Asked]:
        return {asked for asked, fate in self.fates.items() if fate in fates}


def make_world(owner: User, mix: Mix) -> World:
    project = factories.make_project(owner=owner)
    project.parameters = {"samples": mix.samples, "both_orders": mix.both_orders}
    project.save()
    offline = Judge.objects.create(project=project, name="Words", provider="offline", model="words")
    remote = factories.make_asked_judge(project, "http://127.0.0.1:9/v1")
    factories.make_judges(project, 1)  # recorded: it cannot be asked
    claims = make_claims(project, mix)
    chance = random.Random(mix.seed)
    run = factories.make_run(project, kind=Run.Kind.PANEL)
    fates = {asked: chance.choice(STATES) for asked in every_vote(claims, offline, remote, mix)}
    settle(run, fates)
    return World(project, judges.askable(project), fates)


def make_claims(project: Project, mix: Mix) -> list[Claim]:
    """Claims without outcomes, of which planning knows nothing; a void one with each response."""
    made = [factories.make_pair(project) for _ in range(mix.n_pairs)]
    for n in mix.statements:
        response = factories.make_response(factories.make_instance(project), "A text.")
        made += Claim.objects.bulk_create(
            Claim(
                project=project,
                instance=response.instance,
                response=response,
                external_id=f"{response.external_id}#{number}",
                kind=Claim.Kind.STATEMENT,
                text=f"Claim {number} holds.",
                position=number,
                is_void=number == n,
            )
            for number in range(n + 1)
        )
    return made


def every_vote(claims: list[Claim], offline: Judge, remote: Judge, mix: Mix) -> list[Asked]:
    """One voter, order and sample after the other, as the rules have it: offline judges are never sampled."""
    orders = {"statement": ["as_given"], "preference": ["as_given", "swapped"][: 1 + mix.both_orders]}
    found = []
    for claim in claims:
        for judge, samples in ((offline, 1), (remote, mix.samples)):
            if not claim.is_void:
                found += [(claim.pk, judge.pk, *rest) for rest in product(orders[claim.kind], range(samples))]
    return found


def settle(run: Run, fates: dict[Asked, str]) -> None:
    Verdict.objects.bulk_create(
        Verdict(
            run=run,
            claim_id=claim_id,
            judge_id=judge_id,
            order=order,
            sample=sample,
            state=fate.partition(",")[0],
            label="accept" if fate.startswith("cast") else "",
            is_current=True,
        )
        for (claim_id, judge_id, order, sample), fate in fates.items()
        if fate not in ("step failed", "never asked")
    )
    for number, ((claim_id, judge_id, order, sample), fate) in enumerate(fates.items()):
        if fate.endswith("step failed"):
            job = Job.objects.create(
                run=run, task="judge", key=str(number), judge_id=judge_id, order=order, sample=sample, state="failed"
            )
            job.claims.add(claim_id)


def asked_in(steps: list[Step]) -> Counter[Asked]:
    return Counter((claim.pk, step.judge.pk, step.order, step.sample) for step in steps for claim in step.claims)


def fewest_calls(asked: set[Asked], claims: dict[int, Claim]) -> int:
    """One call per judge, sample and twenty statements of a response; a pair makes a call in each order."""
    together: Counter[tuple[object, ...]] = Counter()
    for claim_id, judge_id, order, sample in asked:
        claim = claims[claim_id]
        apart = () if claim.kind == "statement" else (claim_id, order)
        together[claim.response_id, judge_id, sample, *apart] += 1
    return sum(ceil(n / 20) for n in together.values())


@pytest.mark.parametrize(
    ("fates", "wish"),
    [
        (("failed", "step failed", "never asked"), {}),
        (("failed", "step failed"), {"only_failed": True}),
        (STATES, {"again": True}),
    ],
)
@given(mixes)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_missing_vote_is_asked_for_once_and_nothing_else(
    owner: User, fates: tuple[str, ...], wish: dict[str, bool], mix: Mix
) -> None:
    world = make_world(owner, mix)
    missing = world.with_fate(*fates)
    claims = {claim.pk: claim for claim in world.project.claims.all()}

    steps = list(planning.plan(world.project, world.panel, "independent", **wish))
    found, shares = estimating.with_askings(project=world.project, wish=Wish("", **wish))

    assert asked_in(steps) == Counter(missing)
    assert len({step.key for step in steps}) == len(steps) == fewest_calls(missing, claims)
    assert all({claim.response_id for claim in step.claims} == {step.response.pk} for step in steps)
    assert found.n_calls_low == len(steps)
    assert found.n_claims == len({claim_id for claim_id, *_ in missing})
    assert found.n_responses == len({step.response.pk for step in steps})
    by_judge = Counter(step.judge.pk for step in steps)
    votes = Counter(judge_id for _, judge_id, _, _ in missing)
    assert {(share.judge.pk, share.n_calls, share.n_votes) for share in shares} == {
        (judge.pk, by_judge[judge.pk], votes[judge.pk]) for judge in world.panel
    }
