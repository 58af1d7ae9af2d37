"""What a call costs, and the most it can cost, in micro-dollars."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache

from evaluation.llm.protocol import ChatRequest, ImagePart, TextPart
from evaluation.schemas import Usage

MILLION = 1_000_000
IMAGE_TOKENS = 50_000
MESSAGE_TOKENS = 50
CALL_TOKENS = 1_000


@dataclass(frozen=True)
class PriceCard:
    """What a model costs, in micro-dollars per million tokens.

    `cached_micros` is for input read from the provider's cache and `written_micros` for input put into it; None: like
    other input. A call in a batch costs `batch_percent` of it all. One whose prompt has more than `long_above` tokens
    (None: there is no such limit) costs `long_input_percent` of its input and `long_output_percent` of its reply.
    """

    input_micros: int
    output_micros: int
    cached_micros: int | None = None
    written_micros: int | None = None
    batch_percent: int = 100
    long_above: int | None = None
    long_input_percent: int = 100
    long_output_percent: int = 100

    def cost(self, usage: Usage, *, in_batch: bool = False, n_calls: int = 1) -> int:
        """Return what a call with these tokens costs, or so many calls alike with them in all.

        Parameters
        ----------
        usage : Usage
            Tokens as the provider reported them; cached and written ones are part of the input.
        in_batch : bool
            Whether it was sent through the provider's batch API.
        n_calls : int
            How many calls the tokens are those of.

        Returns
        -------
        int
            Micro-dollars, rounded up.

        Notes
        -----
        A provider that reports more cached and written tokens than input is believed on the input: the surplus is cut,
        from the written ones first.
        """
        cached = min(usage.cached_tokens, usage.input_tokens)
        written = min(usage.written_tokens, usage.input_tokens - cached)
        plain = usage.input_tokens - cached - written
        asked = plain * self.input_micros
        asked += cached * self._or_input(self.cached_micros) + written * self._or_input(self.written_micros)
        return self._total(asked, usage.output_tokens, usage.input_tokens / max(n_calls, 1), in_batch=in_batch)

    def most(self, request: ChatRequest, *, in_batch: bool = False) -> int:
        """Return the most that sending this request once can cost.

        Parameters
        ----------
        request : ChatRequest
            What is to be sent; a re-ask is a longer request and has a price of its own.
        in_batch : bool
            Whether it goes through the provider's batch API.

        Returns
        -------
        int
            Micro-dollars: all the tokens `most_tokens` allows at the dearest kind of input, and a reply that is cut
            off at `max_tokens`.
        """
        dearest = max(self.input_micros, self._or_input(self.cached_micros), self._or_input(self.written_micros))
        tokens = most_tokens(request)
        return self._total(tokens * dearest, request.max_tokens, tokens, in_batch=in_batch)

    def _total(self, asked: int, said_tokens: int, prompt_tokens: float, *, in_batch: bool) -> int:
        """Input at its rates and a reply, dearer where the prompt is long."""
        is_long = self.long_above is not None and prompt_tokens > self.long_above
        total = asked * (self.long_input_percent if is_long else 100)
        total += said_tokens * self.output_micros * (self.long_output_percent if is_long else 100)
        return _per_million(total, self.batch_percent if in_batch else 100)

    def _or_input(self, micros: int | None) -> int:
        return self.input_micros if micros is None else micros


FREE = PriceCard(input_micros=0, output_micros=0)


def most_tokens(request: ChatRequest) -> int:
    """Return an upper bound of the input tokens of a request.

    Parameters
    ----------
    request : ChatRequest
        What is to be sent.

    Returns
    -------
    int
        One token for each byte of the messages and of the schema, and room for what providers add.

    Notes
    -----
    Every token of a byte-level tokenizer stands for at least one byte of UTF-8, so a text has no more tokens than
    bytes. The schema is counted in its longest form, indented and in ASCII, since a provider may show it to the model
    in any. What providers add themselves (marks of roles, the system prompt behind tools and schemas: a few hundred
    tokens) is covered by 50 tokens a message and 1,000 a call. An image is at most `IMAGE_TOKENS`: the dearest
    known rule (gpt-4o-mini, eight tiles of 5,667 and 2,833 more) makes 48,169.
    """
    tokens = CALL_TOKENS + sum(
        MESSAGE_TOKENS + _most_of(part) for message in request.messages for part in message.parts
    )
    if request.schema is not None:
        tokens += _longest(json.dumps(request.schema)) + len(request.schema_name.encode())
    return tokens


@lru_cache(maxsize=512)
def _longest(schema: str) -> int:
    """The length of a schema in its longest form; the same few are sent again and again."""
    return len(json.dumps(json.loads(schema), indent=4))


def _most_of(part: TextPart | ImagePart) -> int:
    return len(part.text.encode("utf-8", "surrogatepass")) if isinstance(part, TextPart) else IMAGE_TOKENS


def _per_million(micros: int, percent: int) -> int:
    """Hundredths of micro-dollars for a million tokens each, as micro-dollars, rounded up."""
    return -(-micros * percent // (100 * 100 * MILLION))
