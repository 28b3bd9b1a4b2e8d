"""How far an open question is: whom it rang, and who says that it was shown."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import Any, Callable, Literal, Mapping
from urllib.parse import quote

from ._server import BeckonError, Server, Unreached, call


@dataclass(frozen=True)
class Progress:
    """
    `asked`: it is open. `rang`: the services of so many devices accepted it. `shown`: so many say that
    they showed it. What is not known is None.
    """

    step: Literal["asked", "rang", "shown"]
    id: str
    answer_url: str | None = None
    """Where a person who is signed in can answer."""
    addressed: int | None = None
    """Devices and chat channels that it is for; phones may join later."""
    accepted: int | None = None
    shown: int | None = None


OnProgress = Callable[[Progress], Any]


class Watch:
    """
    Reads how far a question is, and reports what changed. What is not known is not reported; what
    `on_progress` raises changes nothing about the question.
    """

    def __init__(
        self, id: str, first: Mapping[str, Any], on_progress: OnProgress, server: Server | None
    ) -> None:
        url = first.get("answerUrl")
        self._on_progress = on_progress
        self._server = server
        self._tell(Progress("asked", id, url if isinstance(url, str) else None))

    def look(self) -> None:
        last = self._last
        path = f"/questions/{quote(last.id, safe='')}/delivery"
        try:
            reply = call(self._server, path, try_until=time.monotonic())
        except (Unreached, BeckonError):
            return
        addressed, accepted = reply.get("addressed"), reply.get("accepted")
        now = replace(last, addressed=addressed, accepted=accepted)
        if accepted and (accepted, addressed) != (last.accepted, last.addressed):
            self._tell(replace(now, step="rang"))
        shown = reply.get("shown", 0)
        if shown > (last.shown or 0):
            self._tell(replace(now, step="shown", shown=shown))

    def _tell(self, progress: Progress) -> None:
        self._last = progress
        try:
            self._on_progress(progress)
        except Exception:
            pass
