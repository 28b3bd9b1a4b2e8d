"""Reports how calls ended that a framework makes after a person's yes."""

from __future__ import annotations

import functools
import inspect
import threading
from typing import Any, Callable, ParamSpec, TypeVar, cast

from ._canonical import digest_of
from ._protect import report
from ._server import Server
from ._values import copy_of, plain

P = ParamSpec("P")
R = TypeVar("R")

_started: dict[str, list[tuple[Server | None, str]]] = {}
"""Permits of calls that were approved here and whose outcome nobody has reported, by their digest."""
_STARTED_MAX = 1_000
"""Where none is reported, old ones are forgotten."""
_lock = threading.Lock()


def remember_started_call(action_hash: str, server: Server | None, permit: str) -> None:
    """Remembers a permit that was used up here, until its call has ended."""
    with _lock:
        _started.setdefault(action_hash, []).append((server, permit))
        if len(_started) > _STARTED_MAX:
            del _started[next(iter(_started))]


def reporting(tool: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """
    Reports how each approved call of a tool ended, for the audit trail; for functions and coroutine
    functions. `tool` is the name by which it was asked about. The function gets the arguments by
    their names, or as one mapping. What it returns or raises stays as it is; other arguments are
    another call, of which nothing is reported.
    """

    def decorate(fn: Callable[P, R]) -> Callable[P, R]:
        signature = inspect.signature(fn)

        def begun(args: Any, kwargs: Any) -> tuple[Server | None, str] | None:
            try:
                named = dict(signature.bind(*args, **kwargs).arguments)
            except TypeError:
                return None
            return _take(tool, [named, *named.values()] if len(named) == 1 else [named])

        if inspect.iscoroutinefunction(fn):

            @functools.wraps(fn)
            async def later(*args: Any, **kwargs: Any) -> Any:
                started = begun(args, kwargs)
                try:
                    value = await fn(*args, **kwargs)
                except BaseException as error:
                    _end(started, error)
                    raise
                _end(started)
                return value

            return cast(Callable[P, R], later)

        @functools.wraps(fn)
        def now(*args: P.args, **kwargs: P.kwargs) -> R:
            started = begun(args, kwargs)
            try:
                value = fn(*args, **kwargs)
            except BaseException as error:
                _end(started, error)
                raise
            _end(started)
            return value

        return now

    return decorate


def _take(tool: str, candidates: list[Any]) -> tuple[Server | None, str] | None:
    for arguments in candidates:
        try:
            action_hash = digest_of({"tool": tool, "arguments": plain(copy_of(arguments))})
        except (TypeError, ValueError):
            continue
        with _lock:
            permits = _started.get(action_hash)
            if permits:
                # An earlier one may be of a call that its framework never made.
                started = permits.pop()
                if not permits:
                    del _started[action_hash]
                return started
    return None


def _end(started: tuple[Server | None, str] | None, error: BaseException | None = None) -> None:
    if started is None:
        return
    server, permit = started
    if error is None:
        report(server, permit, "succeeded")
    else:
        report(server, permit, "failed", str(error) or type(error).__name__)
