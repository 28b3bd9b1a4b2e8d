"""What becomes of a question. Only `answered` is an agreement, however long anything took."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Mapping, TypeVar, Union

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)

End = Literal[
    "expired",
    "cancelled",
    "stopped",
    "missing",
    "unavailable",
    "notified",
    "terminal",
    "paused",
    "no_devices",
    "held",
    "waiting",
]
_ENDS: dict[str, End] = {
    "expired": "expired",
    "cancelled": "cancelled",
    "stopped": "stopped",
    "missing": "missing",
    "unavailable": "unavailable",
    "notified": "notified",
    "terminal": "terminal",
}


@dataclass(frozen=True)
class Answered(Generic[T_co]):
    """A person (or their rule) answered. The value of a confirm is True: it is a yes."""

    value: T_co
    id: str
    question: str
    note: str | None = None
    source: str | None = None
    status: Literal["answered"] = field(default="answered", init=False)


@dataclass(frozen=True)
class Declined:
    """The person said no."""

    id: str
    question: str
    note: str | None = None
    source: str | None = None
    status: Literal["declined"] = field(default="declined", init=False)


@dataclass(frozen=True)
class Ended:
    """
    Neither a yes nor a no: `expired` (nobody answered), `cancelled` (withdrawn), `stopped` (the
    person wants the agent to stop), `paused` (not asked), `no_devices` (nothing could receive it),
    `held` (test traffic), `notified` and `terminal` (answered where the agent runs), `waiting` (the
    question is open; `wait(id)` goes on), `missing`, `unavailable`.
    """

    status: End
    id: str
    hint: str | None = None


@dataclass(frozen=True)
class Unreachable:
    """The server was not reached."""

    reason: str
    id: str | None = None
    status: Literal["unreachable"] = field(default="unreachable", init=False)


Outcome = Union[Answered[T], Declined, Ended, Unreachable]


def outcome_of(result: Mapping[str, Any]) -> Answered[Any] | Declined | Ended | None:
    """The outcome that a result of the server tells; None while the question is open."""
    id = str(result.get("correlationId"))
    status = result.get("status")
    hint = _text(result, "hint")
    if status == "answered":
        value = result.get("value")
        if not isinstance(value, str):
            return Ended("unavailable", id, hint)
        question = str(result.get("question", ""))
        note, source = _text(result, "note"), _text(result, "answerSource")
        if result.get("type") != "confirm":
            return Answered(value, id, question, note, source)
        # Whatever is no yes is none.
        if value == "yes":
            return Answered(True, id, question, note, source)
        return Declined(id, question, note, source)
    if result.get("paused") is True:
        return Ended("paused", id, hint)
    if result.get("held") is not None:
        return Ended("held", id, hint)
    if result.get("noDevices") is True:
        return Ended("no_devices", id, hint)
    if status == "pending":
        return None
    # A status of a newer server must not be waited for, and is no agreement.
    return Ended(_ENDS.get(str(status), "unavailable"), id, hint)


def _text(result: Mapping[str, Any], name: str) -> str | None:
    value = result.get(name)
    return value if isinstance(value, str) else None
