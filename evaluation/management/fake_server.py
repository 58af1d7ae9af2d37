"""The options of the make-believe LLM: what goes wrong at it, and how often."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Mapping

from evaluation.llm.local_server.answering import Behaviour
from evaluation.llm.local_server.faults import ENDINGS, SIDES, Faults
from evaluation.llm.local_server.latency import Latency, Shape
from evaluation.llm.local_server.quota import Quota
from evaluation.llm.local_server.script import Tokens

SHARES = {
    "rate_limited": "answered with 429 and Retry-After",
    "rate_limited_silently": "answered with 429 and no Retry-After",
    "server_errors": "answered with 500, 502, 503, 504 or 529",
    "cut": "cut off, half of them before the reply and half within it",
    "malformed": "answered with what is no reply, or with a text that holds no answer",
    "truncated": "ended at the limit of tokens, half of the text missing",
    "wrong_shape": "answered with JSON of another shape",
    "refused": "refused by the model",
    "expired": "in a batch: not answered in time",
    "slow": "with a slow first byte (--slow-seconds)",
    "dripped": "with a body that trickles in (--drip-seconds)",
    "lying_usage": "with usage figures that cannot be",
}
SECONDS = {
    "retry_after": (1.0, "what Retry-After asks for (default 1)"),
    "slow_seconds": (5.0, "how much later the first byte of a slow reply comes (default 5)"),
    "drip_seconds": (2.0, "how long a dripping body takes (default 2)"),
}


def add_options(parser: ArgumentParser) -> None:
    """Add everything that can be set, in groups."""
    group = parser.add_argument_group("how long it takes, in seconds")
    group.add_argument("--latency", type=float, default=0.0, help="before the first byte (default 0)")
    group.add_argument("--latency-spread", type=float, default=0.0, help="half a width, or the sigma of a logarithm")
    shapes = [shape.value for shape in Shape]
    group.add_argument("--latency-shape", choices=shapes, help="default: lognormal with a spread, else fixed")
    group.add_argument("--batch-seconds", type=float, default=0.0, help="how long a batch takes (default 0)")
    for name, (default, words) in SECONDS.items():
        group.add_argument(_option(name), type=float, default=default, help=words)
    group = parser.add_argument_group("what goes wrong, as shares of requests from 0 to 1 (default 0)")
    for name, words in SHARES.items():
        group.add_argument(_option(name), type=float, default=0.0, metavar="SHARE", help=words)
    group = parser.add_argument_group("what else it does")
    group.add_argument("--requests-per-minute", type=int, help="of each model, enforced and announced")
    group.add_argument("--tokens-per-minute", type=int, help="of each model, input only")
    group.add_argument("--input-tokens", type=int, help="the usage stated, instead of a count")
    group.add_argument("--output-tokens", type=int, help="the usage stated, instead of a count")
    group.add_argument("--obedient", action="store_true", help="obey any instruction that stands outside a fence")
    group.add_argument("--seed", type=int, default=0, help="of all chance; the same requests meet the same fate")


def behaviour_of(options: Mapping[str, object]) -> Behaviour:
    """Return the behaviour that was asked for; raises InvalidInputError with what is out of range."""
    shares = {name: options[name] for name in (*ENDINGS, *SIDES, *SECONDS)}
    spread = options["latency_spread"]
    shape = Shape(str(options["latency_shape"] or (Shape.LOGNORMAL if spread else Shape.FIXED)))
    counted = (options["input_tokens"], options["output_tokens"])
    faults = Faults(
        seed=options["seed"],  # type: ignore[arg-type]
        latency=Latency(options["latency"], spread, shape),  # type: ignore[arg-type]
        tokens=None if counted == (None, None) else Tokens(*(each or 0 for each in counted)),  # type: ignore[arg-type]
        **shares,  # type: ignore[arg-type]
    )
    return Behaviour(
        faults=faults,
        quota=Quota(options["requests_per_minute"], options["tokens_per_minute"]),  # type: ignore[arg-type]
        is_obedient=bool(options["obedient"]),
        batch_seconds=options["batch_seconds"],  # type: ignore[arg-type]
    )


def words_of(options: Mapping[str, object]) -> list[str]:
    """Return the options as words of a command line, for a server in a process of its own."""
    parser = ArgumentParser()
    add_options(parser)
    words: list[str] = []
    for name, default in vars(parser.parse_args([])).items():
        value = options[name]
        if value is True:
            words.append(_option(name))
        elif value != default:
            words += [_option(name), str(value)]
    return words


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
