"""`python langgraph_run.py FILE [VALUE]`: as langgraph-run.ts, with the Python packages."""

import json
import os
import pickle
import sys
from typing import Any, TypedDict

from beckon_client.langgraph import answer_interrupts
from beckon_client.reporting import reporting
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph
from langgraph.types import Command, Interrupt, interrupt

FILE = sys.argv[1]
VALUE = json.loads(sys.argv[2]) if len(sys.argv) > 2 else None
CALL = {"tool": "remove", "arguments": {"id": 7, "why": "They asked — “now”."}}
TOOLS = {"remove": {"label": "Delete a customer", "effect": "It cannot be undone.", "risk": "high"}}
THREAD: Any = {"configurable": {"thread_id": "t7"}}
ran: list[Any] = []


class State(TypedDict, total=False):
    result: Any


@reporting(CALL["tool"])
def remove(**arguments: Any) -> str:
    ran.append(arguments)
    if os.environ.get("FAILS"):
        raise LookupError("No such customer.")
    return "removed"


def clerk(state: State) -> State:
    if VALUE is not None:
        return {"result": interrupt(VALUE)}
    answer = interrupt(CALL)
    if not answer["approved"]:
        return {"result": answer}
    try:
        return {"result": remove(**CALL["arguments"])}
    except LookupError as error:
        return {"result": str(error)}


saver = InMemorySaver()
graph = StateGraph(State).add_node("clerk", clerk).add_edge(START, "clerk").compile(saver)
if not os.path.exists(FILE):
    first = graph.invoke({}, THREAD)
    plain = {thread: {ns: dict(c) for ns, c in of.items()} for thread, of in saver.storage.items()}
    memory = pickle.dumps((plain, dict(saver.writes), dict(saver.blobs))).hex()
    waiting = [{"id": one.id, "value": one.value} for one in first["__interrupt__"]]
    with open(f"{FILE}.new", "w") as file:
        json.dump({"memory": memory, "interrupts": waiting}, file)
    os.rename(f"{FILE}.new", FILE)
with open(FILE) as file:
    text = file.read()
stored = json.loads(text.replace('"id": 7', '"id": 8') if os.environ.get("CHANGED") else text)
storage, writes, blobs = pickle.loads(bytes.fromhex(stored["memory"]))
for thread, of in storage.items():
    for ns, checkpoints in of.items():
        saver.storage[thread][ns].update(checkpoints)
saver.writes.update(writes)
saver.blobs.update(blobs)
waiting = [Interrupt(value=one["value"], id=one["id"]) for one in stored["interrupts"]]
resume = answer_interrupts(waiting, tools=TOOLS, wait_s=20)
print(json.dumps({"ran": ran, "seen": graph.invoke(Command(resume=resume), THREAD)["result"]}))
