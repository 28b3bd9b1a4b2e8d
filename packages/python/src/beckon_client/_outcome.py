"""What becomes of a question. Only `answered` is an agreement, however long anything took."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Generic, Literal, Mapping, TypeVar, Union

from ._form import read_form

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
    """
    A person (or their rule) answered. The value of a confirm is True: it is a yes; of a proposed
    scope it is the contract as it was agreed. `delivery` is how many browsers and phones it reached.
    """

    value: T_co
    id: str
    question: str
    note: str | None = None
    source: str | None = None
    delivery: dict[str, Any] | None = None
    status: Literal["answered"] = field(default="answered", init=False)


@dataclass(frozen=True)
class Declined:
    """The person said no."""

    id: str
    question: str
    note: str | None = None
    source: str | None = None
    delivery: dict[str, Any] | None = None
    status: Literal["declined"] = field(default="declined", init=False)


@dataclass(frozen=True)
class Ended:
    """
    Neither a yes nor a no: `expired` (nobody answered), `cancelled` (withdrawn), `stopped` (the
    person wants the agent to stop), `paused` (not asked), `no_devices` (nothing could receive it),
    `held` (test traffic), `notified` and `terminal` (answered where the agent runs), `waiting` (the
    question is open; `resume(handle)` or `wait(id)` goes on), `missing`, `unavailable`.
    """

    status: End
    id: str
    hint: str | None = None
    answer_url: str | None = None
    """Where a person who is signed in can answer."""
    delivery: dict[str, Any] | None = None
    handle: dict[str, Any] | None = None
    """Of `waiting`: for `resume`, also in another process."""


@dataclass(frozen=True)
class Unreachable:
    """The server was not reached."""

    reason: str
    id: str | None = None
    status: Literal["unreachable"] = field(default="unreachable", init=False)


Outcome = Union[Answered[T], Declined, Ended, Unreachable]


def outcome_of(result: Mapping[str, Any]) -> Answered[Any] | Declined | Ended | None:
    """The outcome that a result of the server tells; None while the question is open."""
    status = result.get("status")
    if status == "answered":
        return _answer_of(result) or ended("unavailable", result)
    if result.get("paused") is True:
        return ended("paused", result)
    if result.get("held") is not None:
        return ended("held", result)
    if result.get("noDevices") is True:
        return ended("no_devices", result)
    if status == "pending":
        return None
    # A status of a newer server must not be waited for, and is no agreement.
    return ended(_ENDS.get(str(status), "unavailable"), result)


def ended(status: End, result: Mapping[str, Any]) -> Ended:
    """An end with what a result says of the question."""
    id = str(result.get("correlationId"))
    url, delivery = _text(result, "answerUrl"), _delivery(result)
    handle = handle_of(id, result) if status == "waiting" else None
    return Ended(status, id, _text(result, "hint"), url, delivery, handle)


def handle_of(id: str, result: Mapping[str, Any]) -> dict[str, Any]:
    texts = {name: _text(result, name) for name in ("question", "type")}
    given = {**texts, "schema": result.get("schema")}
    return {"id": id, **{name: one for name, one in given.items() if one is not None}}


def _answer_of(result: Mapping[str, Any]) -> Answered[Any] | Declined | None:
    """None if the result has no answer that is understood."""
    value, ratified = result.get("value"), result.get("ratified")
    said = (
        str(result.get("correlationId")),
        str(result.get("question", "")),
        _text(result, "note"),
        _text(result, "answerSource"),
        _delivery(result),
    )
    if isinstance(ratified, bool):
        if not ratified:
            return Declined(*said)
        contract = result.get("contract")
        return Answered(contract, *said) if isinstance(contract, dict) else None
    if not isinstance(value, str):
        return None
    schema = result.get("schema")
    is_plain = result.get("type") == "confirm" and value in ("yes", "no")
    if schema is not None and not is_plain:
        form = read_form(schema, value)
        return None if form is None else Answered(form, *said)
    if result.get("type") != "confirm":
        return Answered(value, *said)
    # A yes to changed arguments, which only who knows them can read.
    if value.startswith("{"):
        return None
    # Whatever is no yes is none.
    return Answered(True, *said) if value == "yes" else Declined(*said)


def _delivery(result: Mapping[str, Any]) -> dict[str, Any] | None:
    value = result.get("delivery")
    return value if isinstance(value, dict) else None


def _text(result: Mapping[str, Any], name: str) -> str | None:
    value = result.get(name)
    return value if isinstance(value, str) else None
