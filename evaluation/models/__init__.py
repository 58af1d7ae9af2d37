"""The models of the domain, one module a noun."""

from evaluation.models.claim import Claim, ClaimEdge, ClaimGraph, Embedding, GraphNode
from evaluation.models.decision import Decision, Draw, PatternMove, Propagation, Proposal, Undo
from evaluation.models.importing import Import, Revision
from evaluation.models.judging import Judge, Panel
from evaluation.models.material import Batch, Document, Instance, Response, System
from evaluation.models.money import ModelPrice, ProviderBatch, Purse
from evaluation.models.outcome import Outcome, TrackRecord, VotePattern
from evaluation.models.project import Invitation, Membership, Project
from evaluation.models.rubric import RubricEntry, RubricEvent
from evaluation.models.running import Call, Job, Run
from evaluation.models.verdict import Verdict

__all__ = [
    "Batch",
    "Call",
    "Claim",
    "ClaimEdge",
    "ClaimGraph",
    "Decision",
    "Document",
    "Draw",
    "Embedding",
    "GraphNode",
    "Import",
    "Instance",
    "Invitation",
    "Job",
    "Judge",
    "Membership",
    "ModelPrice",
    "Outcome",
    "Panel",
    "PatternMove",
    "Project",
    "Propagation",
    "Proposal",
    "ProviderBatch",
    "Purse",
    "Response",
    "Revision",
    "RubricEntry",
    "RubricEvent",
    "Run",
    "System",
    "TrackRecord",
    "Undo",
    "Verdict",
    "VotePattern",
]
