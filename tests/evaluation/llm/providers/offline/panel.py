"""A panel of the five offline judges, and the demo's three documents as sources."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from evaluation.llm.protocol import ChatRequest, JsonObject
from evaluation.llm.providers.offline.model import JUDGES, OfflineModel
from evaluation.schemas import ClaimKind, ClaimText, Label, SourceText, Subject

WORDS = {
    Label.ACCEPT: "Supported",
    Label.REJECT: "Not supported",
    Label.UNCERTAIN: "Sources do not settle it",
}
SHEET = SourceText(
    "Data sheet Polar Nook 140",
    "Usable volume 140 litres. Keeps 2 to 8 °C in rooms from 10 to 32 °C. With the door shut the contents stay below "
    "8 °C for 11 hours without power. An alarm sounds after 5 minutes outside the range. Not tested below 0 °C. "
    "Weight 61 kg.",
)
OFFER = SourceText(
    "Offer 2214, Tern & Daughter",
    "One unit 1,940 EUR, from three units 1,790 EUR each. Delivery six weeks after order, ground floor only. Warranty "
    "on parts 24 months, on labour the first 12. Prices hold until 30 September. Installation is not included.",
)
RULE = SourceText(
    "Cold storage rule, Larkhaven Clinic",
    "A vaccine fridge has a battery-backed alarm and a logger read twice a day. Stock must survive 8 hours without "
    "power. Fill at most 60 percent of the usable volume. Above 5,000 EUR two offers are needed. The pharmacist, not "
    "the ward manager, releases a new fridge.",
)


def statement(*texts: str, sources: tuple[SourceText, ...] = (SHEET, OFFER, RULE)) -> Subject:
    """Return a subject that asks about statements c1, c2, ... with the labels of three."""
    return Subject(
        task="judge",
        kind=ClaimKind.STATEMENT,
        question="Do the sources support this?",
        labels=WORDS,
        sources=sources,
        claims=tuple(ClaimText(f"c{at}", ClaimKind.STATEMENT, text) for at, text in enumerate(texts, start=1)),
    )


@dataclass
class Panel:
    """Asks all five judges about one claim; keeps verdicts and rationales by judge."""

    model: OfflineModel
    rationales: dict[str, str] = field(default_factory=dict)
    entries: dict[str, object] = field(default_factory=dict)

    def ask(self, judge: str, subject: Subject) -> JsonObject:
        reply = self.model.complete(ChatRequest(model=judge, messages=(), subject=subject))
        assert reply.parsed is not None
        return reply.parsed

    def votes(self, claim: str | Subject, *texts: str) -> dict[str, str]:
        """Return each judge's verdict on the first claim; `texts` replace the sources."""
        sources = tuple(SourceText("", text) for text in texts) or (SHEET, OFFER, RULE)
        subject = claim if isinstance(claim, Subject) else statement(claim, sources=sources)
        found = {judge: self.ask(judge, replace(subject, task="judge"))["verdicts"][0] for judge in JUDGES}
        self.rationales = {judge: verdict["rationale"] for judge, verdict in found.items()}
        self.entries = {judge: verdict["precedent_entry"] for judge, verdict in found.items()}
        return {judge: verdict["verdict"] for judge, verdict in found.items()}
