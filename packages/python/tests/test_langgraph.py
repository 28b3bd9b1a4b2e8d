"""The adapter for LangGraph, without the framework; with it: test/long/frameworks."""

import asyncio
import threading
import unittest
from types import SimpleNamespace

from beckon_client.langgraph import answer_interrupts
from beckon_client.reporting import reporting
from beckon_client.testing import FakeServer

CALL = {"tool": "remove", "arguments": {"id": 7}}


def interrupt(id, value):
    return SimpleNamespace(id=id, value=value)


class Interrupts(unittest.TestCase):
    def test_calls_and_questions_are_answered_each_by_its_id(self):
        with FakeServer(lambda q: q.question != "Stop?" if q.type == "confirm" else "left") as fake:
            answers = answer_interrupts(
                [
                    interrupt("a", CALL),
                    interrupt("b", "Which way?"),
                    interrupt("c", {"question": "Which one?", "choices": ["left", "right"]}),
                    interrupt("d", {"question": "Stop?"}),
                ],
                server=fake.server,
            )
            self.assertEqual(answers["a"], {"approved": True})
            self.assertEqual([answers[id]["value"] for id in "bc"], ["left", "left"])
            self.assertEqual(answers["d"]["status"], "declined")
            self.assertEqual(answer_interrupts([], server=fake.server), {})

    def test_a_call_that_is_restored_asks_nobody_again_and_its_yes_is_used_up(self):
        with FakeServer(lambda q: True) as fake:
            for approved in (True, False):
                answers = answer_interrupts([interrupt("a", CALL)], server=fake.server)
                self.assertIs(answers["a"]["approved"], approved)
            self.assertEqual(len(fake.questions), 1)

    def test_a_call_that_was_approved_says_how_it_ended_and_others_say_nothing(self):
        @reporting("remove")
        def remove(id):
            if id == 9:
                raise ValueError("Gone already.")
            return id

        @reporting("remove")
        def remove_all(args):
            return args["id"]

        @reporting("remove")
        async def remove_later(**named):
            return named["id"]

        def approve(id):
            value = {"tool": "remove", "arguments": {"id": id}}
            answers = answer_interrupts([interrupt(f"i{id}", value)], server=fake.server)
            self.assertEqual(answers[f"i{id}"], {"approved": True})

        def reports():
            for thread in threading.enumerate():
                if thread.name == "beckon-report":
                    thread.join()
            return [(one["outcome"], one.get("detail")) for one in fake.outcomes]

        with FakeServer(lambda q: True) as fake:
            for id in (7, 8, 9, 10):
                approve(id)
            self.assertEqual([remove(1), remove_all({"id": 2})], [1, 2])
            self.assertEqual(reports(), [])
            self.assertEqual([remove(7), remove(id=7), remove_all({"id": 8})], [7, 7, 8])
            self.assertEqual(reports(), [("succeeded", None)] * 2)
            with self.assertRaises(ValueError):
                remove(9)
            self.assertEqual(reports()[2:], [("failed", "Gone already.")])
            # A parameter of any names, whose members are the arguments.
            self.assertEqual(asyncio.run(remove_later(id=10)), 10)
            self.assertEqual(reports()[3:], [("succeeded", None)])

    def test_a_value_that_asks_nothing_is_an_error_and_nobody_is_asked(self):
        with FakeServer(lambda q: True) as fake:
            for value in (None, 7, {}, {"question": 7}, {"tool": "remove"}, ["Go?"]):
                with self.assertRaises(TypeError):
                    both = [interrupt("a", "Go?"), interrupt("b", value)]
                    answer_interrupts(both, server=fake.server)
            with self.assertRaises(TypeError):
                answer_interrupts([interrupt("a", CALL)], server=fake.server, edit={})
            self.assertEqual(fake.questions, [])


if __name__ == "__main__":
    unittest.main()
