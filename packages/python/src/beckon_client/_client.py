"""Asking a person, and waiting for the decision."""

from __future__ import annotations

import time
import uuid
from dataclasses import dataclass, field
from typing import Any, Literal, Mapping, Sequence, TypedDict, Union
from urllib.parse import quote

from ._server import BeckonError, Server, Unreached, call
from ._canonical import digest_of
from ._outcome import Answered, Declined, Ended, Outcome, Unreachable, outcome_of

_HOLD_S = 55.0
"""The longest that the server holds one call."""
_LIFE_S = 600.0
"""How long a question is open, unless the server says otherwise."""
_GRACE_S = 30.0
"""After its end the server still says what became of a question."""

# The server's names of what goes with a question.
_WIRE = {
    "action_body": "actionBody",
    "agent_name": "agentName",
    "machine_id": "machineId",
    "session_id": "sessionId",
    "repo_key": "repoKey",
    "tool_name": "toolName",
    "tool_target": "toolTarget",
    "external_ids": "externalIds",
    "subscriber_ids": "subscriberIds",
    "callback_url": "callbackUrl",
    "off_limits_paths": "offLimitsPaths",
    "allowed_paths": "allowedPaths",
    "icon_url": "iconUrl",
    "image_url": "imageUrl",
}


class About(TypedDict, total=False):
    """What goes with a question; see `ask_user` in docs/mcp.md for each."""

    context: str
    action: str
    action_body: str
    blocker: str
    intent: str
    agent_name: str
    machine_id: str
    session_id: str
    repo_key: str
    tool_name: str
    tool_target: str
    tags: Sequence[str]
    external_ids: Sequence[str]
    subscriber_ids: Sequence[str]
    callback_url: str
    placeholder: str


class Asking:
    """Asks a person. Raises `BeckonError` for a wrong field or token."""

    def confirm(
        self,
        question: str,
        about: About | None = None,
        *,
        subject: str | None = None,
        request_id: str | None = None,
        wait_s: float = _LIFE_S,
        server: Server | None = None,
    ) -> Outcome[Literal[True]]:
        """
        A question that is answered yes or no. Asked again with the same `subject`, also by another
        process, in the same words, it is the same question; else each call asks anew.
        """
        return _put({"question": question, "type": "confirm"}, about, subject, request_id, wait_s, server)

    def choose(
        self,
        question: str,
        choices: Sequence[str],
        about: About | None = None,
        *,
        subject: str | None = None,
        wait_s: float = _LIFE_S,
        server: Server | None = None,
    ) -> Outcome[str]:
        """A choice of 2 to 6; the value is the chosen one."""
        asked = {"question": question, "type": "select", "options": list(choices)}
        return _put(asked, about, subject, None, wait_s, server)

    def text(
        self,
        question: str,
        about: About | None = None,
        *,
        subject: str | None = None,
        wait_s: float = _LIFE_S,
        server: Server | None = None,
    ) -> Outcome[str]:
        """A question that is answered in words."""
        return _put({"question": question, "type": "input"}, about, subject, None, wait_s, server)


ask = Asking()


def _put(
    asked: Mapping[str, Any],
    about: Mapping[str, Any] | None,
    subject: str | None,
    request_id: str | None,
    wait_s: float,
    server: Server | None,
) -> Outcome[Any]:
    words = {**asked, **on_wire(about or {})}
    name = request_id or (
        str(uuid.uuid4())
        if subject is None
        else f"subject:{digest_of({'subject': subject, 'words': words})}"
    )
    until = time.monotonic() + wait_s
    body = {**words, "requestId": name, "timeoutMs": _hold_ms(wait_s)}
    try:
        reply = call(server, "/questions", body=body, hold_s=_HOLD_S, try_until=until)
    except Unreached as error:
        return Unreachable(str(error))
    outcome = outcome_of(reply)
    id = str(reply.get("correlationId"))
    if isinstance(outcome, Ended) and outcome.status in ("no_devices", "paused"):
        # Nobody was told: a late answer would reach nobody either.
        if reply.get("handoffAction") != "stop":
            _try_cancel(id, server)
        return outcome
    return outcome or _follow(id, reply, until, server)


def on_wire(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {_WIRE.get(name, name): value for name, value in fields.items() if value is not None}


def _hold_ms(wait_s: float) -> int:
    return int(max(1.0, min(_HOLD_S, wait_s)) * 1000)


def wait(
    id: str, *, wait_s: float = float("inf"), server: Server | None = None
) -> Outcome[Any]:
    """
    Waits for a question that was asked before, also by another process, until it ends. The value is
    True for a yes, else the choice or the text.
    """
    return _follow(id, {}, time.monotonic() + wait_s, server)


def _follow(
    id: str, first: Mapping[str, Any], until: float, server: Server | None
) -> Answered[Any] | Declined | Ended | Unreachable:
    ends = _end_of(first)
    while True:
        left = until - time.monotonic()
        if left <= 0:
            return Ended("waiting", id)
        path = f"/questions/{quote(id, safe='')}?timeoutMs={_hold_ms(left)}"
        try:
            reply = call(server, path, hold_s=_HOLD_S, try_until=min(until, ends + _GRACE_S))
        except Unreached as error:
            return Unreachable(str(error), id)
        outcome = outcome_of({"correlationId": id, **reply})
        if outcome:
            return outcome
        ends = _end_of(reply)


def _end_of(result: Mapping[str, Any]) -> float:
    known = result.get("expiresInSeconds")
    return time.monotonic() + (known if isinstance(known, (int, float)) else _LIFE_S)


def cancel(id: str, *, reason: str | None = None, server: Server | None = None) -> bool:
    """Withdraws a question; False if something else ended it first."""
    body = {} if reason is None else {"reason": reason}
    until = time.monotonic() + _GRACE_S
    try:
        reply = call(server, f"/questions/{quote(id, safe='')}/cancel", body=body, try_until=until)
    except Unreached:
        return False
    return reply.get("cancelled") is True


def _try_cancel(id: str, server: Server | None) -> None:
    try:
        cancel(id, server=server)
    except BeckonError:
        pass


@dataclass(frozen=True)
class Sent:
    """How many devices a notification reached; nobody at all is no fault."""

    sent: int
    warning: str | None = None
    status: Literal["sent"] = field(default="sent", init=False)


def notify(
    title: str, body: str, *, server: Server | None = None, **notice: Any
) -> Union[Sent, Unreachable]:
    """Tells people something, without waiting for anything."""
    fields = {"title": title, "body": body, **on_wire(notice)}
    try:
        reply = call(server, "/notifications", body=fields, try_until=time.monotonic() + _GRACE_S)
    except Unreached as error:
        return Unreachable(str(error))
    return Sent(int(reply.get("sent", 0)), reply.get("warning"))


def propose_scope(
    done_when: str,
    *,
    session_id: str,
    allowed_paths: Sequence[str] = (),
    off_limits_paths: Sequence[str] = (),
    promises: Sequence[str] = (),
    agent_name: str | None = None,
    machine_id: str | None = None,
    wait_s: float = _LIFE_S,
    server: Server | None = None,
) -> Outcome[dict[str, Any]]:
    """Proposes a boundary for a session; the value is the contract as it was agreed."""
    until = time.monotonic() + wait_s
    lists = {
        "allowed_paths": list(allowed_paths) or None,
        "off_limits_paths": list(off_limits_paths) or None,
        "promises": list(promises) or None,
    }
    named = {"session_id": session_id, "agent_name": agent_name, "machine_id": machine_id}
    body = {"doneWhen": done_when, **on_wire({**lists, **named}), "timeoutMs": _hold_ms(wait_s)}
    try:
        reply = call(server, "/scopes", body=body, hold_s=_HOLD_S, try_until=until)
        id = str(reply.get("correlationId"))
        if reply.get("answered") is True:
            if reply.get("ratified") is not True:
                return Declined(id, done_when)
            return Answered(dict(reply["contract"]), id, done_when)
        later = outcome_of({"type": "confirm", **reply}) or _follow(id, reply, until, server)
        if not isinstance(later, Answered):
            return later
        # The paths may have been edited with the yes.
        held = call(
            server, f"/scopes/{quote(session_id, safe='')}", try_until=time.monotonic() + _GRACE_S
        )
    except Unreached as error:
        return Unreachable(str(error))
    return Answered(dict(held.get("contract", held)), id, done_when, later.note, later.source)
