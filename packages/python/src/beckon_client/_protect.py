"""Calls of tools behind a person's yes."""

from __future__ import annotations

import functools
import inspect
import json
import time
import uuid
from dataclasses import dataclass, field
from typing import Any, Callable, Generic, Literal, ParamSpec, TypeVar, Union
from urllib.parse import quote

from ._server import BeckonError, Server, Unreached, call
from ._canonical import canonical, digest_of
from ._client import About, ask
from ._outcome import Answered, Declined, Ended, Outcome, Unreachable

P = ParamSpec("P")
R = TypeVar("R")

_SHOWN_MAX = 4_000
"""What a person is shown whole; a longer call cannot be approved."""
_LINE_MAX = 500
_CALL_S = 30.0

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
    subject: str | None = None,
    about: About | None = None,
    wait_s: float = 600.0,
    server: Server | None = None,
) -> Union[Allowed, NotAllowed]:
    """
    Asks whether a tool may be called with these arguments. Never raises: whatever goes wrong, the
    call is not allowed.
    """
    try:
        action_hash = digest_of({"tool": tool, "arguments": args})
        shown = json.dumps(args, indent=2, ensure_ascii=False)
        if len(shown) > _SHOWN_MAX:
            why = f"The arguments have {len(shown)} characters; a person is shown {_SHOWN_MAX}."
            return NotAllowed(Refused("too_long", why))
        told = About() if about is None else about.copy()
        parts = [effect, risk and f"Risk: {risk}.", told.get("context")]
        context = " ".join(part for part in parts if part)
        if context:
            told["context"] = context
        told["action"] = f"{tool} {canonical(args)}"[:_LINE_MAX]
        told["action_body"] = shown
        told["tool_name"] = tool
        request_id = f"action:{action_hash}:{subject or uuid.uuid4()}"
        outcome = ask.confirm(
            f"{label or tool}?", told, request_id=request_id, wait_s=wait_s, server=server
        )
    except TypeError as error:
        return NotAllowed(Refused("not_json", str(error)))
    except Exception as error:  # Whatever it is, nobody said yes.
        return NotAllowed(Refused("refused", str(error)))
    if isinstance(outcome, Answered):
        return Allowed(outcome.id, action_hash, outcome.note)
    return NotAllowed(outcome)


def require_approval(
    *,
    name: str | None = None,
    label: str | None = None,
    effect: str | None = None,
    risk: Risk | None = None,
    about: About | None = None,
    wait_s: float = 600.0,
    server: Server | None = None,
) -> Callable[
    [Callable[P, R]], Callable[P, Union[Done[R], Declined, Ended, Unreachable, Refused]]
]:
    """
    Puts a function behind a person's yes. Each call is asked about with its arguments; after a yes
    it is bound to their digest by a permit, which the server uses up just before the function runs,
    so that one yes runs it once, with what was shown. What the function raises is raised on.
    """

    def decorate(
        fn: Callable[P, R],
    ) -> Callable[P, Union[Done[R], Declined, Ended, Unreachable, Refused]]:
        tool = name or fn.__name__
        signature = inspect.signature(fn)

        @functools.wraps(fn)
        def protected(
            *args: P.args, **kwargs: P.kwargs
        ) -> Union[Done[R], Declined, Ended, Unreachable, Refused]:
            bound = signature.bind(*args, **kwargs)
            bound.apply_defaults()
            decision = gate(
                tool,
                dict(bound.arguments),
                label=label,
                effect=effect,
                risk=risk,
                about=about,
                wait_s=wait_s,
                server=server,
            )
            if isinstance(decision, NotAllowed):
                return decision.outcome
            permit = _permit_for(server, decision)
            if not isinstance(permit, str):
                return permit
            try:
                value = fn(*args, **kwargs)
            except BaseException as error:
                _report(server, permit, "failed", str(error))
                raise
            _report(server, permit, "succeeded")
            return Done(value, decision.id)

        return protected

    return decorate


def protect(
    fn: Callable[P, R], **options: Any
) -> Callable[P, Union[Done[R], Declined, Ended, Unreachable, Refused]]:
    """As `require_approval`, for a function that exists already."""
    return require_approval(**options)(fn)


def _permit_for(server: Server | None, given: Allowed) -> Union[str, Refused, Unreachable]:
    """A permit that is used up, or why the action must not be begun."""
    body = {"actionHash": given.action_hash}
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
    return permit


def _report(server: Server | None, permit: str, outcome: str, detail: str | None = None) -> None:
    """For the audit trail; the action is done, whether the server hears of it or not."""
    body = {"outcome": outcome}
    if detail:
        body["detail"] = detail[:_LINE_MAX]
    try:
        until = time.monotonic() + _CALL_S
        call(server, f"/permits/{permit}/outcome", body=body, try_until=until)
    except (Unreached, BeckonError):
        pass


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
