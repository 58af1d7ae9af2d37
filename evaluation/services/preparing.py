"""Turns leased jobs into questions that can be sent, or answers those that were answered before, unasked."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, field

from django.db import DatabaseError
from pydantic import BaseModel

from evaluation.errors import ConflictError, JuryFlowError
from evaluation.llm.conversation import Conversation
from evaluation.llm.errors import LLMError
from evaluation.llm.pricing import PriceCard
from evaluation.llm.protocol import ChatModel, ChatReply
from evaluation.llm.retry import RetryPolicy
from evaluation.models import Call, Job, Judge, Purse, Run
from evaluation.services import askings, budgets, graph, job_steps, jobs, judges, ledger, merging, prices
from evaluation.services.askings import Asking, Shelves
from evaluation.services.desk import Question
from evaluation.services.job_steps import Ended
from evaluation.services.ledger import Recalled

IN_PLACE = (Job.Task.MERGE, Job.Task.GRAPH)
ASKING = tuple(task for task in Job.Task if task not in IN_PLACE)
FOR_ACTIVE = (Job.Task.DECOMPOSE, Job.Task.JUDGE, Job.Task.REVIEW, Job.Task.TRIAL)
GIVEN_UP = "Ten times the worker ended before an answer came: start a new run to ask again."
RESTS = "“{}” was switched off while this run went on: switch it on and ask again for what is missing."
_ASKED_AS = ("provider", "model", "base_url", "key_name", "parameters", "encrypted_key")  # what its model is built from

logger = logging.getLogger(__name__)


@dataclass
class Prepared:
    """Questions that are to be sent, and jobs that have ended without sending anything."""

    questions: list[Question] = field(default_factory=list)
    ended: list[Ended] = field(default_factory=list)


class Preparing:
    """Prepares the jobs of one run; what they share is read once.

    `stopped` holds judges, by id, that nothing more is asked, with the error that says why.
    """

    def __init__(self, run: Run, drawn_on: Sequence[Purse]) -> None:
        self._run = run
        self._drawn_on = drawn_on
        self._shelves = Shelves(run.project)
        self.stopped: dict[int, LLMError] = {}
        self._models: dict[int, tuple[Judge, ChatModel]] = {}
        self._cards: dict[int, PriceCard | None] = {}
        self._policy = RetryPolicy()

    def prepare(self, leased: Sequence[Job]) -> Prepared:
        """Prepare jobs; those that ask nobody are done on the spot."""
        asking = [job for job in leased if job.task not in IN_PLACE]
        for job in leased:
            if job.task in IN_PLACE:
                self._do_in_place(job)
        prepared = Prepared()
        askings.fetch(asking, self._run.project)
        for job in asking:
            self._prepare(job, prepared)
        self._recall(prepared)
        self._reuse(prepared)
        return prepared

    def _do_in_place(self, job: Job) -> None:
        """Joining claims and building the graph ask nobody and need the database: the main thread does them."""
        try:
            if job.task == Job.Task.MERGE:
                merging.merge(job)
            else:
                built = graph.build(project=job.run.project)
                jobs.end(job, result={"graph": built.pk})
        except DatabaseError:
            raise
        except Exception as error:  # whatever it is, it would come again: the run has to end all the same
            _note(job, error)
            jobs.end(job, error=job_steps.sentence_of(error), reason=job_steps.reason_of(error))

    def _prepare(self, job: Job, prepared: Prepared) -> None:
        asking: Asking | None = None
        if stopped := self.stopped.get(job.judge_id or 0):
            prepared.ended.append(Ended(job, None, error=stopped))
            return
        try:
            judge = jobs.judge_of(job)
            self._check_is_asked(job, judge)
            asking = askings.prepare(job, self._shelves)
            model, card = self._model(judge), self._card(judge)
        except DatabaseError:
            raise
        except Exception as error:  # whatever it is, it would come again: the run has to end all the same
            _note(job, error)
            prepared.ended.append(Ended(job, asking, error=error))
            return
        conversation: Conversation[BaseModel] = Conversation(asking.request, asking.shape, self._policy)
        prepared.questions.append(Question(job, judge, asking, model, conversation, card))

    def _check_is_asked(self, job: Job, judge: Judge) -> None:
        """Raise what keeps this judge from being asked: much may have happened since the run was opened."""
        if not judge.is_active and job.task in FOR_ACTIVE:
            raise ConflictError(RESTS.format(judge))
        judges.check_may_ask(judge, self._run.project)

    def _model(self, judge: Judge) -> ChatModel:
        built = self._models.get(judge.pk)
        if built is None or any(getattr(built[0], name) != getattr(judge, name) for name in _ASKED_AS):
            judges.limits_of(judge)
            built = self._models[judge.pk] = judge, judges.model_for(judge)
        return built[1]

    def _card(self, judge: Judge) -> PriceCard | None:
        if judge.pk not in self._cards:
            self._cards[judge.pk] = prices.card(judge)
        card = self._cards[judge.pk]
        if card is None and any(purse.cap_micros is not None for purse in self._drawn_on):
            raise ConflictError(budgets.price_problem([judge]))
        return card

    def _recall(self, prepared: Prepared) -> None:
        """Give a job that was worked on before the replies it got then; what was lost twice is given up."""
        asked = [(question.job, question.asking.cache_key) for question in prepared.questions]
        known = ledger.recall(questions=asked, drawn_on=self._drawn_on)
        open_questions: list[Question] = []
        for question in prepared.questions:
            recalled = known.get(question.job.pk, Recalled())
            question.n_calls = recalled.n_calls
            ended = self._ended_by(question, recalled.replies)
            if ended is None and recalled.is_given_up:
                ended = Ended(question.job, question.asking, error=LLMError(GIVEN_UP, reason="server"))
            if ended is None:
                open_questions.append(question)
            else:
                prepared.ended.append(ended)
        prepared.questions = open_questions

    def _ended_by(self, question: Question, replies: Sequence[tuple[Call, ChatReply]]) -> Ended | None:
        """What kept replies make of a question: an end, or None where it is to be asked (again)."""
        for call, reply in replies:
            try:
                answer = question.conversation.heard(reply)
            except LLMError as error:
                return Ended(question.job, question.asking, call=call, error=error)
            if answer is not None:
                return Ended(question.job, question.asking, answer.value, call, answer.is_repaired)
        return None

    def _reuse(self, prepared: Prepared) -> None:
        """Answer questions that this project has a usable reply to, at no cost."""
        fresh = [each for each in prepared.questions if not each.n_calls and askings.is_reusable(each.job, each.judge)]
        if not fresh:
            return
        keys = {question.asking.cache_key for question in fresh}
        known = ledger.known_answers(project_id=self._run.project_id, cache_keys=keys)
        found = [question for question in fresh if _key(question) in known]
        reused = ledger.reuse(known=[(each.job, known[_key(each)]) for each in found])
        for question, call in zip(found, reused, strict=True):
            ended = self._ended_by(question, [(call, ledger.reply_of(call))])
            if ended is not None:
                prepared.ended.append(ended)
        answered = {each.job.pk for each in prepared.ended}
        prepared.questions = [each for each in prepared.questions if each.job.pk not in answered]


def _key(question: Question) -> tuple[int, str]:
    return question.judge.pk, question.asking.cache_key


def _note(job: Job, error: Exception) -> None:
    """Log what nobody expected with where it happened; what is explained to the owner needs no more."""
    if not isinstance(error, JuryFlowError | LLMError):
        logger.exception("job %s of run %s cannot be done", job.pk, job.run_id)
