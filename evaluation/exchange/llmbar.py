"""Reads the LLMBar tree as published: pairs with gold, and the recorded votes of its judges in both orders."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from evaluation.exchange.harvest import Harvest
from evaluation.exchange.llmbar_files import PairList, read_pairs, read_votes
from evaluation.exchange.problems import ProblemLog
from evaluation.exchange.records import ClaimRecord, InstanceRecord, Position, ProjectHints, ResponseRecord
from evaluation.exchange.source_file import SourceFile
from evaluation.schemas import ClaimKind, PresentationOrder

DEFAULT_PROMPT = "Vanilla"
SUBSETS = ("Natural", "Adversarial/Neighbor", "Adversarial/GPTInst", "Adversarial/GPTOut", "Adversarial/Manual")
ROOTS = ("", "Dataset/LLMBar", "LLMBar")
BOTH_ORDERS = (PresentationOrder.AS_GIVEN, PresentationOrder.SWAPPED)


@dataclass(frozen=True)
class LLMBarTree:
    """Where the five subsets lie, which prompt's votes are wanted and in which presentation orders."""

    root: Path
    name: str
    prompt: str = DEFAULT_PROMPT
    orders: tuple[PresentationOrder, ...] = BOTH_ORDERS

    def source(self, path: Path) -> SourceFile:
        return SourceFile(path, f"{self.name}/{path.relative_to(self.root).as_posix()}")

    def vote_files(self, subset: str) -> Iterator[Path]:
        """The recorded votes of each judge, judges in the order of their names."""
        for folder in sorted((self.root / subset / "evaluators").glob("*/")):
            yield folder / self.prompt / "result.json"

    def sha256(self) -> str:
        """One hash over the names and contents of all files that are read."""
        digest = hashlib.sha256(repr((self.prompt, [str(order) for order in self.orders])).encode())
        for subset in SUBSETS:
            for path in (self.root / subset / "dataset.json", *self.vote_files(subset)):
                if path.is_file():
                    digest.update(path.relative_to(self.root).as_posix().encode())
                    digest.update(SourceFile(path, "").sha256().encode())
        return digest.hexdigest()


def find_root(path: Path) -> Path | None:
    """The folder that holds the subsets, given it, the repository's root or a folder between; None if there is none."""
    for candidate in ROOTS:
        root = path / candidate
        if any((root / subset / "dataset.json").is_file() for subset in SUBSETS):
            return root
    return None


def read_llmbar(tree: LLMBarTree, log: ProblemLog) -> Harvest:
    """Read the subsets that are there; a missing subset or judge is a warning, no votes at all a refusal."""
    harvest = Harvest()
    harvest.hints = ProjectHints(ClaimKind.PREFERENCE, allow_tie=False)
    whole = Position(tree.name)
    for subset in SUBSETS:
        dataset = tree.source(tree.root / subset / "dataset.json")
        if dataset.path.is_file():
            _read_subset(tree, subset, dataset, log, harvest)
        else:
            log.warn(whole, "", f"The subset {subset} is not there ({dataset.name}); the others are read.")
    if not harvest.verdicts and not log.refusals:
        prompts = sorted({path.parent.name for path in tree.root.glob("**/evaluators/*/*/result.json")})
        has = f"; there are votes for {', '.join(prompts)}" if prompts else ""
        log.refuse(whole, "", f"No judge has recorded votes for the prompt “{tree.prompt}”{has}.")
    return harvest


def _read_subset(tree: LLMBarTree, subset: str, dataset: SourceFile, log: ProblemLog, harvest: Harvest) -> None:
    pairs = read_pairs(dataset, log)
    if pairs is None:
        return
    name = subset.rpartition("/")[2]
    ids = [f"{name}-{number:03d}" for number in range(1, len(pairs.pairs) + 1)]
    _add_pairs(pairs, name, ids, harvest)
    for path in tree.vote_files(subset):
        judge = path.parent.parent.name
        source = tree.source(path)
        if not path.is_file():
            log.warn(Position(source.name), "", f"{judge} has no recorded votes for “{tree.prompt}” in {subset}.")
            continue
        harvest.verdicts += read_votes(source, pairs, ids, judge, log, tree.orders)


def _add_pairs(pairs: PairList, subset: str, ids: list[str], harvest: Harvest) -> None:
    for row, (item, pair) in enumerate(zip(ids, pairs.pairs, strict=True), start=1):
        at = Position(pairs.file, row)
        metadata = {"subset": subset}
        sides = (f"{item}/first", f"{item}/second")
        harvest.instances.append(InstanceRecord(item, pair.prompt, metadata=dict(metadata), at=at))
        harvest.responses += [
            ResponseRecord(side, item, text, at=at) for side, text in zip(sides, (pair.first, pair.second), strict=True)
        ]
        harvest.claims.append(
            ClaimRecord(item, item, sides, ClaimKind.PREFERENCE, gold=pair.gold, metadata=dict(metadata), at=at)
        )
