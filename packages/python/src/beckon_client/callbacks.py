"""Handlers of callbacks, for ASGI (FastAPI, Starlette, Django) and WSGI (Flask, Django)."""

from __future__ import annotations

import inspect
from typing import Any, Awaitable, Callable, Iterable, MutableMapping, Union

from ._callback import Forged, verify_callback

_BODY_MAX = 1_000_000
"""Far above the longest answer."""

Event = dict[str, Any]
_Reply = tuple[int, str]
_STATUS = {
    204: "204 No Content",
    400: "400 Bad Request",
    405: "405 Method Not Allowed",
    413: "413 Content Too Large",
    500: "500 Internal Server Error",
}
_NOT_NOW: _Reply = (500, "The answer could not be taken now.")
_TOO_LONG: _Reply = (413, "No callback is this long.")
_NOT_POSTED: _Reply = (405, "Callbacks are posted.")


def asgi_app(
    secret: str, on_answer: Callable[[Event], Union[None, Awaitable[None]]]
) -> Callable[..., Awaitable[None]]:
    """
    An ASGI app to mount at the address of `callback_url`. `on_answer`, a function or coroutine
    function, gets each genuine answer, perhaps again: its `id` stays the same. What it raises is
    answered with 500, and the server posts the answer again later.
    """

    async def app(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        raw = await _body(receive)
        headers = {name.decode("latin-1"): text.decode("latin-1") for name, text in scope["headers"]}
        event = _event(scope["method"], raw, headers, secret)
        status, text = await _answer_async(event, on_answer)
        fields = [(b"content-type", b"text/plain; charset=utf-8"), *_ALLOW.get(status, ())]
        await send({"type": "http.response.start", "status": status, "headers": fields})
        await send({"type": "http.response.body", "body": text.encode()})

    return app


_ALLOW = {405: [(b"allow", b"POST")]}


async def _body(receive: Any) -> bytes | None:
    """None for one that is too long."""
    raw = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return raw
        raw += message.get("body", b"")
        if len(raw) > _BODY_MAX:
            return None
        if not message.get("more_body"):
            return raw


def wsgi_app(
    secret: str, on_answer: Callable[[Event], None]
) -> Callable[[MutableMapping[str, Any], Callable[..., Any]], Iterable[bytes]]:
    """As `asgi_app`, for WSGI."""

    def app(environ: MutableMapping[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        length = environ.get("CONTENT_LENGTH") or "0"
        size = int(length) if length.isascii() and length.isdigit() else 0
        raw = None if size > _BODY_MAX else environ["wsgi.input"].read(size)
        headers = {
            name[5:].replace("_", "-"): str(text)
            for name, text in environ.items()
            if name.startswith("HTTP_")
        }
        event = _event(environ["REQUEST_METHOD"], raw, headers, secret)
        status, text = _answer(event, on_answer)
        fields = [("Content-Type", "text/plain; charset=utf-8")]
        start(_STATUS[status], [*fields, ("Allow", "POST")] if status == 405 else fields)
        return [text.encode()]

    return app


def _event(
    method: str, raw: bytes | None, headers: dict[str, str], secret: str
) -> Union[Event, _Reply]:
    """A genuine answer, or the reply to anything else."""
    if method != "POST":
        return _NOT_POSTED
    if raw is None:
        return _TOO_LONG
    verified = verify_callback(raw, headers, secret)
    return (400, verified.reason) if isinstance(verified, Forged) else verified.event


def _answer(event: Union[Event, _Reply], on_answer: Callable[[Event], Any]) -> _Reply:
    if isinstance(event, tuple):
        return event
    try:
        on_answer(event)
    except Exception:  # Whatever it is, it comes again.
        return _NOT_NOW
    return 204, ""


async def _answer_async(event: Union[Event, _Reply], on_answer: Callable[[Event], Any]) -> _Reply:
    if isinstance(event, tuple):
        return event
    try:
        done = on_answer(event)
        if inspect.isawaitable(done):
            await done
    except Exception:  # Whatever it is, it comes again.
        return _NOT_NOW
    return 204, ""
