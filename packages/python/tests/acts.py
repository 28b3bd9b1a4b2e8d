"""What the tests of the server let this package do: `acts.py NAME` prints a line of JSON."""

import asyncio
import copy
import json
import os
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from datetime import date, datetime, timezone
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Literal
from urllib.parse import quote
from uuid import UUID

from beckon_client import (
    BeckonError,
    Server,
    _client as client,
    aio,
    ask,
    cancel,
    gate,
    human_as_tool,
    list_questions,
    notify,
    propose_scope,
    require_approval,
    resume,
    wait,
)

ran = []


@require_approval(label="Delete a customer", effect="It cannot be undone.", risk="high")
def remove(id, *, why="asked"):
    ran.append(id)
    return "gone"


@require_approval()
def broken():
    raise RuntimeError("no disk")


@require_approval(name="refund", subject=lambda order: f"order-{order}")
def refund(order):
    ran.append(order)


def thrown():
    try:
        return broken()
    except RuntimeError as error:
        return {"raised": str(error)}


def error_of(work):
    try:
        return work()
    except BeckonError as error:
        return {"code": error.code, "fields": [one["field"] for one in error.fields]}


async def many():
    @aio.require_approval(name="later")
    async def later(n):
        await asyncio.sleep(0)
        return n + 1

    asked = [aio.ask.confirm(f"Number {n}?") for n in range(3)]
    return await asyncio.gather(*asked, later(1))


def table(name):
    return json.loads((Path(__file__).parents[2] / f"cases/{name}.json").read_text())


def server_of(name, test=False):
    url = "http://127.0.0.1:1" if name == "down" else sys.argv[2] + quote(name)
    return Server(url, "bk_t", test)


def asks():
    """Makes each call of the table; its server has the calls."""
    for case in table("asks")["cases"]:
        given = dict(case["ask"])
        kind, question = given.pop("kind"), given.pop("question")
        life_ms = given.pop("lifeMs", None)
        words = [given.pop("choices")] if kind == "choose" else []
        if life_ms is not None:
            given["life_s"] = life_ms / 1000
        getattr(ask, kind)(question, *words, server=server_of(case["name"]), **given)
    return []


def servers():
    def of(one):
        done = []
        act = require_approval(name="act", wait_s=1.5, server=server_of(one["name"]))(
            lambda id, why: done.append(id)
        )
        status = act(7, "They asked.").status
        return {"name": one["name"], "status": status, "ran": len(done)}

    with ThreadPoolExecutor() as threads:
        said = list(threads.map(of, table("servers")["cases"]))
    for one in table("servers")["arguments"]:
        done = []
        value = (
            one["repeat"] * one["times"]
            if "repeat" in one
            else json.loads(one["json"]) if "json" in one else float(one["number"])
        )
        act = require_approval(name="act", wait_s=1.5, server=server_of(one["name"]))(
            lambda value: done.append(value)
        )
        said.append({"name": one["name"], "status": act(value).status, "ran": len(done)})
    for one in table("servers")["calls"]:
        server = server_of(one["name"], one.get("test", False))
        if one["call"] == "notify":
            notify("Done", "All of it.", server=server)
        elif one["call"] == "scope":
            propose_scope("Green.", session_id="s", server=server)
        else:
            ask.confirm("Go?", server=server)
    return said


class Level(Enum):
    HIGH = 3


@dataclass
class Payment:
    to: str
    amount: int


class Order:
    amount = 1_000_000


more = Payment("kim", 1)
more.hidden = 1_000_000
VALUES = {
    "a time": datetime(2026, 1, 31, 12, tzinfo=timezone.utc),
    "a day": date(2026, 1, 31),
    "a decimal": Decimal("1.10"),
    "a UUID": UUID("12345678-1234-5678-1234-567812345678"),
    "a path": Path("/srv/data"),
    "an enum": Level.HIGH,
    "a data class": Payment("kim", 1),
    "a set": {1},
    "a pattern": re.compile(".*"),
    "an error": ValueError("no"),
    "an instance of a class": Order(),
    "a function": print,
    "bytes": b"a",
    "a list of a subclass": type("Many", (list,), {})(),
    "a decimal that is none": Decimal("NaN"),
    "text of a subclass": type("Text", (str,), {})("a"),
    "a data class with more than its fields": more,
}


def values():
    said = []
    plain_call = client.call
    for one in table("values")["changed"]:
        argument, done = copy.deepcopy(one["given"]), []

        def call(*args, **more):
            *way, last = one["path"]
            holder = argument
            for step in way:
                holder = holder[step]
            holder[last] = one["to"]
            return plain_call(*args, **more)

        client.call = call
        act = require_approval(name="act", server=server_of(one["name"]))(
            lambda value: done.append(copy.deepcopy(value))
        )
        said.append({"name": one["name"], "status": act(argument).status, "ran": done})
        client.call = plain_call
    for one in table("values")["taken"] + table("values")["refused"]:
        if "python" not in one["in"]:
            continue
        value, done = VALUES[one["name"]], []
        act = require_approval(name="act", server=server_of(one["name"]))(
            lambda order: done.append(order["value"] == value)
        )
        outcome = act({"value": value})
        reason = getattr(outcome, "reason", "")
        said.append({"name": one["name"], "status": outcome.status, "ran": done, "reason": reason})
    return said


@dataclass
class Account:
    owner: str
    paid: int = 0

    @require_approval(server=Server(sys.argv[2] + "method", "bk_t") if len(sys.argv) > 2 else None)
    def pay(self, amount):
        self.paid += amount


class Door:
    @require_approval(server=Server(sys.argv[2] + "door", "bk_t") if len(sys.argv) > 2 else None)
    def open(self, floor):
        return floor


def methods():
    account = Account("kim")
    first = account.pay(7)
    changed = Account("kim")
    plain_call = client.call

    def call(*args, **more):
        changed.owner = "mallory"
        return plain_call(*args, **more)

    client.call = call
    return [first, account.paid, changed.pay(7), changed.paid, Door().open(3)]


async def given_up():
    done = []

    @aio.require_approval(name="deploy")
    async def deploy(target):
        done.append(target)

    task = asyncio.create_task(deploy("production"))
    while not Path(os.environ["IS_OPEN"]).exists():
        await asyncio.sleep(0.01)
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        done.append("cancelled")
    # Until the question is withdrawn, which nobody waits for.
    await asyncio.sleep(0)
    return done


async def cut_off():
    """A coroutine that runs is cancelled with its caller."""
    done = []
    begun = asyncio.Event()

    @aio.require_approval(name="act", server=server_of("cut off"))
    async def act():
        begun.set()
        try:
            await asyncio.sleep(60)
            done.append("ran")
        except asyncio.CancelledError:
            done.append("cancelled")
            raise

    task = asyncio.create_task(act())
    await begun.wait()
    task.cancel()
    await asyncio.wait([task])
    return done


def resumed():
    first = ask.confirm("In a while?", wait_s=1)
    Path(os.environ["FIRST_IS_BACK"]).touch()
    return [first, wait(first.id)]


@dataclass
class Refund:
    amount: float
    reason: Literal["damaged", "late"]
    on: date | None = None


NIGHT = "Restart the payments service?"

ACTS = {
    "yes": lambda: ask.confirm("Deploy?", {"context": "All tests pass."}),
    "no": lambda: ask.confirm("Delete it?"),
    "choice": lambda: ask.choose("Which one?", ["left", "right"]),
    "text": lambda: ask.text("Which name?", {"placeholder": "a name"}),
    "resumed": resumed,
    "form": lambda: ask.form("Refund?", Refund),
    "night": lambda: ask.confirm(NIGHT, subject="restart-payments", life_s=43_200, wait_s=1),
    "handle": lambda: resume(json.loads(os.environ["HANDLE"])),
    "subject": lambda: ask.confirm("Once only?", subject="deploy-42"),
    "withdrawn": lambda: [first := ask.confirm("Withdrawn?", wait_s=1), cancel(first.id)],
    "listed": lambda: list_questions(session_id="nobody"),
    "test": lambda: ask.confirm("Only a test?", server=Server(test=True)),
    "notify": lambda: notify("Done", "All of it."),
    "scope": lambda: [
        scope := propose_scope("Tests pass.", session_id="s2", allowed_paths=["src"]),
        wait(scope.id),
    ],
    "wrong token": lambda: error_of(lambda: ask.confirm("Hello?", server=Server(token="bk_no"))),
    "wrong field": lambda: error_of(lambda: ask.choose("Which?", ["one"])),
    "away": lambda: ask.confirm("Hello?", wait_s=1, server=Server("http://127.0.0.1:1")),
    "protected": lambda: [remove(7), ran],
    "of an order": lambda: [refund(7), refund(7), ran],
    "raised": thrown,
    "too long": lambda: gate("write", {"text": "x" * 4001}),
    "no json": lambda: gate("write", {"n": float("nan")}),
    "tool": lambda: human_as_tool()["run"]("Tea or coffee?", ["tea", "coffee"]),
    "asks": asks,
    "servers": servers,
    "values": values,
    "methods": methods,
    "given up": lambda: asyncio.run(given_up()),
    "cut off": lambda: asyncio.run(cut_off()),
    "many": lambda: asyncio.run(many()),
}


def plain(value):
    return asdict(value) if hasattr(value, "__dataclass_fields__") else str(value)


print(json.dumps(ACTS[sys.argv[1]](), default=plain))
