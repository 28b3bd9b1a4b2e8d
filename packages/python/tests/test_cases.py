"""The table of cases that every package has to pass: packages/cases."""

import asyncio
import base64
import hashlib
import hmac
import io
import json
import time
import unittest
from dataclasses import asdict, dataclass, field
from datetime import date
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Annotated, Literal, TypedDict
from unittest import mock

import beckon_client
from beckon_client._form import read_form, schema_of, wrong_value
from beckon_client import aio, gate, require_approval, verify_callback
from beckon_client.callbacks import asgi_app, wsgi_app
from beckon_client._canonical import canonical, digest_of
from beckon_client._outcome import outcome_of

CASES = Path(__file__).parents[2] / "cases"


def read(name):
    return json.loads((CASES / f"{name}.json").read_text(encoding="utf-8"))


@dataclass
class Refund:
    amount: Annotated[float, {"minimum": 0, "title": "Refund in EUR"}]
    reason: Literal["damaged", "late"]
    tell: bool
    on: date | None = None
    tags: list[str] = field(default_factory=list)


class Size(Enum):
    SMALL = "small"
    LARGE = "large"


class Booking(TypedDict):
    seats: int
    row: Literal["front", "back"]


REFUND = {
    "type": "object",
    "properties": {
        "amount": {"type": "number", "minimum": 0, "title": "Refund in EUR"},
        "reason": {"type": "string", "enum": ["damaged", "late"]},
        "tell": {"type": "boolean"},
        "on": {"type": "string", "format": "date"},
        "tags": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["amount", "reason", "tell"],
}


class Cases(unittest.TestCase):
    def test_canonical(self):
        for one in read("canonical")["cases"]:
            with self.subTest(one["name"]):
                value = json.loads(one["json"])
                if one["canonical"] is None:
                    self.assertRaises(TypeError, canonical, value)
                else:
                    self.assertEqual(canonical(value), one["canonical"])

    def test_digests(self):
        for one in read("canonical")["digests"]:
            self.assertEqual(digest_of(json.loads(one["json"])), one["sha256"])

    def test_what_json_cannot_say(self):
        circle = []
        circle.append(circle)
        for value in [float("nan"), float("inf"), 2**53 + 1, 10**400, {1: 2}, object(), circle, b""]:
            self.assertRaises(TypeError, canonical, value)
        self.assertEqual(canonical({"a": (1, 10**20)}), '{"a":[1,100000000000000000000]}')

    def test_what_may_be_changed(self):
        yes = {"status": "answered", "type": "confirm", "correlationId": "q_1", "value": "yes"}
        for one in read("edits")["offers"]:
            with self.subTest(one["name"]):
                asked = []
                put = lambda *args: asked.append(args) or outcome_of(yes)
                with mock.patch("beckon_client._protect.put", put):
                    decision = gate("pay", one["args"], edit=one["edit"])
                self.assertEqual((decision.allowed, len(asked)), (one["fits"], int(one["fits"])))

    def test_a_yes_with_changes(self):
        table = read("edits")
        for one in table["replies"]:
            with self.subTest(one["name"]):
                reply = {"status": "answered", "type": "confirm", "value": one["value"]}
                put = lambda asked, *_: outcome_of({**reply, "schema": asked.schema})
                with mock.patch("beckon_client._protect.put", put):
                    decision = gate("pay", table["args"], edit=table["edit"])
                self.assertEqual(decision.allowed, one["runs"] is not None)
                if decision.allowed:
                    self.assertEqual(decision.args or table["args"], one["runs"])
                    self.assertEqual(decision.action_hash, one["sha256"])

    def test_what_was_changed_is_what_it_was(self):
        edited = {"on": "2030-01-31", "size": "large", "price": "2.50", "rate": 2}
        ran = []

        @require_approval(
            edit={
                "type": "object",
                "properties": {
                    "on": {"type": "string", "format": "date"},
                    "size": {"type": "string", "enum": ["small", "large"]},
                    "price": {"type": "string"},
                    "rate": {"type": "number"},
                    "note": {"type": "string"},
                },
            }
        )
        def book(on, size, price, rate, who="A", note=None):
            ran.append((on, size, price, rate, who, note))

        def put(asked, *_):
            reply = {"status": "answered", "type": "confirm", "value": json.dumps(edited)}
            return outcome_of({**reply, "schema": asked.schema})

        with mock.patch("beckon_client._protect.put", put), mock.patch(
            "beckon_client._protect.permit_for", lambda *_: "permit_1"
        ), mock.patch("beckon_client._protect.report"):
            args = (date(2030, 1, 1), Size.SMALL, Decimal("2.00"), 1.5)
            self.assertEqual(book(*args).status, "done")
            edited["price"] = "much"
            self.assertEqual(book(*args).status, "refused")
        self.assertEqual(ran, [(date(2030, 1, 31), Size.LARGE, Decimal("2.50"), 2.0, "A", None)])
        self.assertIs(type(ran[0][3]), float)

    def test_outcomes(self):
        for one in read("outcomes")["cases"]:
            with self.subTest(one["name"]):
                outcome = outcome_of(one["result"])
                given = outcome and {
                    "answerUrl" if k == "answer_url" else k: v
                    for k, v in asdict(outcome).items()
                    if v is not None
                }
                self.assertEqual(given, one["outcome"])

    def test_forms(self):
        table = read("forms")
        for one in table["values"]:
            with self.subTest(one["name"]):
                value = json.loads(one["json"])
                self.assertEqual(wrong_value(table["form"], value), one["wrong"])
                answer = read_form(table["form"], one["json"])
                self.assertEqual(answer, None if one["wrong"] else value)
        self.assertIsNone(read_form(table["form"], "yes"))

    def test_forms_of_classes(self):
        self.assertEqual(schema_of(Refund), REFUND)
        text = '{"amount":2,"reason":"late","tell":false,"on":"2026-01-31","tags":["a"]}'
        refund = Refund(2.0, "late", False, date(2026, 1, 31), ["a"])
        self.assertEqual(read_form(Refund, text), refund)
        self.assertIsInstance(read_form(Refund, text).amount, float)
        self.assertEqual(
            read_form(Refund, '{"amount":2,"reason":"late","tell":true}'), Refund(2.0, "late", True)
        )
        self.assertEqual(read_form(Booking, '{"seats":2,"row":"back"}'), {"seats": 2, "row": "back"})
        self.assertIsNone(read_form(Booking, '{"seats":true,"row":"back"}'))
        for form in [int, "x", dataclass(type("A", (), {"__annotations__": {"a": dict}}))]:
            self.assertRaises(TypeError, schema_of, form)

    def test_callbacks(self):
        table = read("callbacks")
        for one in table["cases"]:
            with self.subTest(one["name"]):
                headers = {} if one.get("strip") else {**table["headers"], **one.get("headers", {})}
                given = verify_callback(
                    one.get("body", table["body"]),
                    headers,
                    one.get("secret", table["secret"]),
                    one.get("now", table["now"]),
                )
                self.assertEqual(given.status, "genuine" if one["genuine"] else "forged")

    def test_handlers_of_callbacks(self):
        table = read("callbacks")
        secret, body = table["secret"], table["body"].encode()
        stamp = str(int(time.time()))
        key = base64.b64decode(secret.removeprefix("whsec_"))
        mac = hmac.new(key, f"msg_1.{stamp}.".encode() + body, hashlib.sha256).digest()
        headers = {
            "webhook-id": "msg_1",
            "webhook-timestamp": stamp,
            "webhook-signature": f"v1,{base64.b64encode(mac).decode()}",
        }
        taken = []

        async def later(event):
            taken.append(event["value"])

        def fail(event):
            raise RuntimeError("no disk")

        def wsgi(take, method, raw):
            environ = {"REQUEST_METHOD": method, "CONTENT_LENGTH": str(len(raw))}
            environ["wsgi.input"] = io.BytesIO(raw)
            environ.update({f"HTTP_{n.upper().replace('-', '_')}": h for n, h in headers.items()})
            statuses = []
            wsgi_app(secret, take)(environ, lambda status, fields: statuses.append(int(status[:3])))
            return statuses[0]

        def asgi(take, method, raw):
            parts = [
                {"type": "http.request", "body": raw[:9], "more_body": True},
                {"type": "http.request", "body": raw[9:]},
            ]
            sent = []

            async def receive():
                return parts.pop(0)

            async def send(message):
                sent.append(message)

            fields = [(name.encode(), text.encode()) for name, text in headers.items()]
            scope = {"type": "http", "method": method, "headers": fields}
            asyncio.run(asgi_app(secret, take)(scope, receive, send))
            return sent[0]["status"]

        for run, take in [(wsgi, lambda event: taken.append(event["value"])), (asgi, later)]:
            given = [
                run(take, "POST", body),
                run(take, "POST", body + b" "),
                run(take, "GET", body),
                run(take, "POST", b"x" * 1_000_001),
                run(fail, "POST", body),
            ]
            self.assertEqual(given, [204, 400, 405, 413, 500])
        self.assertEqual(taken, ["yes", "yes"])

    def test_asyncio_has_the_same(self):
        missing = [n for n in beckon_client.__all__ if n.islower() and not hasattr(aio, n)]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
