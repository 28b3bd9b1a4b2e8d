"""Calls to a Beckon server, again and again while it is away or busy."""

from __future__ import annotations

import json
import os
import random
import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any, Mapping

# Beyond what the server holds a call, for the way there and back, in seconds.
_SLACK_S = 15.0
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
        super().__init__(
            str(body.get("detail") or body.get("title") or f"The server answers {status}.")
        )
        self.status = status
        self.code = str(body.get("code", "unknown"))
        self.fields: list[dict[str, str]] = list(body.get("fields", []))


class Unreached(Exception):
    """The server was not reached in time; the outcome `unreachable` says so."""


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


_opener = urllib.request.build_opener(_NoRedirect)


def call(
    server: Server | None,
    path: str,
    *,
    body: Mapping[str, Any] | None = None,
    hold_s: float = 0.0,
    try_until: float,
) -> dict[str, Any]:
    """
    The JSON of a success. `try_until` is by `time.monotonic()`. Raises `BeckonError` for what
    another try would not mend, and `Unreached`.
    """
    pause = _PAUSE_S
    while True:
        rest = pause * random.uniform(0.5, 1.0)
        try:
            status, read, retry_after = _once(server or Server(), path, body, hold_s)
        except Unreached as error:
            why = error
        else:
            if status < 300:
                return read
            failed = BeckonError(status, read)
            if status < 500 and status not in (408, 429):
                raise failed
            why = Unreached(str(failed))
            rest = max(rest, retry_after)
        if time.monotonic() + rest >= try_until:
            raise why
        time.sleep(rest)
        pause = min(pause * 2, _PAUSE_MAX_S)


def _once(
    server: Server, path: str, body: Mapping[str, Any] | None, hold_s: float
) -> tuple[int, dict[str, Any], float]:
    base = (server.url or os.environ.get("BECKON_URL") or "http://localhost:8484").rstrip("/")
    token = server.token or os.environ.get("BECKON_TOKEN") or ""
    headers = {"Accept": "application/json", "Authorization": f"Bearer {token}"}
    if server.test:
        headers["X-Service-Env"] = "test"
    if body is not None:
        headers["Content-Type"] = "application/json"
    request = urllib.request.Request(
        f"{base}/api/v1{path}",
        data=None if body is None else json.dumps(body).encode(),
        headers=headers,
        method="GET" if body is None else "POST",
    )
    try:
        with _opener.open(request, timeout=hold_s + _SLACK_S) as response:
            return response.status, _json(base, response.status, response.read()), 0.0
    except urllib.error.HTTPError as error:
        seconds = error.headers.get("Retry-After", "")
        wait = float(seconds) if seconds.isdigit() else 0.0
        return error.code, _json(base, error.code, error.read()), wait
    except (OSError, HTTPException) as error:
        raise Unreached(f"{base} was not reached: {error}") from error


def _json(base: str, status: int, raw: bytes) -> dict[str, Any]:
    """A proxy answers with pages of its own: those are no replies of the server."""
    if status == 204:
        return {}
    try:
        read = json.loads(raw)
    except ValueError:
        read = None
    if not isinstance(read, dict):
        raise Unreached(f"{base} answers {status} without JSON.")
    return read
