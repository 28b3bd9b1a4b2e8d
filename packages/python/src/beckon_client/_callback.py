"""Answers that the server posts: whether they are genuine."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from dataclasses import dataclass, field
from typing import Any, Literal, Mapping, Union

_AGE_MAX_S = 5 * 60
_SECRET = "whsec_"


@dataclass(frozen=True)
class Genuine:
    event: dict[str, Any]
    """`correlationId`, `question`, `value` and more; see docs/callbacks.md."""
    status: Literal["genuine"] = field(default="genuine", init=False)


@dataclass(frozen=True)
class Forged:
    reason: str
    status: Literal["forged"] = field(default="forged", init=False)


Verified = Union[Genuine, Forged]


def verify_callback(
    body: bytes | str, headers: Mapping[str, str], secret: str, now: float | None = None
) -> Verified:
    """
    Whether a callback is the server's and not older than five minutes. `body` is as it came: parsed
    and written again it would be another text. `secret` is whsec_…, of Settings, Callbacks.
    """
    given = {name.lower(): value for name, value in headers.items()}
    id, stamp = given.get("webhook-id"), given.get("webhook-timestamp", "")
    if not id or not stamp.isascii() or not stamp.isdigit():
        return Forged("It has no signature of a webhook.")
    if abs((time.time() if now is None else now) - int(stamp)) > _AGE_MAX_S:
        return Forged("It is older than five minutes, or the clocks differ.")
    raw = body.encode() if isinstance(body, str) else body
    key = base64.b64decode(secret.removeprefix(_SECRET))
    wanted = hmac.new(key, f"{id}.{stamp}.".encode() + raw, hashlib.sha256).digest()
    for one in given.get("webhook-signature", "").split(" "):
        if one.startswith("v1,") and hmac.compare_digest(_decoded(one[3:]), wanted):
            return _read(raw)
    return Forged("No signature fits: another secret, or another body.")


def _read(raw: bytes) -> Verified:
    try:
        return Genuine(json.loads(raw))
    except ValueError:
        return Forged("The body is no JSON.")


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""
