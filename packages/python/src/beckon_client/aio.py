"""The same calls for asyncio: each waits in a thread of its own, so that the loop goes on."""

from __future__ import annotations

import asyncio
import functools
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Awaitable, Callable, ParamSpec, TypeVar

from . import _client as client
from . import _protect as protection

P = ParamSpec("P")
R = TypeVar("R")

# Held calls do nothing; the standard pool of a few threads would be taken by as many questions.
_threads = ThreadPoolExecutor(max_workers=512, thread_name_prefix="beckon")


def _awaitable(fn: Callable[P, R]) -> Callable[P, Awaitable[R]]:
    @functools.wraps(fn)
    async def run(*args: P.args, **kwargs: P.kwargs) -> R:
        work = functools.partial(fn, *args, **kwargs)
        return await asyncio.get_running_loop().run_in_executor(_threads, work)

    return run


class Asking:
    """Asks a person; as `beckon_client.ask`."""

    confirm = staticmethod(_awaitable(client.ask.confirm))
    choose = staticmethod(_awaitable(client.ask.choose))
    text = staticmethod(_awaitable(client.ask.text))


ask = Asking()
wait = _awaitable(client.wait)
cancel = _awaitable(client.cancel)
notify = _awaitable(client.notify)
propose_scope = _awaitable(client.propose_scope)
gate = _awaitable(protection.gate)


def require_approval(**options: Any) -> Callable[[Callable[P, Awaitable[R]]], Callable[P, Awaitable[Any]]]:
    """As `beckon_client.require_approval`, for coroutine functions: they run on the loop."""

    def decorate(fn: Callable[P, Awaitable[R]]) -> Callable[P, Awaitable[Any]]:
        @functools.wraps(fn)
        async def protected(*args: P.args, **kwargs: P.kwargs) -> Any:
            loop = asyncio.get_running_loop()

            @functools.wraps(fn)
            def on_loop(*a: P.args, **k: P.kwargs) -> R:
                async def made() -> R:
                    return await fn(*a, **k)

                return asyncio.run_coroutine_threadsafe(made(), loop).result()

            guarded = protection.require_approval(**options)(on_loop)
            return await _awaitable(guarded)(*args, **kwargs)

        return protected

    return decorate
