"""Reads an object or a list that was written as a Python literal, with Python's own parser; nothing is ever run."""

from __future__ import annotations

import ast
import re
import warnings

LONGEST = 200_000
_TELLTALE = re.compile(r"'|\b(?:True|False|None)\b")  # without any of them it is broken JSON and not Python


def python_value(text: str) -> dict[str, object] | list[object] | None:
    """Return what a text of one Python dict or list means as JSON.

    Parameters
    ----------
    text : str
        From its opening to its closing bracket.

    Returns
    -------
    dict, list or None
        None unless all of it is made of texts, numbers, True, False, None, lists, tuples and dicts with texts as
        keys, no key standing twice with different values; what is neither is not looked past.
    """
    if len(text) > LONGEST or not _TELLTALE.search(text):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # "\d" keeps its backslash, as in mending.py
            tree = ast.parse(text, mode="eval").body
            found = _plain(tree)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    return found if isinstance(found, dict | list) else None


def _plain(node: ast.expr) -> object:
    match node:
        case ast.Dict(keys=keys, values=values):
            return _dict([(_key(key), _plain(value)) for key, value in zip(keys, values, strict=True)])
        case ast.List(elts=members) | ast.Tuple(elts=members):
            return [_plain(each) for each in members]
        case ast.Constant(value=str() | bool() | int() | float() | None as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
        case _:
            raise ValueError("not a plain value")


def _key(node: ast.expr | None) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise ValueError("a key is no text")


def _dict(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found: dict[str, object] = {}
    for key, value in pairs:
        if found.setdefault(key, value) != value:
            raise ValueError("a key stands there twice with different values")
    return found
