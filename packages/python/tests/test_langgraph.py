"""The adapter for LangGraph, without the framework; with it: test/long/frameworks."""

import unittest
from types import SimpleNamespace

from beckon_client.langgraph import answer_interrupts
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
