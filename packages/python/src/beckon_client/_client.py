"""Asking a person, and waiting for the decision."""

from __future__ import annotations

import json
import time
import uuid
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Mapping, Sequence, TypedDict, TypeVar, Union
from urllib.parse import quote, urlencode

from ._canonical import digest_of
from ._form import read_form, schema_of
from ._line import caller
from ._outcome import Answered, Declined, Ended, Outcome, Unreachable, ended, outcome_of
from ._progress import OnProgress, Watch
from ._server import BeckonError, Server, Unreached, call, env_of, sleep

T = TypeVar("T")

_HOLD_S = 20.0
"""The longest that the server holds one call: a server that is gone is noticed soon after."""
_LIFE_S = 600.0
"""How long a question is open, unless the server says otherwise."""
_GRACE_S = 30.0
"""After its end the server still says what became of a question."""
_NEAR_S = 5.0
"""Who waits so nearly to the end of a question waits for its end."""
_QUICK_S = 1.0
_PROGRESS_S = 2.0
"""How long the first call is held that somebody follows; later ones are held longer."""
_WITHDRAW_S = 10.0
_PAUSE_S = 0.05
_PAUSE_MAX_S = 5.0
_NO_END = float("inf")

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
        life_s: float | None = None,
        wait_s: float = _NO_END,
        on_progress: OnProgress | None = None,
        server: Server | None = None,
    ) -> Outcome[Literal[True]]:
        """
        A question that is answered yes or no. Asked again with the same `subject`, also by another
        process, in the same words, it is the same question; else each call asks anew, and a call
        that is cancelled or interrupted withdraws its question. `life_s` is how long it stays open,
        10 minutes to 7 days, as far as the policy of the workspace allows; asked again under the same
        `subject` after nobody answered, it is asked anew.
        """
        words = {"question": question, "type": "confirm"}
        return _put(words, about, _Call(subject, request_id, life_s, wait_s, server, on_progress))

    def choose(
        self,
        question: str,
        choices: Sequence[str],
        about: About | None = None,
        *,
        subject: str | None = None,
        life_s: float | None = None,
        wait_s: float = _NO_END,
        on_progress: OnProgress | None = None,
        server: Server | None = None,
    ) -> Outcome[str]:
        """A choice of 2 to 6; the value is the chosen one."""
        asked = {"question": question, "type": "select", "options": list(choices)}
        return _put(asked, about, _Call(subject, None, life_s, wait_s, server, on_progress))

    def text(
        self,
        question: str,
        about: About | None = None,
        *,
        subject: str | None = None,
        life_s: float | None = None,
        wait_s: float = _NO_END,
        on_progress: OnProgress | None = None,
        server: Server | None = None,
    ) -> Outcome[str]:
        """A question that is answered in words."""
        words = {"question": question, "type": "input"}
        return _put(words, about, _Call(subject, None, life_s, wait_s, server, on_progress))


    def form(
        self,
        question: str,
        form: type[T] | Mapping[str, Any],
        about: About | None = None,
        *,
        subject: str | None = None,
        life_s: float | None = None,
        wait_s: float = _NO_END,
        on_progress: OnProgress | None = None,
        server: Server | None = None,
    ) -> Outcome[T]:
        """
        A form of at most ten fields, from a data class, a TypedDict or a JSON Schema; the value is an
        instance or a dict, checked on both sides.
        """
        words = {"question": question, "type": "input", "schema": schema_of(form)}
        outcome = _put(words, about, _Call(subject, None, life_s, wait_s, server, on_progress))
        return typed(outcome, form)


def typed(outcome: Outcome[Any], form: Any) -> Outcome[Any]:
    """The outcome with a value of the class of its form."""
    if isinstance(outcome, Answered) and isinstance(form, type):
        return replace(outcome, value=read_form(form, json.dumps(outcome.value)))
    return outcome


ask = Asking()


@dataclass(frozen=True)
class _Call:
    """How something is asked, beside its words."""

    subject: str | None
    request_id: str | None
    life_s: float | None
    wait_s: float
    server: Server | None
    on_progress: OnProgress | None


def _put(asked: Mapping[str, Any], about: Mapping[str, Any] | None, how: _Call) -> Outcome[Any]:
    words = {**asked, **on_wire(about or {})}
    name = how.request_id or (
        str(uuid.uuid4())
        if how.subject is None
        else f"subject:{digest_of({'subject': how.subject, 'words': words})}"
    )
    body = {**words, **env_of(how.server), **life_of(how.life_s), "requestId": name}
    own = how.subject is None and how.request_id is None
    return put(Asked("/questions", str(asked["question"]), body, own), how.wait_s, how.server, how.on_progress)


def life_of(life_s: float | None) -> dict[str, int]:
    """The field of a question that shall live for hours."""
    return {} if life_s is None else {"lifeMs": round(life_s * 1000)}


@dataclass(frozen=True)
class Asked:
    """A question or a proposal, as it is sent."""

    path: Literal["/questions", "/scopes"]
    question: str
    """What a person reads, unless the server says it in other words."""
    body: Mapping[str, Any]
    own: bool
    """Whether only this call knows it, and withdraws it when its caller gives up."""
    key: str | None = None
    """The name of a call whose body has none."""
    schema: Mapping[str, Any] | None = None
    """Of an answer that is JSON, where the body does not say."""


def put(
    asked: Asked, wait_s: float, server: Server | None, on_progress: OnProgress | None = None
) -> Outcome[Any]:
    """Asks, waits, and withdraws what nobody waits for."""
    id: str | None = None
    # Who follows it wants its id at once.
    hold_ms = int(_QUICK_S * 1000) if on_progress else _hold_ms(wait_s)
    until = time.monotonic() + wait_s
    try:
        reply = call(
            server,
            asked.path,
            body={**asked.body, "timeoutMs": hold_ms},
            key=asked.key,
            hold_s=hold_ms / 1000,
            try_until=min(until, time.monotonic() + _LIFE_S),
        )
        id = str(reply.get("correlationId"))
        first = {"type": "confirm", "question": asked.question, "schema": asked.schema}
        first = {**first, **asked.body, **reply}
        outcome = outcome_of(first)
        if isinstance(outcome, Ended) and outcome.status in ("no_devices", "paused"):
            # Nobody was told: a late answer would reach nobody either.
            handoff = reply.get("handoffAction")
            if handoff != "stop" and (handoff or reply.get("nextAction")):
                _withdraw(asked, id, server)
            return outcome
        return outcome or _follow(id, first, until, server, on_progress)
    except Unreached as error:
        return Unreachable(str(error))
    except Exception:
        raise
    except BaseException:
        # The caller gave up, or somebody interrupts the program.
        if asked.own:
            _withdraw(asked, id, server)
        raise


def _withdraw(asked: Asked, id: str | None, server: Server | None) -> None:
    """Withdraws a question, by its name if its id was not learned."""
    # Whoever gave up does not wait for this.
    given = caller.set(None)
    until = time.monotonic() + _WITHDRAW_S
    try:
        if id is None:
            body = {**asked.body, "timeoutMs": int(_QUICK_S * 1000)}
            reply = call(server, asked.path, body=body, key=asked.key, hold_s=_QUICK_S, try_until=until)
            id = str(reply.get("correlationId"))
        _cancel(id, "Nobody waits for it.", server, until)
    except (BeckonError, Unreached):
        pass  # It expires by itself.
    finally:
        caller.reset(given)


def on_wire(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {_WIRE.get(name, name): value for name, value in fields.items() if value is not None}


def _hold_ms(wait_s: float) -> int:
    return int(max(1.0, min(_HOLD_S, wait_s)) * 1000)


def wait(
    id: str,
    *,
    wait_s: float = _NO_END,
    on_progress: OnProgress | None = None,
    server: Server | None = None,
) -> Outcome[Any]:
    """
    Waits for a question that was asked before, also by another process, until it ends. The value is
    True for a yes, the choice, the text, or of a proposed scope the contract as it was agreed.
    """
    return resume({"id": id}, wait_s=wait_s, on_progress=on_progress, server=server)


def resume(
    handle: Mapping[str, Any],
    *,
    form: Any = None,
    wait_s: float = _NO_END,
    on_progress: OnProgress | None = None,
    server: Server | None = None,
) -> Outcome[Any]:
    """
    As `wait`, with the `handle` of an outcome that is `waiting`: plain JSON for a file, a queue or a
    state. It names neither server nor token; several programs may have it, and get the same outcome.
    `form` is the class of a form whose instance the value shall be.
    """
    outcome = _follow(handle["id"], handle, time.monotonic() + wait_s, server, on_progress)
    return outcome if form is None else typed(outcome, form)


def _follow(
    id: str,
    first: Mapping[str, Any],
    until: float,
    server: Server | None,
    on_progress: OnProgress | None = None,
) -> Answered[Any] | Declined | Ended | Unreachable:
    ends = _end_of(first)
    pause = _PAUSE_S
    watch = on_progress and Watch(id, first, on_progress, server)
    hold_max_s = _PROGRESS_S if watch else _HOLD_S
    known = {"correlationId": id, "delivery": first.get("delivery")}
    if first.get("schema") is not None:
        known["schema"] = first["schema"]
    while True:
        last = ends + _GRACE_S if ends <= until + _NEAR_S else until
        left = last - time.monotonic()
        if left <= 0:
            return ended("waiting", {**first, **known})
        if watch:
            watch.look()
        hold_ms = _hold_ms(min(left, hold_max_s))
        hold_max_s *= 2
        path = f"/questions/{quote(id, safe='')}?timeoutMs={hold_ms}"
        began = time.monotonic()
        away_s = _LIFE_S if ends - began > _LIFE_S else None
        try:
            reply = call(server, path, hold_s=hold_ms / 1000, try_until=last, away_s=away_s)
        except Unreached as error:
            return Unreachable(str(error), id)
        outcome = outcome_of({**known, **reply})
        if outcome:
            return outcome
        ends = _end_of(reply)
        # A server that does not hold the call is not asked in a circle.
        quick = time.monotonic() - began < _QUICK_S
        pause = min(pause * 2, _PAUSE_MAX_S) if quick else _PAUSE_S
        if quick:
            sleep(min(pause, left))


def _end_of(result: Mapping[str, Any]) -> float:
    known = result.get("expiresInSeconds")
    return time.monotonic() + (known if isinstance(known, (int, float)) else _LIFE_S)


def cancel(id: str, *, reason: str | None = None, server: Server | None = None) -> bool:
    """Withdraws a question; False if something else ended it first."""
    try:
        return _cancel(id, reason, server, time.monotonic() + _GRACE_S)
    except Unreached:
        return False


def _cancel(id: str, reason: str | None, server: Server | None, until: float) -> bool:
    body = {} if reason is None else {"reason": reason}
    reply = call(server, f"/questions/{quote(id, safe='')}/cancel", body=body, try_until=until)
    return reply.get("cancelled") is True


@dataclass(frozen=True)
class Listed:
    """A page of questions, each as on the wire: `correlationId`, `question`, `status`, `value` and more."""

    questions: list[dict[str, Any]]
    next: str | None = None
    """For `cursor`, if there are more."""
    status: Literal["listed"] = field(default="listed", init=False)


def list_questions(
    *,
    state: Literal["open", "ended"] = "open",
    session_id: str | None = None,
    cursor: str | None = None,
    limit: int | None = None,
    server: Server | None = None,
) -> Union[Listed, Unreachable]:
    """The questions that this token asked, the newest first, page by page."""
    given = {"state": state, "sessionId": session_id, "cursor": cursor, "limit": limit}
    query = urlencode({name: one for name, one in given.items() if one is not None})
    try:
        reply = call(server, f"/questions?{query}", try_until=time.monotonic() + _GRACE_S)
    except Unreached as error:
        return Unreachable(str(error))
    return Listed(reply["questions"], reply.get("next"))


@dataclass(frozen=True)
class Sent:
    """How many devices a notification reached; nobody at all is no fault."""

    sent: int
    warning: str | None = None
    hint: str | None = None
    delivery: dict[str, Any] | None = None
    id: str | None = None
    """Of the question that `context` asks, for `wait`."""
    status: Literal["sent"] = field(default="sent", init=False)


def notify(
    title: str, body: str, *, server: Server | None = None, **notice: Any
) -> Union[Sent, Unreachable]:
    """Tells people something, without waiting for anything."""
    fields = {"title": title, "body": body, **on_wire(notice), **env_of(server)}
    key, until = str(uuid.uuid4()), time.monotonic() + _GRACE_S
    try:
        reply = call(server, "/notifications", body=fields, key=key, try_until=until)
    except Unreached as error:
        return Unreachable(str(error))
    return Sent(
        int(reply.get("sent", 0)),
        reply.get("warning"),
        reply.get("hint"),
        reply.get("delivery"),
        reply.get("linkedCorrelationId"),
    )


def propose_scope(
    done_when: str,
    *,
    session_id: str,
    allowed_paths: Sequence[str] = (),
    off_limits_paths: Sequence[str] = (),
    promises: Sequence[str] = (),
    agent_name: str | None = None,
    machine_id: str | None = None,
    wait_s: float = _NO_END,
    on_progress: OnProgress | None = None,
    server: Server | None = None,
) -> Outcome[dict[str, Any]]:
    """Proposes a boundary for a session; the value is the contract as it was agreed."""
    lists = {
        "allowed_paths": list(allowed_paths) or None,
        "off_limits_paths": list(off_limits_paths) or None,
        "promises": list(promises) or None,
    }
    named = {"session_id": session_id, "agent_name": agent_name, "machine_id": machine_id}
    body = {"doneWhen": done_when, **on_wire({**lists, **named})}
    return put(Asked("/scopes", done_when, body, True, str(uuid.uuid4())), wait_s, server, on_progress)
