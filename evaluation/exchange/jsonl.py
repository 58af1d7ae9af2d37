"""Reads our own JSONL: one JSON object per line, a nested instance, a short row, or one record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from evaluation.exchange.fields import Fields, clip
from evaluation.exchange.harvest import Harvest
from evaluation.exchange.json_list import members_of
from evaluation.exchange.jsonl_claims import add_claim, add_decision, add_outcome, add_project, add_verdict
from evaluation.exchange.jsonl_instances import add_document, add_instance, add_response, add_short_row
from evaluation.exchange.problems import ProblemLog
from evaluation.exchange.records import JsonValue, Position, RecordType
from evaluation.exchange.source_file import Line, SourceFile
from evaluation.exchange.strict_json import JsonBrokenError, JsonRefusedError, loads

ADDERS: Mapping[str, Callable[[Harvest, Fields], None]] = {
    "project": add_project,
    RecordType.DOCUMENT: add_document,
    RecordType.INSTANCE: add_instance,
    RecordType.RESPONSE: add_response,
    RecordType.CLAIM: add_claim,
    RecordType.VERDICT: add_verdict,
    RecordType.DECISION: add_decision,
    RecordType.OUTCOME: add_outcome,
}


def read_jsonl(source: SourceFile, log: ProblemLog) -> Harvest:
    """Read every line, or every object of one JSON list; what is wrong goes to the log."""
    harvest = Harvest()
    for line in _listed(source, log) if source.starts_with(b"[") else source.lines(log):
        if line.text.strip(" \t\r"):
            _read_line(line, Position(source.name, line.row), log, harvest)
    return harvest


def _listed(source: SourceFile, log: ProblemLog) -> Iterator[Line]:
    """The objects of a JSON list as lines."""
    for member in members_of(source.text(log) or "[]"):
        if member.problem:
            log.refuse(Position(source.name, member.row), "", member.problem)
        else:
            yield Line(member.row, member.text, is_last_open=False)


def _read_line(line: Line, at: Position, log: ProblemLog, harvest: Harvest) -> None:
    try:
        value = loads(line.text)
    except JsonRefusedError as error:
        is_cut = line.is_last_open and isinstance(error, JsonBrokenError)
        reason = f"The last line is cut off; get the whole file and import it again. {error.reason}"
        log.refuse(at, clip(error.field), reason if is_cut else error.reason)
        return
    if not isinstance(value, dict):
        log.refuse(at, "", "Every line, or member of the list, must be one JSON object in curly brackets.")
        return
    fields = Fields(value, log, at)
    add = _adder(fields)
    if add is not None:
        add(harvest, fields)
        fields.finish()


def _adder(fields: Fields) -> Callable[[Harvest, Fields], None] | None:
    if not fields.has("type"):
        return add_short_row if "response" in fields.values else add_instance
    kind: JsonValue = fields.values["type"]
    if isinstance(kind, str) and kind in ADDERS:
        return ADDERS[kind]
    fields.refuse("type", f"The type must be one of {', '.join(ADDERS)}; without a type the line is an instance.")
    return None
