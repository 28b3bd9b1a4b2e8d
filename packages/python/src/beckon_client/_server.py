"""Calls to a Beckon server, again and again while it is away or busy."""

from __future__ import annotations

import json
import os
import random
import re
import threading
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from typing import Any, Mapping

from ._line import GivenUp, Line, caller, opener_on

# Beyond what the server holds a call, for the way there and back, in seconds.
_SLACK_S = 10.0
_AWAY_S = 30.0
"""A server that is away for as long as this is said to be."""
_PAUSE_S = 0.25
_PAUSE_MAX_S = 5.0


@dataclass(frozen=True)
class Server:
    """The server that is asked; what is left out comes from BECKON_URL and BECKON_TOKEN."""

    url: str | None = None
    """Such as https://beckon.example.com; else http://localhost:8484."""
    token: str | None = None
    """An agent token, bk_…."""
    test: bool = False
    """Test mode: everything is recorded, and nobody is told."""


class BeckonError(Exception):
    """The call was wrong: a field, the token, a limit. `code` is the server's and stable."""

    def __init__(self, status: int, body: Mapping[str, Any]) -> None:
        fields = body.get("fields")
        wrong = fields if isinstance(fields, list) else []
        self.fields: list[dict[str, str]] = [one for one in wrong if isinstance(one, dict)]
        is_older = any(one.get("must") == "is not a known field" for one in self.fields)
        older = " This server may be older than the package: update it." if is_older else ""
        why = str(body.get("detail") or body.get("title") or f"The server answers {status}.")
        super().__init__(why + older)
        self.status = status
        self.code = str(body.get("code", "unknown"))


class Unreached(Exception):
    """
    The server was not reached in time; the outcome `unreachable` says so. `is_final`: another try
    would go no better; `lasted_s`: how long a call without a reply lasted.
    """

    def __init__(
        self, why: str, *, is_final: bool = False, lasted_s: float = 0.0, retry_after_s: float = 0.0
    ) -> None:
        super().__init__(why)
        self.is_final = is_final
        self.lasted_s = lasted_s
        self.retry_after_s = retry_after_s


_AGAIN = (408, 425, 429)


def call(
    server: Server | None,
    path: str,
    *,
    body: Mapping[str, Any] | None = None,
    key: str | None = None,
    hold_s: float = 0.0,
    try_until: float,
    away_s: float | None = None,
) -> dict[str, Any]:
    """
    The JSON of a success. A call is made again while the server is away or busy: for half a minute,
    and where it says when to come back until `try_until`, by `time.monotonic()`. `key` names the
    call for the server, so that its retries are one. Raises `BeckonError` for what another try would
    not mend, and `Unreached`.
    """
    soon = min(try_until, time.monotonic() + (_AWAY_S if away_s is None else away_s))
    pause = _PAUSE_S
    while True:
        until = soon
        try:
            status, read, after_s = _once(server or Server(), path, body, key, hold_s + _SLACK_S)
        except Unreached as error:
            if error.is_final:
                raise
            why, after_s = error, error.retry_after_s
            until -= error.lasted_s
        else:
            if status < 300:
                return read
            failed = BeckonError(status, read)
            # A limit that somebody has to do something about is no moment to wait for.
            is_limit = failed.code == "limit_reached"
            if status < 500 and (is_limit or status not in _AGAIN):
                raise failed
            why = Unreached(str(failed))
            if status == 429 and after_s > 0:
                until = try_until
        rest = max(after_s, pause * random.uniform(0.5, 1.0))
        if time.monotonic() + rest >= until:
            raise why
        sleep(rest)
        pause = min(pause * 2, _PAUSE_MAX_S)


def sleep(seconds: float) -> None:
    """Raises `GivenUp` when the caller leaves."""
    who = caller.get()
    if who is None:
        time.sleep(min(seconds, threading.TIMEOUT_MAX))
    elif who.gone.wait(min(seconds, threading.TIMEOUT_MAX)):
        raise GivenUp


def _once(
    server: Server, path: str, body: Mapping[str, Any] | None, key: str | None, limit_s: float
) -> tuple[int, dict[str, Any], float]:
    base = (server.url or os.environ.get("BECKON_URL") or "http://localhost:8484").rstrip("/")
    if not re.match(r"https?://[^/]", base, re.IGNORECASE):
        raise Unreached(
            f'"{base}" is no address: it begins with https:// or http://.', is_final=True
        )
    request = urllib.request.Request(
        f"{base}/api/v1{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers=_headers(server, body, key),
        method="GET" if body is None else "POST",
    )
    line = Line()
    who = caller.get()
    if who:
        who.take(line)
    # The timeout of a socket begins anew with each byte.
    clock = threading.Timer(limit_s, line.cut)
    clock.daemon = True
    clock.start()
    try:
        status, headers, raw = _opened(request, line, limit_s)
    except (OSError, HTTPException, ValueError) as error:
        if who and who.gone.is_set():
            raise GivenUp from error
        is_late = line.is_cut or isinstance(getattr(error, "reason", error), TimeoutError)
        why = f"no whole reply within {limit_s:g} seconds" if is_late else f"{error}"
        lasted_s = limit_s if is_late else 0.0
        raise Unreached(f"{base} was not reached: {why}.", lasted_s=lasted_s) from error
    finally:
        clock.cancel()
        line.close()
    return _read(base, status, headers, raw)


def _opened(
    request: urllib.request.Request, line: Line, limit_s: float
) -> tuple[int, Mapping[str, str], bytes]:
    try:
        reply: Any = opener_on(line).open(request, timeout=limit_s)
    except urllib.error.HTTPError as error:
        reply = error
    with reply:
        raw = reply.read()
    if line.is_cut:
        raise TimeoutError
    return reply.status, reply.headers, raw


def _headers(
    server: Server, body: Mapping[str, Any] | None, key: str | None
) -> dict[str, str]:
    token = server.token or os.environ.get("BECKON_TOKEN") or ""
    return {
        "Accept": "application/json",
        "Authorization": f"Bearer {token}",
        **({} if body is None else {"Content-Type": "application/json"}),
        **({} if key is None else {"Idempotency-Key": key}),
        **({"X-Service-Env": "test"} if server.test else {}),
    }


def env_of(server: Server | None) -> dict[str, str]:
    """Test mode in the body, where no proxy drops it."""
    return {"env": "test"} if server and server.test else {}


def _read(
    base: str, status: int, headers: Mapping[str, str], raw: bytes
) -> tuple[int, dict[str, Any], float]:
    """A reply of the server; a proxy or a stranger has pages and errors of its own."""
    after_s = _wait_of(headers.get("Retry-After"))
    if 300 <= status < 400:
        to = headers.get("Location", "another address")
        why = f"{base} redirects to {to}. Give the address of the server itself."
        raise Unreached(why, is_final=True)
    if status == 204:
        return status, {}, after_s
    try:
        read = json.loads(raw)
    except ValueError:
        read = None
    if isinstance(read, dict) and (status < 300 or isinstance(read.get("code"), str)):
        return status, read, after_s
    is_json = "json" in headers.get("Content-Type", "")
    # A reply that was cut short, or a proxy whose server is away.
    is_final = status < 500 and status not in _AGAIN and not (status < 300 and is_json)
    why = f"{base} answers {status}, and not as Beckon does: a proxy, another program or another address."
    raise Unreached(why, is_final=is_final, retry_after_s=after_s)


def _wait_of(header: str | None) -> float:
    """Retry-After in seconds: a number of them or a date (RFC 9110, 10.2.3)."""
    if header is None:
        return 0.0
    if header.isascii() and header.isdigit():
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (ValueError, TypeError, OverflowError):
        return 0.0
