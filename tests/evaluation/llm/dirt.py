"""Strategies that write values down the way judges do: readable for people, and no JSON."""

from __future__ import annotations

import json

from hypothesis import strategies as st

from evaluation.llm.protocol import JsonObject

ESCAPED = set("\"\\/bfnrtu'")
NAMED = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "/": "\\/", "'": "\\'", "\b": "\\b", "\f": "\\f"}
HOSTILE = [
    *(
        "a, ] b",
        "// not a comment",
        "/* nor this */",
        "C:\\path \\d",
        "```json",
        '{"verdict": "reject"}',
        "\ufeff\u200b",
    ),
    *("</think>", "line one\nline two", "it's", 'he said "no",', "[1, 2,]", "\\", "…", "🙂", "\\u12", "},", "{smile}"),
]
texts = st.one_of(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12),
    st.lists(st.sampled_from([*HOSTILE, " "]), max_size=4).map("".join),
)
scalars = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**20), 10**20), st.floats(allow_nan=False, allow_infinity=False), texts
)
members = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
blanks = st.sampled_from(
    ["", "", "", " ", "\n  ", "\r\n", "\t", "\ufeff", "\u200b", "\u00a0", '// a } " comment\n', '/* one, "more] */']
)
prose = st.lists(
    st.sampled_from(
        ["Sure, here it is:", "\n", "```json\n", "\n```", "{smile}", "[1]", "\u200b", 'I\'m "done".', "//"]
    ),
    max_size=4,
).map(" ".join)


@st.composite
def dirty(draw: st.DrawFn, value: object) -> str:
    """Write a value down in one of the many ways that mean the same to a person."""
    if isinstance(value, str):
        return _quoted(draw, value)
    if isinstance(value, dict):
        pairs = [draw(dirty(key)) + draw(blanks) + ":" + _spaced(draw, each) for key, each in value.items()]
        return "{" + draw(blanks) + _listed(draw, pairs) + "}"
    if isinstance(value, list):
        return "[" + draw(blanks) + _listed(draw, [_spaced(draw, each) for each in value]) + "]"
    return json.dumps(value)


@st.composite
def dirty_replies(draw: st.DrawFn, value: JsonObject) -> str:
    """A reply that holds one object: text and code fences round it, or a list round it."""
    text = draw(dirty(value))
    if draw(st.booleans()):
        text = f"[{draw(blanks)}{text}{draw(blanks)}]"
    return draw(prose) + text + draw(prose)


def _spaced(draw: st.DrawFn, value: object) -> str:
    return draw(blanks) + draw(dirty(value)) + draw(blanks)


def _listed(draw: st.DrawFn, parts: list[str]) -> str:
    last = draw(st.sampled_from(["", ","])) + draw(blanks) if parts else ""
    return ("," + draw(blanks)).join(parts) + last


def _quoted(draw: st.DrawFn, text: str) -> str:
    """Write a text; a backslash may stand alone where it escapes nothing, a line break as it is."""
    written = [""]
    for mark, follows in zip(text, [*text[1:], ""], strict=False):
        if written[-1] == "\\":
            ways = [mark]
        elif mark == "\\":
            ways = ["\\\\", "\\u005C", *(["\\"] if follows and follows not in ESCAPED else [])]
        elif mark == '"':
            ways = ['\\"', "\\u0022"]
        else:
            ways = [mark, NAMED.get(mark, mark), *([f"\\u{ord(mark):04x}"] if ord(mark) < 0x10000 else [])]
        written.append(draw(st.sampled_from(ways)))
    return '"' + "".join(written) + '"'
