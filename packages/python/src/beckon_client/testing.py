"""A server in this process for tests of your own program: no person, and time under control."""

from __future__ import annotations

import json
import math
import threading
import time
import uuid
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Callable, Mapping
from urllib.parse import parse_qs, unquote, urlsplit

from ._canonical import digest_of
from ._form import wrong_value
from ._server import Server

_LIFE_S = 600.0
_LIST_SIZE = 30


@dataclass
class FakeQuestion:
    """A question or proposal as a fake server got it, and how it ended."""

    id: str
    type: str
    """`confirm`, `select`, `input`, or `scope` for a proposal."""
    question: str
    fields: Mapping[str, Any]
    """Everything that was sent, by the names of the wire."""
    ends_at: float
    key: str | None
    status: str = "pending"
    value: str | None = None
    note: str | None = None
    permit: dict[str, Any] | None = None


Script = Callable[[FakeQuestion], Any]
"""True and False are yes and no, a text a choice or words, a dict a form; None: nobody answers."""


class FakeServer:
    """
    A server on a port of this machine, as a context manager: `server` is for every call. `script`
    answers each question as it comes; an answer that its question would not take is an error of the
    call.
    """

    def __init__(self, script: Script = lambda question: None) -> None:
        self.questions: list[FakeQuestion] = []
        self.notifications: list[Mapping[str, Any]] = []
        self.outcomes: list[Mapping[str, Any]] = []
        self._script = script
        self._changed = threading.Condition(threading.RLock())
        self._ahead_s = 0.0
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._http.daemon_threads = True
        self.server = Server(f"http://127.0.0.1:{self._http.server_port}", "bk_fake")
        threading.Thread(target=self._http.serve_forever, daemon=True).start()

    def __enter__(self) -> FakeServer:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.shutdown()
        self._http.server_close()

    def answer(self, id: str, value: Any, note: str | None = None) -> None:
        """Answers an open question later than the script."""
        with self._changed:
            one = self._find(id)
            if one is None or one.status != "pending":
                raise ValueError(f"The question {id} is not open.")
            _end(one, value, note)
            self._changed.notify_all()

    def wait_for_question(self, question: str, timeout_s: float = 10.0) -> FakeQuestion:
        """The open question with these words, as soon as it is asked."""

        def match() -> FakeQuestion | None:
            open_ones = (one for one in self.questions if self._find(one.id))
            return next((o for o in open_ones if o.question == question and o.status == "pending"), None)

        with self._changed:
            found = self._changed.wait_for(match, timeout_s)
        if not found:
            raise TimeoutError(f'Nobody asked "{question}".')
        return found

    def pass_time(self, seconds: float) -> None:
        """Lets time go by for the server: questions whose time is over expire."""
        with self._changed:
            self._ahead_s += seconds
            self._changed.notify_all()

    def _now(self) -> float:
        return time.monotonic() + self._ahead_s

    def _find(self, id: str) -> FakeQuestion | None:
        for one in self.questions:
            if id in (one.id, (one.permit or {}).get("id")):
                if one.status == "pending" and one.ends_at <= self._now():
                    one.status = "expired"
                return one
        return None

    def reply(
        self, method: str, path: str, body: dict[str, Any], key: str | None
    ) -> tuple[int, dict[str, Any]]:
        """What the server answers to one request."""
        parts = urlsplit(path)
        kind, *rest = [unquote(part) for part in parts.path.split("/")[3:]]
        with self._changed:
            if kind == "notifications":
                self.notifications.append(body)
                return 200, {"sent": 1}
            if not rest and method == "GET":
                return 200, self._list({name: one for name, (one, *_) in parse_qs(parts.query).items()})
            if not rest:
                one = self._ask(body, body.get("requestId") or key)
                return 200, self._hold(one, body.get("timeoutMs", 0))
            found = self._find(rest[0])
            if found is None:
                return 200, {"correlationId": rest[0], "status": "missing"}
            act = rest[1] if len(rest) > 1 else ""
            if act == "cancel":
                return 200, self._cancel(found)
            if act == "delivery":
                return 200, {"addressed": 1, "accepted": 1, "shown": 1, "pending": False}
            if act in ("permit", "consume"):
                return _permit(found, act, body.get("actionHash"))
            if act == "outcome":
                self.outcomes.append({**body, "question": found.question})
                return 204, {}
            return 200, self._hold(found, int(parse_qs(parts.query).get("timeoutMs", ["0"])[0]))

    def _list(self, query: dict[str, str]) -> dict[str, Any]:
        is_open = query.get("state", "open") == "open"
        session, limit = query.get("sessionId"), int(query.get("limit", _LIST_SIZE))
        ids = [one.id for one in self.questions]
        cursor = query.get("cursor", "")
        before = ids.index(cursor) if cursor in ids else len(ids)
        listed = [
            {**_result(one, self._now()), "sessionId": one.fields.get("sessionId")}
            for one in reversed(self.questions[:before])
            if self._find(one.id)
            and (one.status == "pending") == is_open
            and session in (None, one.fields.get("sessionId"))
        ]
        more = {"next": listed[limit - 1]["correlationId"]} if len(listed) > limit else {}
        return {"questions": listed[:limit], **more}

    def _ask(self, fields: dict[str, Any], key: str | None) -> FakeQuestion:
        earlier = next((one for one in reversed(self.questions) if one.key == key), None)
        if earlier and self._find(earlier.id):
            if not (earlier.status == "expired" and "lifeMs" in fields):
                return earlier
        usual = "scope" if "doneWhen" in fields else "input" if "schema" in fields else "confirm"
        one = FakeQuestion(
            id=f"q_fake{len(self.questions) + 1}",
            type=fields.get("type", usual),
            question=fields.get("question") or fields.get("doneWhen", ""),
            fields=fields,
            ends_at=self._now() + fields.get("lifeMs", _LIFE_S * 1000) / 1000,
            key=key,
        )
        _end(one, self._script(one), None)
        self.questions.append(one)
        self._changed.notify_all()
        return one

    def _hold(self, one: FakeQuestion, timeout_ms: int) -> dict[str, Any]:
        self._changed.wait_for(
            lambda: self._find(one.id) is None or one.status != "pending", timeout_ms / 1000
        )
        return _result(one, self._now())

    def _cancel(self, one: FakeQuestion) -> dict[str, Any]:
        cancelled = one.status == "pending"
        if cancelled:
            one.status = "cancelled"
        self._changed.notify_all()
        return {"correlationId": one.id, "cancelled": cancelled, "status": one.status}


def _end(one: FakeQuestion, answer: Any, note: str | None) -> None:
    if answer is None:
        return
    one.value, one.note, one.status = _value(one, answer), note, "answered"


def _value(one: FakeQuestion, answer: Any) -> str:
    """The value of the wire. Raises TypeError for an answer that a server would not take either."""
    must = "The answer to this question must be"
    edit = one.fields.get("edit") if one.type == "confirm" else None
    is_change = edit is not None and isinstance(answer, dict)
    if one.type in ("confirm", "scope") and not is_change:
        if not isinstance(answer, bool):
            raise TypeError(f"{must} True or False.")
        return "yes" if answer else "no"
    schema = edit if is_change else one.fields.get("schema")
    if schema is not None:
        wrong = wrong_value(schema, answer)
        if wrong:
            raise TypeError(f"{must} right: see {', '.join(wrong) or 'the form'}.")
        return json.dumps(answer)
    if not isinstance(answer, str) or not answer:
        raise TypeError(f"{must} text.")
    if one.type == "select" and answer not in one.fields["options"]:
        raise TypeError(f"{must} one of its choices.")
    return answer


def _result(one: FakeQuestion, now: float) -> dict[str, Any]:
    is_scope = one.type == "scope"
    result: dict[str, Any] = {
        "correlationId": one.id,
        "question": one.question,
        "type": "confirm" if is_scope else one.type,
        "status": one.status,
    }
    if one.status == "pending":
        result["expiresInSeconds"] = math.ceil(one.ends_at - now)
    if one.status == "answered":
        result["value"] = one.value
        result.update({} if one.note is None else {"note": one.note})
        if is_scope:
            names = ("allowedPaths", "offLimitsPaths", "doneWhen", "promises")
            contract = {name: one.fields[name] for name in names if name in one.fields}
            lists = {"allowedPaths": [], "offLimitsPaths": []}
            result.update(ratified=one.value == "yes", contract={**lists, **contract})
    return result


def _permit(one: FakeQuestion, act: str, action_hash: Any) -> tuple[int, dict[str, Any]]:
    value = one.value or ""
    if one.type != "confirm" or not (value == "yes" or value.startswith("{")):
        return 409, {"code": "conflict", "detail": "Nobody said yes."}
    kind, _, rest = (one.key or "").partition(":")
    about = rest.split(":")[0]
    if value != "yes":
        about = digest_of({"action": about, "edited": json.loads(value)})
    if kind == "action" and about != action_hash:
        return 409, {"code": "permit_mismatch", "detail": "Another call."}
    if one.permit is None:
        one.permit = {"id": f"permit_{uuid.uuid4().hex}", "hash": action_hash, "used": False}
    if one.permit["used"]:
        return 409, {"code": "permit_used", "detail": "This permit was used."}
    if one.permit["hash"] != action_hash:
        return 409, {"code": "permit_mismatch", "detail": "Another call."}
    one.permit["used"] = act == "consume"
    return 200, {"permitId": one.permit["id"]}


def _handler(fake: FakeServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._answer({})

        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            self._answer(json.loads(self.rfile.read(length) or b"{}"))

        def _answer(self, body: dict[str, Any]) -> None:
            try:
                status, reply = fake.reply(
                    self.command, self.path, body, self.headers.get("Idempotency-Key")
                )
            except Exception as error:  # Whatever the script raises is told to the call.
                status, reply = 422, {"code": "fake", "detail": f"{error}"}
            raw = b"" if status == 204 else json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            self.wfile.write(raw)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler
