"""Asks a model: admitted first, at most two requests, a form that is not taken is learned, an answer repaired once."""

from __future__ import annotations

from pydantic import BaseModel

from shared.domain.errors import Permanent
from shared.domain.protocols import Clock, Meter, ModelMemory, PlannedCall
from shared.domain.reading import CallUsage
from shared.llm.answer_texts import Unread, look_for_answer
from shared.llm.calls import Call, make_call
from shared.llm.forms import Earlier, Form, body_of, form_of, input_tokens_of
from shared.llm.learning import Lessons
from shared.llm.outages import NotServed, not_served, not_taken_twice
from shared.llm.prices import cost_of
from shared.llm.probing import ask_something_small
from shared.llm.questions import Completion, Question, TooLong
from shared.llm.refusals import Refusal
from shared.llm.replies import Reply
from shared.llm.wire import Wire
from shared.settings.language_model import ModelSettings


class ChatModel:
    """A model behind OpenAI's chat completions; may be shared by threads and survives a fork."""

    def __init__(self, settings: ModelSettings, wire: Wire, memory: ModelMemory, clock: Clock) -> None:
        self._settings = settings
        self._wire = wire
        self._memory = memory
        self._lessons = Lessons(settings, memory)
        self._clock = clock

    def ask(self, question: Question, meter: Meter) -> Completion:
        """Ask with at most two requests; see ``LanguageModel.ask``."""
        rested = self._memory.admit(question.model) == "probe"
        if rested or question.again:
            self._probe(question.model, meter)
            if rested:
                self._memory.served(question.model)
        learned = self._memory.learned(question.model)
        context = learned.context_tokens
        if context is not None and question.estimated_tokens + question.output_tokens > context:
            raise TooLong(context)
        form = form_of(self._settings, learned)
        first, said = self._answered(question, form, meter)
        if isinstance(said, Reply):
            return self._read(question, form, first, said, meter)
        other = self._lessons.other_form(question.model, form, said)
        second, said = self._answered(question, other, meter)
        if isinstance(said, Reply):
            return self._completion(_read(said, question), other, second, first)
        self._lessons.other_form(question.model, other, said)
        raise not_taken_twice(self._clock())

    def _read(self, question: Question, form: Form, first: Call, reply: Reply, meter: Meter) -> Completion:
        """Read the first answer; where it cannot be used, ask for it once more."""
        found = _read(reply, question)
        if not isinstance(found, Unread) or reply.final:
            return self._completion(found, form, first)
        try:
            second, said = self._answered(question, form, meter, Earlier(reply.text, _advice(reply, found)))
        except Permanent:
            return self._completion(_and(found, "no call is left to repair it"), form, first)
        except TooLong:
            return self._completion(_and(found, "a repair would be too long"), form, first)
        except NotServed as error:
            if not error.call.sent:
                raise
            return self._completion(_and(found, "the repair was not served"), form, first, error.call)
        if not isinstance(said, Reply):
            self._lessons.other_form(question.model, form, said)
            return self._completion(_and(found, "the repair was not taken"), form, first, second)
        mended = _read(said, question)
        if found.shapeless and not isinstance(mended, Unread):
            self._lessons.schema_was_passed_over(question.model, form)
        return self._completion(mended, form, second, first, repaired=True)

    def _answered(
        self, question: Question, form: Form, meter: Meter, earlier: Earlier | None = None
    ) -> tuple[Call, Reply | Refusal]:
        """Make one call; what comes back is a reply, or a refusal of the form that can be put otherwise.

        TooLong, and NotServed where the model's server did not serve.
        """
        body = body_of(question, form, self._settings, earlier)
        plan = PlannedCall(
            model=question.model,
            purpose="read" if earlier is None else "repair",
            mode=form.mode,
            input_tokens=input_tokens_of(body, question.estimated_tokens),
            output_tokens=question.output_tokens,
        )
        call = make_call(self._wire, meter, plan, body)
        said = self._said(call, form)
        self._memory.served(question.model)
        if isinstance(said, Refusal) and said.too_long:
            self._lessons.context(question.model, said.context_tokens)
            raise TooLong(said.context_tokens)
        return call, said

    def _probe(self, model: str, meter: Meter) -> None:
        """Ask something small that tells of no merge; NotServed when it is not answered."""
        call, form = ask_something_small(self._settings, model, self._wire, self._memory, meter)
        said = self._said(call, form)
        if isinstance(said, Refusal) and not said.too_long:
            self._lessons.other_form(model, form, said)

    def _said(self, call: Call, form: Form) -> Reply | Refusal:
        """What a server that serves said: an answer, or a refusal of what can be put otherwise. NotServed else."""
        outcome = call.outcome
        if isinstance(outcome, Reply):
            return outcome
        if isinstance(outcome, Refusal) and (
            outcome.too_long or self._lessons.can_be_put_otherwise(call.plan.model, form, outcome)
        ):
            return outcome
        raise not_served(call, self._settings, self._memory, self._clock())

    def _completion(
        self, found: BaseModel | Unread, form: Form, call: Call, *others: Call, repaired: bool = False
    ) -> Completion:
        """Of the call whose answer counts, and of the others that it took."""
        fault = found.fault if isinstance(found, Unread) else None
        return Completion(
            answer=None if isinstance(found, Unread) else found,
            text=call.settled.text or "",
            mode=form.mode,
            repaired=repaired,
            usage=self._usage((call, *others)),
            fault=fault,
        )

    def _usage(self, calls: tuple[Call, ...]) -> CallUsage:
        sent = [call for call in calls if call.sent]
        costs = [
            cost_of(
                self._settings.prices,
                call.plan.model,
                call.settled.input_tokens,
                call.settled.cached_tokens,
                call.settled.output_tokens,
            )
            for call in sent
        ]
        known = [cost for cost in costs if cost is not None]
        return CallUsage(
            requests=len(sent),
            input_tokens=sum(call.settled.input_tokens for call in sent),
            cached_tokens=sum(call.settled.cached_tokens for call in sent),
            output_tokens=sum(call.settled.output_tokens for call in sent),
            cost_usd=sum(known) if len(known) == len(sent) else None,
            seconds=sum(call.seconds for call in sent),
        )


def _read(reply: Reply, question: Question) -> BaseModel | Unread:
    return Unread(reply.fault) if reply.fault else look_for_answer(reply.text, question.answer)


def _advice(reply: Reply, found: Unread) -> str:
    return f"{found.fault}; write less" if reply.cut else found.fault


def _and(found: Unread, more: str) -> Unread:
    return Unread(f"{found.fault}; {more}")
