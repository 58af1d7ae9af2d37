"""Says beforehand what a run costs: what it is expected to, and what it can at most, by judge and in all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from django.db.models import Avg, Count, Sum
from django.db.models.functions import Length

from evaluation.llm import registry
from evaluation.llm.own_parameters import OwnParameters
from evaluation.llm.pricing import PriceCard
from evaluation.models import Call, Job, Judge, Project, RubricEntry
from evaluation.schemas import Usage
from evaluation.services import judges, prices
from evaluation.services.estimating import CHARACTERS_PER_TOKEN, PROMPT_TOKENS, JudgeAsking

VOTE_TOKENS = 70
CUT_TOKENS = 800
PROMPT_CHARACTERS = 6_000
N_TO_LEARN_FROM = 5
RULE_TEXTS = ("criterion", "boundary", "positive_example", "negative_example")


@dataclass(frozen=True)
class JudgeCost:
    """What one judge costs in a run, and a call of usual length at most; all None where its price is not known."""

    judge: Judge
    n_calls: int
    n_calls_high: int
    low_micros: int | None
    high_micros: int | None
    in_batches: bool = False
    call_micros: int | None = None


@dataclass(frozen=True)
class RunCost:
    """What a run costs, without the judges whose price is not known: those are `unpriced`."""

    judges: tuple[JudgeCost, ...]
    low_micros: int
    high_micros: int
    unpriced: tuple[Judge, ...]

    @property
    def asks_money(self) -> bool:
        """Whether anything of it may cost something."""
        return bool(self.high_micros or self.unpriced)

    def facts(self, *, n_calls_low: int, n_calls_high: int) -> dict[str, object]:
        """What a run keeps of what was expected of it, for its page."""
        return {
            "n_calls_low": n_calls_low,
            "n_calls_high": n_calls_high,
            "low_micros": self.low_micros,
            "high_micros": self.high_micros,
            "unpriced": [judge.name for judge in self.unpriced],
        }


def estimate_cost(*, project: Project, askings: Sequence[JudgeAsking], in_batches: bool = False) -> RunCost:
    """What these questions cost: expected with usual replies, at most with the longest ones, each asked twice.

    A judge that has nothing to do is left out. Three queries.
    """
    busy = [asking for asking in askings if asking.n_calls_high]
    cards = prices.cards([asking.judge for asking in busy])
    usual = _usual_replies(project)
    rules = _rule_characters(project)
    found = [_cost(asking, cards[asking.judge.pk], usual, rules, in_batches=in_batches) for asking in busy]
    return RunCost(
        judges=tuple(found),
        low_micros=sum(each.low_micros or 0 for each in found),
        high_micros=sum(each.high_micros or 0 for each in found),
        unpriced=tuple(each.judge for each in found if each.low_micros is None),
    )


def has_batches(judge: Judge) -> bool:
    """Whether this judge can be asked through a batch API."""
    return registry.provider(judge.provider).has_batches


def is_cheap_in_batches(judge: Judge) -> bool:
    """Whether a batch of this judge has the price of batches: at its provider's own address."""
    return has_batches(judge) and not prices.host_of(judge)


def _cost(
    asking: JudgeAsking, card: PriceCard | None, usual: Mapping[int, float], rules: int, *, in_batches: bool
) -> JudgeCost:
    judge = asking.judge
    is_cheap = in_batches and is_cheap_in_batches(judge)
    low = high = call = None
    if card is not None:
        low = card.cost(_expected(asking, usual.get(judge.pk), rules), in_batch=is_cheap, n_calls=asking.n_calls)
        high = card.cost(_most(asking, rules), in_batch=is_cheap, n_calls=asking.n_calls_high)
        call = card.cost(Usage(_longest_prompt(asking, rules), _longest_reply(judge)), in_batch=is_cheap)
    return JudgeCost(judge, asking.n_calls, asking.n_calls_high, low, high, in_batches and has_batches(judge), call)


def _expected(asking: JudgeAsking, usual: float | None, rules: int) -> Usage:
    """Each question asked once; replies as long as this judge's have been, or as replies usually are."""
    output = asking.n_votes * VOTE_TOKENS + asking.n_cuts * CUT_TOKENS
    if usual is not None:
        output = ceil(asking.n_calls * usual)
    tokens = asking.input_tokens + asking.n_calls * rules // CHARACTERS_PER_TOKEN
    return Usage(tokens, min(output, asking.n_calls * _longest_reply(asking.judge)))


def _most(asking: JudgeAsking, rules: int) -> Usage:
    """Each question asked twice, the second time with the first reply in it; a token for every character."""
    longest, per_call = _longest_reply(asking.judge), _longest_prompt(asking, rules)
    n_again = asking.n_calls_high // 2
    return Usage(asking.n_calls_high * per_call + n_again * longest, asking.n_calls_high * longest)


def _longest_prompt(asking: JudgeAsking, rules: int) -> int:
    """A question of usual length, with a token for every character."""
    own = CHARACTERS_PER_TOKEN * max(0, asking.input_tokens - asking.n_calls * PROMPT_TOKENS)
    return ceil(own / max(1, asking.n_calls)) + rules + PROMPT_CHARACTERS


def _longest_reply(judge: Judge) -> int:
    return OwnParameters.max_tokens_of(judges.settings_of(judge))


def _usual_replies(project: Project) -> dict[int, float]:
    """Tokens of a reply of each judge so far, by id, where enough came to say so."""
    answered = Call.objects.filter(
        job__run__project=project, job__task__in=[Job.Task.JUDGE, Job.Task.DECOMPOSE], state=Call.State.ANSWERED
    )
    rows = answered.filter(source=None, output_tokens__gt=0).order_by().values_list("judge_id")
    counted = rows.annotate(mean=Avg("output_tokens"), n=Count("pk"))
    return {judge_id: mean for judge_id, mean, n in counted if n >= N_TO_LEARN_FROM}


def _rule_characters(project: Project) -> int:
    """How much of a prompt the rules in force take, at most what the project gives them."""
    entries = RubricEntry.objects.filter(project=project, status=RubricEntry.Status.ACTIVE)
    sizes = entries.aggregate(**{name: Sum(Length(name)) for name in RULE_TEXTS})
    return min(sum(size or 0 for size in sizes.values()), project.method_parameters.rubric_characters)
