"""Calls of tools behind a person's yes."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import json
import threading
import time
import uuid
from dataclasses import dataclass, field
from typing import Any, Callable, Generic, Literal, Mapping, ParamSpec, TypeVar, Union
from urllib.parse import quote

from ._canonical import canonical, digest_of
from ._form import schema_of, wrong_value
from ._client import About, Asked, ask, life_of, on_wire, put
from ._line import GivenUp
from ._outcome import Answered, Declined, Ended, Outcome, Unreachable
from ._progress import OnProgress
from ._server import BeckonError, Server, Unreached, call, env_of
from ._values import copy_of, like, plain

P = ParamSpec("P")
R = TypeVar("R")

_SHOWN_MAX = 4_000
"""What a person is shown whole; a longer call cannot be approved."""
_LINE_MAX = 500
_CALL_S = 30.0
_REPORT_S = 10.0
_NO_END = float("inf")

Risk = Literal["low", "medium", "high"]


@dataclass(frozen=True)
class Refused:
    """The call may not be made, and nobody was asked or the yes does not hold for it."""

    status: Literal["too_long", "not_json", "refused"]
    reason: str


@dataclass(frozen=True)
class Allowed:
    id: str
    action_hash: str
    note: str | None = None
    args: dict[str, Any] | None = None
    """The arguments with what the person changed, if they did: these may run, no others."""
    allowed: Literal[True] = field(default=True, init=False)


@dataclass(frozen=True)
class NotAllowed:
    outcome: Union[Declined, Ended, Unreachable, Refused]
    allowed: Literal[False] = field(default=False, init=False)


@dataclass(frozen=True)
class Done(Generic[R]):
    """A protected function ran."""

    value: R
    id: str
    status: Literal["done"] = field(default="done", init=False)


def gate(
    tool: str,
    args: Any,
    *,
    label: str | None = None,
    effect: str | None = None,
    risk: Risk | None = None,
    edit: Any = None,
    subject: str | None = None,
    about: About | None = None,
    life_s: float | None = None,
    wait_s: float = _NO_END,
    on_progress: OnProgress | None = None,
    server: Server | None = None,
) -> Union[Allowed, NotAllowed]:
    """
    Asks whether a tool may be called with these arguments. Never raises: whatever goes wrong, the
    call is not allowed. `edit` names the arguments that the person may change before a yes, and how
    far: a JSON Schema, data class or TypedDict, as of a form.
    """
    try:
        # What is shown and what the yes is bound to are one value, whatever becomes of `args`.
        value = plain(copy_of(args))
        action_hash = digest_of({"tool": tool, "arguments": value})
        shown = json.dumps(value, indent=2, ensure_ascii=False)
        if len(shown) > _SHOWN_MAX:
            why = f"The arguments have {len(shown)} characters; a person is shown {_SHOWN_MAX}."
            return NotAllowed(Refused("too_long", why))
        told = on_wire(about or {})
        schema = None if edit is None else _within(edit, value)
        parts = {"effect": effect, "risk": risk, "edit": schema and schema_of(edit)}
        stakes = {name: one for name, one in parts.items() if one}
        question = f"{label or tool}?"
        body = {
            **told,
            **env_of(server),
            **life_of(life_s),
            **stakes,
            "question": question,
            "type": "confirm",
            "action": f"{tool} {canonical(value)}"[:_LINE_MAX],
            "actionBody": shown,
            "toolName": tool,
            "requestId": f"action:{action_hash}:{subject or uuid.uuid4()}",
        }
        asked = Asked("/questions", question, body, subject is None, schema=schema)
        outcome = _put_stakes(asked, stakes, wait_s, server, on_progress)
    except TypeError as error:
        return NotAllowed(Refused("not_json", str(error)))
    except Exception as error:  # Whatever it is, nobody said yes.
        return NotAllowed(Refused("refused", str(error)))
    if not isinstance(outcome, Answered):
        return NotAllowed(outcome)
    if outcome.value is True:
        return Allowed(outcome.id, action_hash, outcome.note)
    edited = outcome.value
    bound = digest_of({"action": action_hash, "edited": edited})
    return Allowed(outcome.id, bound, outcome.note, {**value, **edited})


def _within(edit: Any, args: Any) -> dict[str, Any]:
    """
    The schema of an answer with changes: what is there cannot be left out. Raises ValueError for one
    that does not fit these arguments.
    """
    schema = schema_of(edit)
    fields = schema.get("properties")
    if not isinstance(args, dict) or not isinstance(fields, dict):
        raise ValueError("edit: it needs arguments with names, and properties.")
    required = [name for name in fields if args.get(name) is not None]
    bounds = {**schema, "required": required}
    try:
        wrong = wrong_value(bounds, {name: args[name] for name in required})
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"edit: this is no schema of a form: {error}.") from error
    if wrong:
        raise ValueError(f"edit: {wrong[0]} does not fit its schema.")
    return bounds


def _put_stakes(
    asked: Asked,
    stakes: dict[str, Any],
    wait_s: float,
    server: Server | None,
    on_progress: OnProgress | None,
) -> Outcome[Any]:
    """Asks; of a server that is too old for these fields, with them in the words above the question."""
    try:
        return put(asked, wait_s, server, on_progress)
    except BeckonError as error:
        if not error.fields or any(one["field"] not in stakes for one in error.fields):
            raise
        risk = stakes.get("risk")
        parts = [stakes.get("effect"), risk and f"Risk: {risk}.", asked.body.get("context")]
        body = {name: one for name, one in asked.body.items() if name not in stakes}
        older = {**body, "context": " ".join(part for part in parts if part)}
        return put(dataclasses.replace(asked, body=older), wait_s, server, on_progress)


class Guarded:
    """A function behind a person's yes: what of its calls is shown, and what runs."""

    def __init__(self, fn: Callable[..., Any], name: str | None) -> None:
        self.signature = inspect.signature(fn)
        first = next(iter(self.signature.parameters), "")
        owner, _, _ = fn.__qualname__.rpartition(".")
        is_method = owner != "" and not owner.endswith("<locals>") and first in ("self", "cls")
        self.receiver = first if is_method else None
        short = ".".join(fn.__qualname__.split(".")[-2:])
        self.tool = name or (short if is_method else fn.__name__)

    def bind(self, args: Any, kwargs: Any) -> inspect.BoundArguments:
        """A call with copies of its arguments. Raises TypeError for those that cannot be shown."""
        bound = self.signature.bind(*args, **kwargs)
        bound.apply_defaults()
        for name, value in bound.arguments.items():
            if name != self.receiver:
                bound.arguments[name] = copy_of(value, name)
        return bound

    def shown(self, bound: inspect.BoundArguments) -> dict[str, Any]:
        """
        The arguments as they are now. Of the object of a method a data class is shown with its
        fields; any other is its class, which the tool is named after.
        """
        arguments = dict(bound.arguments)
        if self.receiver:
            own = arguments.pop(self.receiver)
            if dataclasses.is_dataclass(own) and not isinstance(own, type):
                arguments = {self.receiver: copy_of(own, self.receiver), **arguments}
        return {name: plain(value) for name, value in arguments.items()}

    def ready(
        self, bound: inspect.BoundArguments, shown: dict[str, Any], decision: Allowed
    ) -> Refused | None:
        """
        Puts what the person changed into a call; why it may not run. An object may have changed since
        the yes, and what was typed may be no date, enum or UUID.
        """
        try:
            if digest_of(self.shown(bound)) != digest_of(shown):
                return CHANGED
            for name, value in (decision.args or {}).items():
                if name in bound.arguments and shown[name] != value:
                    bound.arguments[name] = like(bound.arguments[name], value)
        except TypeError:
            return CHANGED
        except ValueError as error:
            return Refused("refused", f"What was typed cannot be taken: {error}")
        return None


def subject_of(subject: Any, bound: inspect.BoundArguments) -> str | None:
    return subject(*bound.args, **bound.kwargs) if callable(subject) else subject


CHANGED = Refused("refused", "The object of this method was changed after it was shown.")


def require_approval(
    *,
    name: str | None = None,
    label: str | None = None,
    effect: str | None = None,
    risk: Risk | None = None,
    edit: Any = None,
    subject: str | Callable[P, str] | None = None,
    about: About | None = None,
    life_s: float | None = None,
    wait_s: float = _NO_END,
    on_progress: OnProgress | None = None,
    server: Server | None = None,
) -> Callable[
    [Callable[P, R]], Callable[P, Union[Done[R], Declined, Ended, Unreachable, Refused]]
]:
    """
    Puts a function behind a person's yes. Each call is asked about with a copy of its arguments;
    after a yes it is bound to their digest by a permit, which the server uses up just before the
    function runs, so that one yes runs it once, with that copy. What the function raises is raised
    on. `subject` names what a call is about, as a text or a function of its arguments: asked again, it
    is the same question. `edit` names the arguments that the person may change before a yes, and how
    far, as a JSON Schema, data class or TypedDict: the function gets them as they were shown last.
    """
    options: dict[str, Any] = {
        **{"label": label, "effect": effect, "risk": risk, "edit": edit},
        **{"about": about, "life_s": life_s, "wait_s": wait_s, "server": server},
        "on_progress": on_progress,
    }

    def decorate(
        fn: Callable[P, R],
    ) -> Callable[P, Union[Done[R], Declined, Ended, Unreachable, Refused]]:
        guarded = Guarded(fn, name)

        @functools.wraps(fn)
        def protected(
            *args: P.args, **kwargs: P.kwargs
        ) -> Union[Done[R], Declined, Ended, Unreachable, Refused]:
            guarded.signature.bind(*args, **kwargs)
            try:
                bound = guarded.bind(args, kwargs)
                shown = guarded.shown(bound)
                name_of_call = subject_of(subject, bound)
            except TypeError as error:
                return Refused("not_json", str(error))
            decision = gate(guarded.tool, shown, subject=name_of_call, **options)
            if isinstance(decision, NotAllowed):
                return decision.outcome
            permit = permit_for(server, decision)
            if not isinstance(permit, str):
                return permit
            why = guarded.ready(bound, shown, decision)
            if why:
                report(server, permit, "not_run", why.reason)
                return why
            try:
                value = fn(*bound.args, **bound.kwargs)
            except BaseException as error:
                report(server, permit, "failed", str(error) or type(error).__name__)
                raise
            report(server, permit, "succeeded")
            return Done(value, decision.id)

        return protected

    return decorate


def protect(
    fn: Callable[P, R], **options: Any
) -> Callable[P, Union[Done[R], Declined, Ended, Unreachable, Refused]]:
    """As `require_approval`, for a function that exists already."""
    return require_approval(**options)(fn)


def permit_for(server: Server | None, given: Allowed) -> Union[str, Refused, Unreachable]:
    """A permit that is used up, or why the action must not be begun."""
    body = {"actionHash": given.action_hash}
    permit: Any = None
    try:
        until = time.monotonic() + _CALL_S
        issued = call(server, f"/questions/{quote(given.id, safe='')}/permit", body=body, try_until=until)
        permit = issued.get("permitId")
        if not isinstance(permit, str):
            return Refused("refused", "The server gave no permit for this call.")
        # Not again: after a lost reply nobody knows whether it was used up.
        call(server, f"/permits/{quote(permit, safe='')}/consume", body=body, try_until=0.0)
    except Unreached as error:
        return Unreachable(str(error), given.id)
    except BeckonError as error:
        return Refused("refused", str(error))
    except GivenUp:
        if isinstance(permit, str):
            report(server, permit, "not_run", "The caller gave up.")
        raise
    return permit


def report(server: Server | None, permit: str, outcome: str, detail: str | None = None) -> None:
    """
    For the audit trail, beside the program: the action is done, whether the server hears of it or
    not, so its value does not wait for this.
    """
    body = {"outcome": outcome}
    if detail:
        body["detail"] = detail[:_LINE_MAX]

    def send() -> None:
        try:
            until = time.monotonic() + _REPORT_S
            call(server, f"/permits/{quote(permit, safe='')}/outcome", body=body, try_until=until)
        except (Unreached, BeckonError):
            pass

    # The program ends when it is sent.
    threading.Thread(target=send, name="beckon-report").start()


def human_as_tool(server: Server | None = None) -> dict[str, Any]:
    """A person as a tool for a model: name, description, schema of its input, and what runs it."""

    def run(question: str, choices: list[str] | None = None) -> Outcome[str]:
        if choices:
            return ask.choose(question, choices, server=server)
        return ask.text(question, server=server)

    return {
        "name": "ask_human",
        "description": "Asks a person and waits for the answer. Use it for a decision that is theirs."
        " No answer is not a yes.",
        "input_schema": {
            "type": "object",
            "properties": {
                "question": {"type": "string", "maxLength": 500},
                "choices": {
                    "type": "array",
                    "items": {"type": "string"},
                    "minItems": 2,
                    "maxItems": 6,
                },
            },
            "required": ["question"],
            "additionalProperties": False,
        },
        "run": run,
    }
