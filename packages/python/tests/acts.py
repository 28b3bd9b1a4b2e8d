"""What the tests of the server let this package do: `acts.py NAME` prints a line of JSON."""

import asyncio
import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from urllib.parse import quote

from beckon_client import (
    BeckonError,
    Server,
    aio,
    ask,
    cancel,
    gate,
    human_as_tool,
    notify,
    propose_scope,
    require_approval,
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


def servers():
    table = json.loads((Path(__file__).parents[2] / "cases/servers.json").read_text())
    said = []
    for one in table["cases"]:
        done = []
        server = Server(sys.argv[2] + quote(one["name"]), "bk_t")
        if one["name"] == "down":
            server = Server("http://127.0.0.1:1", "bk_t")
        act = require_approval(name="act", wait_s=1.5, server=server)(lambda id, why: done.append(id))
        said.append({"name": one["name"], "status": act(7, "They asked.").status, "ran": len(done)})
    for one in table["arguments"]:
        done = []
        server = Server(sys.argv[2] + quote(one["name"]), "bk_t")
        value = (
            one["repeat"] * one["times"]
            if "repeat" in one
            else json.loads(one["json"]) if "json" in one else float(one["number"])
        )
        act = require_approval(name="act", wait_s=1.5, server=server)(lambda value: done.append(value))
        said.append({"name": one["name"], "status": act(value).status, "ran": len(done)})
    return said


def resumed():
    first = ask.confirm("In a while?", wait_s=1)
    Path(os.environ["FIRST_IS_BACK"]).touch()
    return [first, wait(first.id)]


ACTS = {
    "yes": lambda: ask.confirm("Deploy?", {"context": "All tests pass."}),
    "no": lambda: ask.confirm("Delete it?"),
    "choice": lambda: ask.choose("Which one?", ["left", "right"]),
    "text": lambda: ask.text("Which name?", {"placeholder": "a name"}),
    "resumed": resumed,
    "subject": lambda: ask.confirm("Once only?", subject="deploy-42"),
    "withdrawn": lambda: [first := ask.confirm("Withdrawn?", wait_s=1), cancel(first.id)],
    "test": lambda: ask.confirm("Only a test?", server=Server(test=True)),
    "notify": lambda: notify("Done", "All of it."),
    "scope": lambda: propose_scope("Tests pass.", session_id="s2", allowed_paths=["src"]),
    "wrong token": lambda: error_of(lambda: ask.confirm("Hello?", server=Server(token="bk_no"))),
    "wrong field": lambda: error_of(lambda: ask.choose("Which?", ["one"])),
    "away": lambda: ask.confirm("Hello?", wait_s=1, server=Server("http://127.0.0.1:1")),
    "protected": lambda: [remove(7), ran],
    "raised": thrown,
    "too long": lambda: gate("write", {"text": "x" * 4001}),
    "no json": lambda: gate("write", {"n": float("nan")}),
    "tool": lambda: human_as_tool()["run"]("Tea or coffee?", ["tea", "coffee"]),
    "servers": servers,
    "many": lambda: asyncio.run(many()),
}


def plain(value):
    return asdict(value) if hasattr(value, "__dataclass_fields__") else str(value)


print(json.dumps(ACTS[sys.argv[1]](), default=plain))
