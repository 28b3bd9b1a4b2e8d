import asyncio

from beckon_client import aio
from systems import MAILS, send


@aio.require_approval(name="send", label="Send an e-mail")
async def send_after_yes(to, subject, body):
    send(to, subject, body)


async def main():
    for outcome in await asyncio.gather(*(send_after_yes(**mail) for mail in MAILS)):
        print(outcome.status, getattr(outcome, "note", None) or "")


asyncio.run(main())
