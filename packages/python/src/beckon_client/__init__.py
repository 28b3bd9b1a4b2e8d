"""Ask a person from your agent, and get the decision."""

from ._server import BeckonError, Server
from ._callback import Forged, Genuine, verify_callback
from ._client import About, Listed, Sent, ask, cancel, list_questions, notify, propose_scope, resume, wait
from ._form import read_form
from ._outcome import Answered, Declined, Ended, Outcome, Unreachable
from ._progress import Progress
from ._protect import Allowed, Done, NotAllowed, Refused, gate, human_as_tool, protect, require_approval

__all__ = [
    "About",
    "Allowed",
    "Answered",
    "BeckonError",
    "Declined",
    "Done",
    "Ended",
    "Forged",
    "Genuine",
    "Listed",
    "NotAllowed",
    "Outcome",
    "Progress",
    "Refused",
    "Sent",
    "Server",
    "Unreachable",
    "ask",
    "cancel",
    "gate",
    "human_as_tool",
    "list_questions",
    "notify",
    "propose_scope",
    "protect",
    "read_form",
    "require_approval",
    "resume",
    "verify_callback",
    "wait",
]
