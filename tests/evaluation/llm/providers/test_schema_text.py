"""A schema told in words."""

from __future__ import annotations

import json

from evaluation.llm.protocol import Message, TextPart
from evaluation.llm.providers.schema_text import told_schema
from tests.evaluation.llm.builders import SCHEMA

SYSTEM = Message("system", (TextPart("Be brief."),))
QUESTION = Message("user", (TextPart("Which colour?"),))


def test_it_ends_the_last_user_message_and_nothing_else() -> None:
    first, answer = Message("user", (TextPart("Hello"),)), Message("assistant", (TextPart("Yes?"),))

    told = told_schema((SYSTEM, first, answer, QUESTION), SCHEMA)

    assert told[:3] == (SYSTEM, first, answer)
    assert told[3].parts[0] == TextPart("Which colour?")
    added = told[3].parts[1]
    assert isinstance(added, TextPart)
    assert added.text.endswith(json.dumps(SCHEMA))


def test_without_a_schema_nothing_changes() -> None:
    assert told_schema((SYSTEM, QUESTION), None) == (SYSTEM, QUESTION)


def test_without_a_user_message_one_is_added() -> None:
    assert [each.role for each in told_schema((SYSTEM,), SCHEMA)] == ["system", "user"]
