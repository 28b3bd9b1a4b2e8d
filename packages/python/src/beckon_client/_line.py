"""Connections that end with their time, or when nobody waits for them any more."""

from __future__ import annotations

import http.client
import socket
import threading
import urllib.request
from contextvars import ContextVar
from functools import partial
from typing import Any

_CONNECT_S = 10.0


class GivenUp(BaseException):
    """The caller gave up: nobody waits for this call."""


class Line:
    """The connection of one call, which another thread can cut."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self.is_cut = False

    def cut(self) -> None:
        with self._lock:
            self.is_cut = True
            if self._socket:
                _shut(self._socket)

    def close(self) -> None:
        with self._lock:
            if self._socket:
                self._socket.close()
                self._socket = None

    def connect(self, address: Any, timeout: float, source: Any = None) -> socket.socket:
        made = socket.create_connection(address, min(timeout, _CONNECT_S), source)
        made.settimeout(timeout)
        # Of its own: TLS takes the other one over.
        twin = made.dup()
        with self._lock:
            if self._socket:
                self._socket.close()
            self._socket = twin
            if self.is_cut:
                _shut(twin)
        return made


def _shut(one: socket.socket) -> None:
    try:
        one.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # It ended by itself.


class Caller:
    """Who waits for calls; `leave` ends the one under way, and every later one."""

    def __init__(self) -> None:
        self.gone = threading.Event()
        self._line: Line | None = None

    def leave(self) -> None:
        self.gone.set()
        line = self._line
        if line:
            line.cut()

    def take(self, line: Line) -> None:
        self._line = line
        if self.gone.is_set():
            raise GivenUp


caller: ContextVar[Caller | None] = ContextVar("caller", default=None)
"""Who waits for the calls of this thread; None where nobody can give up."""


class _Http(http.client.HTTPConnection):
    def __init__(self, *args: Any, line: Line, **more: Any) -> None:
        super().__init__(*args, **more)
        self._create_connection = line.connect


class _Https(http.client.HTTPSConnection):
    def __init__(self, *args: Any, line: Line, **more: Any) -> None:
        super().__init__(*args, **more)
        self._create_connection = line.connect


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class _HttpOn(urllib.request.HTTPHandler):
    def __init__(self, line: Line) -> None:
        super().__init__()
        self._line = line

    def http_open(self, req: urllib.request.Request) -> Any:
        return self.do_open(partial(_Http, line=self._line), req)  # type: ignore[arg-type]


class _HttpsOn(urllib.request.HTTPSHandler):
    def __init__(self, line: Line) -> None:
        super().__init__()
        self._line = line

    def https_open(self, req: urllib.request.Request) -> Any:
        return self.do_open(partial(_Https, line=self._line), req)  # type: ignore[arg-type]


def opener_on(line: Line) -> urllib.request.OpenerDirector:
    """Opens addresses on this line, through the proxies of the environment, without redirects."""
    return urllib.request.build_opener(_NoRedirect, _HttpOn(line), _HttpsOn(line))
