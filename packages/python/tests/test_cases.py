"""The table of cases that every package has to pass: packages/cases."""

import json
import unittest
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path
from typing import Annotated, Literal, TypedDict

import beckon_client
from beckon_client._form import read_form, schema_of, wrong_value
from beckon_client import aio, verify_callback
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

    def test_asyncio_has_the_same(self):
        missing = [n for n in beckon_client.__all__ if n.islower() and not hasattr(aio, n)]
        self.assertEqual(missing, [])


if __name__ == "__main__":
    unittest.main()
