"""What orders to a judge look like in a text; all patterns expect lower case."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from evaluation.language.suspicion_english import ENGLISH, EXEMPTIONS, OURS
from evaluation.language.suspicion_languages import FURTHER, GERMAN, ROMANCE

ORDER, EXEMPTION, VERDICT, TURN, FENCE = "order", "exemption", "verdict", "turn", "fence"

_VERDICTS = (
    (("verdict", "precedent_entry"), r"[\"'](?:verdicts?|precedent_entry)[\"']\s*:\s*(?:[\"'\[{]|\d|true)"),
    (
        ("label", "decision", "judg", "vote", "answer", "result"),
        rf"[\"'](?:label|decision|judge?ment|vote|answer|result)[\"']\s*:\s*[\"'](?:{OURS}|first|second|tie|yes|no)[\"']",
    ),
    (
        ("verdict", "vote", "judgment", "judgement", "ruling", "<decision", "<label"),
        (
            rf"\b(?:verdict|vote|judge?ment|ruling)\b[\"'*_ ]{{0,4}}(?:is|:|=|→|->|must be|should be|to)\s*"
            rf"[\"'*_“‘`\s]{{0,6}}(?:{OURS}|first|second|tie)\b|<(?:verdict|vote|decision|label)>\s*(?:{OURS}|first|second|tie)"
        ),
    ),
)
_TURNS = (
    (
        ("<|",),
        r"<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id|end_header_id|begin_of_text)\|>",
    ),
    (
        ("[inst", "[/inst", "sys>>", "_of_turn", "<bos>", "<eos>", "system", "<assistant", "</assistant", "developer"),
        (
            r"\[/?inst\]|<</?sys>>|<(?:start|end)_of_turn>|<bos>|<eos>|\[/?system\]"
            r"|</?(?:system|assistant|developer)(?:[-_ ](?:prompt|message|note|reminder))?>"
        ),
    ),
    (
        ("#",),
        (
            r"(?m)^[ \t]*#{1,6}[ \t]*(?:system|instruction|assistant|human|new instruction)s?"
            r"(?:[ \t]+(?:prompt|message))?[ \t]*:"
        ),
    ),
    (("human", "assistant", "developer"), r"\n[ \t]*\n[ \t]*(?:human|assistant|developer)[ \t]*:"),
    (
        ("system", "developer", "admin"),
        (
            r"(?m)^[ \t*_>\-]*(?:system|developer|administrator|admin)[ \t*_]*:.{0,120}"
            r"\b(?:accept|verdict|instruction|judge|ignore|disregard|you are|evaluat)\w*"
        ),
    ),
    (("role",), r"[\"']role[\"']\s*:\s*[\"'](?:system|assistant|developer|tool)[\"']"),
    (
        ("tool_", "function_", "<invoke", "<antml"),
        (
            r"<(?:tool_call|tool_response|tool_result|function_call|function_results?|antml|invoke)\b|\[tool_calls\]"
            r"|[\"']tool_calls?[\"']\s*:\s*[\[{]"
        ),
    ),
)
_FENCES = (
    (
        ("<<<", ">>>"),
        (
            r"(?<!<)<<<(?!<)[^\n<>]{0,80}\b[0-9a-f]{16}\b|\b[0-9a-f]{16}>>>"
            r"|(?m:^[ \t]*(?<!<)<<<(?!<)[ \t]*/?\w[^\n<>]{0,60}$|^[ \t]*[\w ./-]{1,40}>>>[ \t]*$)"
        ),
    ),
    (
        ("<response", "<claim", "_report", "_input", "untrusted", "<candidate", "<submission", "</", "_target"),
        (
            r"</?(?:response|claim|target_report|user_input|untrusted[\w-]*|candidate|submission|evaluation_target)"
            r"(?:[ \t]+\d+)?>"
        ),
    ),
    (
        ("end of", "begin of", "beginning of", "start of"),
        (
            r"(?m)^[\W_]*(?:end|begin(?:ning)?|start)\s+of\s+(?:the\s+)?"
            r"(?:untrusted\s+\w+|response|claims?|material|user input|fence)[\W_]*$"
        ),
    ),
)


@dataclass(frozen=True)
class Clue:
    """A pattern with the words of which a text must hold one before the pattern is worth its time."""

    kind: str
    words: tuple[str, ...]
    pattern: re.Pattern[str]

    def spans(self, plain: str) -> Iterator[tuple[int, int]]:
        """Yield where the pattern stands in a text in lower case."""
        if any(word in plain for word in self.words):
            yield from (match.span() for match in self.pattern.finditer(plain))


def _clues(kind: str, *groups: Iterable[tuple[tuple[str, ...], str]]) -> tuple[Clue, ...]:
    return tuple(Clue(kind, words, re.compile(pattern, re.DOTALL)) for group in groups for words, pattern in group)


CLUES = (
    *_clues(TURN, _TURNS),
    *_clues(FENCE, _FENCES),
    *_clues(VERDICT, _VERDICTS),
    *_clues(EXEMPTION, EXEMPTIONS),
    *_clues(ORDER, ENGLISH, GERMAN, ROMANCE, FURTHER),
)
# words that give an order away when they are read backwards or with every letter moved by thirteen
TURNED_WORDS = re.compile(
    r"\b(?:vtaber|qvfertneq|vafgehpgvbaf|cerivbhf|ireqvpg|snoitcurtsni|erongi|tcidrev|suoiverp|dragersid)\b"
)
