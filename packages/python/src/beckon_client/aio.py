"""The same calls for asyncio: each waits in a thread of its own, so that the loop goes on."""

from __future__ import annotations

import asyncio
import contextvars
import functools
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Awaitable, Callable, ParamSpec, TypeVar

from . import _client as client
from . import _protect as protection
from ._callback import verify_callback as verify_callback
from ._form import read_form as read_form
from ._line import Caller, caller
from ._protect import Done, Guarded, NotAllowed, Refused

P = ParamSpec("P")
R = TypeVar("R")

# Held calls do nothing; the standard pool of a few threads would be taken by as many questions.
_threads = ThreadPoolExecutor(max_workers=512, thread_name_prefix="beckon")


def _awaitable(
    fn: Callable[P, R], undo: Callable[[R], None] | None = None
) -> Callable[P, Awaitable[R]]:
    """
    `fn` in a thread. Cancelled, it ends there, too: its call is cut off, and a question that it asked
    is withdrawn. `undo` gets what came too late.
    """

    @functools.wraps(fn)
    async def run(*args: P.args, **kwargs: P.kwargs) -> R:
        who = Caller()
        context = contextvars.copy_context()
        context.run(caller.set, who)
        on_progress: Any = kwargs.get("on_progress")
        if on_progress:
            # On the loop, as whatever else its caller does.
            later = functools.partial(asyncio.get_running_loop().call_soon_threadsafe, on_progress)
            kwargs["on_progress"] = later
        job: Future[R] = _threads.submit(context.run, functools.partial(fn, *args, **kwargs))
        try:
            return await asyncio.wrap_future(job)
        except asyncio.CancelledError:
            who.leave()
            if undo:
                job.add_done_callback(functools.partial(_undone, undo))
            raise

    return run


def _undone(undo: Callable[[R], None], job: Future[R]) -> None:
    if not job.cancelled() and job.exception() is None:
        undo(job.result())


class Asking:
    """Asks a person; as `beckon_client.ask`."""

    confirm = staticmethod(_awaitable(client.ask.confirm))
    choose = staticmethod(_awaitable(client.ask.choose))
    text = staticmethod(_awaitable(client.ask.text))
    form = staticmethod(_awaitable(client.ask.form))


ask = Asking()
wait = _awaitable(client.wait)
resume = _awaitable(client.resume)
cancel = _awaitable(client.cancel)
list_questions = _awaitable(client.list_questions)
notify = _awaitable(client.notify)
propose_scope = _awaitable(client.propose_scope)
gate = _awaitable(protection.gate)


def require_approval(
    *,
    name: str | None = None,
    subject: Any = None,
    server: client.Server | None = None,
    **options: Any,
) -> Callable[[Callable[P, Awaitable[R]]], Callable[P, Awaitable[Any]]]:
    """As `beckon_client.require_approval`, for coroutine functions: they run on the loop."""

    def not_run(permit: Any) -> None:
        if isinstance(permit, str):
            protection.report(server, permit, "not_run", "The caller gave up.")

    permit_for = _awaitable(protection.permit_for, not_run)

    def decorate(fn: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[Any]]:
        guarded = Guarded(fn, name)

        @functools.wraps(fn)
        async def protected(*args: P.args, **kwargs: P.kwargs) -> Any:
            guarded.signature.bind(*args, **kwargs)
            try:
                bound = guarded.bind(args, kwargs)
                shown = guarded.shown(bound)
                name_of_call = protection.subject_of(subject, bound)
            except TypeError as error:
                return Refused("not_json", str(error))
            decision = await gate(
                guarded.tool, shown, subject=name_of_call, server=server, **options
            )
            if isinstance(decision, NotAllowed):
                return decision.outcome
            permit = await permit_for(server, decision)
            if not isinstance(permit, str):
                return permit
            why = guarded.ready(bound, shown, decision)
            if why:
                protection.report(server, permit, "not_run", why.reason)
                return why
            try:
                value = await fn(*bound.args, **bound.kwargs)
            except BaseException as error:
                detail = str(error) or type(error).__name__
                protection.report(server, permit, "failed", detail)
                raise
            protection.report(server, permit, "succeeded")
            return Done(value, decision.id)

        return protected

    return decorate


def protect(fn: Callable[P, Awaitable[R]], **options: Any) -> Callable[P, Awaitable[Any]]:
    """As `require_approval`, for a coroutine function that exists already."""
    return require_approval(**options)(fn)


def human_as_tool(server: client.Server | None = None) -> dict[str, Any]:
    """As `beckon_client.human_as_tool`; `run` is a coroutine function."""
    tool = protection.human_as_tool(server)
    return {**tool, "run": _awaitable(tool["run"])}
