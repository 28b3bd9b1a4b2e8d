"""The fake server for tests of programs."""

import asyncio
import threading
import unittest

from beckon_client import (
    BeckonError,
    aio,
    ask,
    cancel,
    gate,
    list_questions,
    notify,
    propose_scope,
    require_approval,
    resume,
    wait,
)
from beckon_client.testing import FakeServer

FORM = {
    "type": "object",
    "properties": {"amount": {"type": "number", "maximum": 50}},
    "required": ["amount"],
}
ANSWERS = {
    **{"Deploy?": True, "Delete?": False, "Which?": "left", "Name?": "Ada"},
    **{"Refund?": {"amount": 12}, "Green.": True, "Odd?": "yes", "More?": {"amount": 70}},
}


class Fakes(unittest.TestCase):
    def test_a_script_answers_every_kind(self):
        with FakeServer(lambda one: ANSWERS[one.question]) as fake:
            to = {"server": fake.server}
            self.assertIs(ask.confirm("Deploy?", **to).value, True)
            self.assertEqual(ask.confirm("Delete?", **to).status, "declined")
            self.assertEqual(ask.choose("Which?", ["left", "right"], **to).value, "left")
            self.assertEqual(ask.text("Name?", **to).value, "Ada")
            self.assertEqual(ask.form("Refund?", FORM, **to).value, {"amount": 12})
            scope = propose_scope("Green.", session_id="s", allowed_paths=["src"], **to)
            self.assertEqual(scope.value["allowedPaths"], ["src"])
            with self.assertRaisesRegex(BeckonError, "True or False"):
                ask.confirm("Odd?", **to)
            with self.assertRaisesRegex(BeckonError, "amount"):
                ask.form("More?", FORM, **to)

    def test_an_open_question_is_answered_later_withdrawn_or_expires(self):
        with FakeServer() as fake:
            night = {"server": fake.server, "subject": "nightly", "life_s": 28_800}
            first = ask.confirm("Restart?", **night, wait_s=1)
            self.assertEqual(first.status, "waiting")
            done = []
            job = threading.Thread(
                target=lambda: done.append(resume(first.handle, server=fake.server))
            )
            job.start()
            fake.answer(first.id, True, "Go on.")
            job.join()
            self.assertEqual((done[0].status, done[0].note), ("answered", "Go on."))
            self.assertEqual(ask.confirm("Restart?", **night).id, first.id)
            late = threading.Thread(
                target=lambda: done.append(ask.confirm("Later?", server=fake.server))
            )
            late.start()
            fake.wait_for_question("Later?")
            fake.pass_time(601)
            late.join()
            self.assertEqual(done[1].status, "expired")
            still = ask.confirm("Never mind?", server=fake.server, wait_s=1)
            self.assertTrue(cancel(still.id, server=fake.server))
            self.assertEqual(wait("q_none", server=fake.server).status, "missing")
            self.assertEqual(list_questions(server=fake.server).questions, [])
            ended = list_questions(state="ended", server=fake.server).questions
            self.assertEqual(
                [one["status"] for one in ended], ["cancelled", "expired", "answered"]
            )
            notify("Done", "All of it.", server=fake.server)
            self.assertEqual(fake.notifications[0]["title"], "Done")

    def test_progress_is_reported_and_what_it_raises_changes_nothing(self):
        steps = []
        with FakeServer() as fake:

            def on_progress(progress):
                steps.append(progress.step)
                if progress.step == "shown":
                    fake.answer(progress.id, True)
                raise OSError("A full disk.")

            to = {"server": fake.server, "on_progress": on_progress}
            self.assertEqual(ask.confirm("Deploy?", **to).status, "answered")
            self.assertTrue(gate("deploy", {}, **to).allowed)
            self.assertEqual(steps, ["asked", "rang", "shown"] * 2)

            async def on_the_loop():
                loop = asyncio.get_running_loop()

                def later(progress):
                    self.assertIs(asyncio.get_running_loop(), loop)
                    if progress.step == "shown":
                        fake.answer(progress.id, True)

                return await aio.ask.confirm("Go?", server=fake.server, on_progress=later)

            self.assertEqual(asyncio.run(on_the_loop()).status, "answered")

    def test_questions_are_listed_by_session_page_by_page(self):
        with FakeServer(lambda one: True) as fake:
            for session in ("a", "b", "a", "a"):
                ask.confirm("Deploy?", {"session_id": session}, server=fake.server)
            query = {"state": "ended", "session_id": "a", "limit": 2, "server": fake.server}
            page = list_questions(**query)
            ids = [one["correlationId"] for one in page.questions]
            self.assertEqual(ids, ["q_fake4", "q_fake3"])
            rest = list_questions(**query, cursor=page.next)
            self.assertEqual([one["sessionId"] for one in rest.questions], ["a"])
            self.assertIsNone(rest.next)

    def test_a_protected_function_runs_once_a_yes(self):
        ran = []
        with FakeServer(lambda one: one.question != "drop?") as fake:
            approved = require_approval(name="refund", subject="order-7", server=fake.server)
            refund = approved(lambda order: ran.append(order))
            self.assertEqual(refund(7).status, "done")
            self.assertEqual(refund(7).status, "refused")
            self.assertFalse(gate("drop", {}, server=fake.server).allowed)
        self.assertEqual(ran, [7])

    def test_a_server_that_does_not_know_a_field_is_said_to_be_older(self):
        fields = [{"field": "schema", "must": "is not a known field"}]
        error = BeckonError(422, {"detail": "Wrong.", "fields": fields})
        self.assertIn("may be older than the package", str(error))
        self.assertEqual(error.fields, fields)
        for other in ([{"field": "question", "must": "is required"}], ["a"], "ab", None, 7):
            self.assertEqual(str(BeckonError(422, {"detail": "Wrong.", "fields": other})), "Wrong.")

    def test_arguments_are_changed_as_a_person_does(self):
        ran = []
        edit = {"type": "object", "properties": {"amount": {"type": "integer", "maximum": 50}}}
        with FakeServer(lambda one: {"amount": 12}) as fake:
            pay = require_approval(edit=edit, server=fake.server)(lambda amount, to: ran.append((amount, to)))
            self.assertEqual(pay(20, to="DE02").status, "done")
            self.assertEqual(pay(51, to="DE02").status, "refused")
        self.assertEqual(ran, [(12, "DE02")])


if __name__ == "__main__":
    unittest.main()
