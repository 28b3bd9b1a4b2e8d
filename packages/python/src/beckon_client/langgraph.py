"""Answers for what the nodes of a LangGraph graph wait for with `interrupt()`."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from typing import Any, Callable, Mapping, Sequence

from ._client import ask
from ._outcome import Declined
from ._protect import Allowed, Refused, gate, permit_for
from ._server import Server
from .reporting import remember_started_call


def answer_interrupts(
    interrupts: Sequence[Any],
    *,
    subject: str = "langgraph",
    tools: Mapping[str, Mapping[str, Any]] | None = None,
    server: Server | None = None,
    **options: Any,
) -> dict[str, Any]:
    """
    Asks what a graph waits for (`result["__interrupt__"]`), and returns what to resume it with:
    `Command(resume=…)`. Another process that has the checkpoints goes on with the same questions.

    A node hands one of these to `interrupt()`: `{"tool": …, "arguments": …}`, and gets
    `{"approved": True}`, or False with the `reason`; a text, which is a question in words; or
    `{"question": …}`, with `choices`, a `schema`, `about`: yes or no without these. It gets the outcome
    of a question, as a dict. `tools` has `label`, `effect` and `risk` by the names of tools; `options`
    are those of `gate`. Raises TypeError for anything else.
    """
    if "edit" in options:
        raise TypeError("A node makes the call that it asked about; `edit` is of `gate` and `require_approval`.")

    # Nobody is asked if one of them cannot be answered.
    requests = [(one.id, _request(one.value)) for one in interrupts]

    def answer(request: tuple[str, dict[str, Any]]) -> Callable[[], Any]:
        id, value = request
        how = {**options, "server": server, "subject": f"{subject}:{id}"}
        if "tool" in value:
            words = (tools or {}).get(value["tool"], {})
            decision = gate(value["tool"], value["arguments"], **how, **words)
            return lambda: _verdict(decision, server)
        outcome = _outcome(value, how)
        return lambda: asdict(outcome)

    if not requests:
        return {}
    with ThreadPoolExecutor(len(requests)) as threads:
        # No permit is used up before all is decided.
        answers = list(threads.map(answer, requests))
    return {id: finish() for (id, _), finish in zip(requests, answers)}


def _request(value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        return {"question": value, "type": "text"}
    if isinstance(value, dict):
        is_call = isinstance(value.get("tool"), str) and "arguments" in value
        if is_call or ("tool" not in value and isinstance(value.get("question"), str)):
            return value
    must = 'a text, {"question": …} or {"tool": …, "arguments": …}'
    raise TypeError(f"The value of an interrupt must be {must}.")


def _outcome(value: Mapping[str, Any], how: dict[str, Any]) -> Any:
    question, about = value["question"], value.get("about")
    if value.get("type") == "text":
        return ask.text(question, about, **how)
    if "schema" in value:
        return ask.form(question, value["schema"], about, **how)
    if "choices" in value:
        return ask.choose(question, value["choices"], about, **how)
    return ask.confirm(question, about, **how)


def _verdict(decision: Any, server: Server | None) -> dict[str, Any]:
    if isinstance(decision, Allowed):
        # One yes is one call, also of a state that is restored twice.
        permit = permit_for(server, decision)
        if not isinstance(permit, str):
            return _nobody(permit)
        remember_started_call(decision.action_hash, server, permit)
        return {"approved": True}
    outcome = decision.outcome
    if not isinstance(outcome, Declined):
        return _nobody(outcome)
    note = "" if outcome.note is None else f" They say: {outcome.note}"
    return {"approved": False, "reason": f"A person declined this call.{note}"}


def _nobody(outcome: Any) -> dict[str, Any]:
    why = outcome.reason if isinstance(outcome, Refused) else getattr(outcome, "hint", None)
    more = f" {why}" if why else ""
    text = f"Nobody approved this call ({outcome.status}), neither yes nor no: do not do it.{more}"
    return {"approved": False, "reason": text}
