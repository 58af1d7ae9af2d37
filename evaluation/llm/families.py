"""Who made a model, read from its name: judges tend to favour answers of their own family."""

from __future__ import annotations

import re

# The first that fits counts: a model distilled by one maker from another's is the distiller's.
_NAMES = (
    (
        "OpenAI",
        r"openai|chat-?gpt|gpt(?![-_]?(?:j|neo|sw)|\d)|gpt[-_ ]?(?:\d+(?:\.\d+)?[a-z]?|oss)|(?:text|code)-davinci",
    ),
    ("Anthropic", r"anthropic|claude|(?:opus|sonnet|haiku)[-_ ]?[345](?:[.-]\d)?"),
    ("DeepSeek", r"deepseek"),
    ("NVIDIA", r"nemotron"),
    ("Google", r"gemini|(?:code|med|shield|data|recurrent|t5)?gemma\d?|palm[-_ ]?2|text-bison"),
    ("Meta", r"(?:meta|code)?llama(?![-_ .]?(?:index|cpp|file|parse|guard)\b)[-_ ]?\d*"),
    ("Mistral", r"(?:open-?)?mistral|mixtral|ministral|magistral|codestral|devstral|pixtral"),
    ("Qwen", r"qwen\d*|qwq"),
    ("Cohere", r"cohere|c4ai|command-(?:r|a)\d?"),
    ("xAI", r"grok\d?"),
    ("Microsoft", r"phi[-_ ]?\d(?:\.\d)?"),
    ("Moonshot", r"kimi|moonshot"),
    ("Zhipu", r"(?:chat)?glm[-_ ]?\d"),
    ("MiniMax", r"minimax-(?:m\d|text|abab)"),
    ("Amazon", r"nova-(?:micro|lite|pro|premier)|titan-text"),
    ("AI21", r"jamba|jurassic-\d"),
    ("IBM", r"granite[-_ ]?\d"),
    ("AI2", r"olmo[-_ ]?\d?"),
)
_PATTERNS = tuple((maker, re.compile(rf"(?<![a-z0-9])(?:{names})(?![a-z])")) for maker, names in _NAMES)
_O_SERIES = re.compile(r"o[134](?:-(?:mini|pro|preview|high|low|medium|deep-research))*(?:-\d{4}-\d{2}-\d{2})?")


def family_of(name: str) -> str:
    """Return the maker of a model from its name.

    Parameters
    ----------
    name : str
        The name of a model or of a system, such as `gpt-5.4-mini`, `anthropic/claude-opus-4-6` or `Llama 3 (8B)`.

    Returns
    -------
    str
        "OpenAI", "Anthropic", "Google", ...; empty where the name says nothing.

    Notes
    -----
    A name is taken at word boundaries only: "Aster" and "ollama" belong to nobody. Words of everyday language count
    with their number ("opus-4", "phi-3") and not alone. The o-series of OpenAI must be the whole name, or what
    follows its last slash: "o3" and "openai/o3-mini", not "o3 team".
    """
    lowered = name.strip().lower()
    if _O_SERIES.fullmatch(lowered.rpartition("/")[2]):
        return "OpenAI"
    return next((maker for maker, pattern in _PATTERNS if pattern.search(lowered)), "")
