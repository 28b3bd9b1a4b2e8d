"""JSON as RFC 8785 writes it: the same bytes for the same value, in every language."""

from __future__ import annotations

import hashlib
import json
import math
from typing import Any


def canonical(value: Any) -> str:
    """
    Raises TypeError for what JSON cannot say everywhere: numbers that are not finite or have more
    digits than a double, lone surrogates, keys that are no text, circles, objects of other types.
    """
    return _written(value, ())


def digest_of(value: Any) -> str:
    """SHA-256 of the canonical JSON, in hex."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def _written(value: Any, inside: tuple[int, ...]) -> str:
    if value is None:
        return "null"
    if value is True:
        return "true"
    if value is False:
        return "false"
    if isinstance(value, str):
        return _quoted(value)
    if isinstance(value, (int, float)):
        return _number(value)
    if not isinstance(value, (dict, list, tuple)):
        raise TypeError(f"{type(value).__name__} has no JSON that is the same everywhere.")
    if id(value) in inside:
        raise TypeError("A value that contains itself has no JSON.")
    within = (*inside, id(value))
    if isinstance(value, (list, tuple)):
        return "[" + ",".join(_written(one, within) for one in value) + "]"
    for name in value:
        if not isinstance(name, str):
            raise TypeError("A key that is no text has no JSON that is the same everywhere.")
    # By UTF-16 code units.
    names: list[str] = sorted(value, key=_units)
    return "{" + ",".join(f"{_quoted(n)}:{_written(value[n], within)}" for n in names) + "}"


def _units(name: str) -> bytes:
    return name.encode("utf-16-be", "surrogatepass")


def _quoted(text: str) -> str:
    if any(0xD800 <= ord(one) <= 0xDFFF for one in text):
        raise TypeError("Text with half a surrogate pair has no JSON that is the same everywhere.")
    return json.dumps(text, ensure_ascii=False)


def _number(value: int | float) -> str:
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number) or number != value:
        raise TypeError(f"{value} is no number of JSON, which has doubles alone.")
    if number == 0:
        return "0"
    sign = "-" if number < 0 else ""
    digits, point = _shortest(abs(number))
    count = len(digits)
    # ECMA-262, Number::toString.
    if count <= point <= 21:
        return sign + digits + "0" * (point - count)
    if 0 < point <= 21:
        return f"{sign}{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{digits}"
    tail = f".{digits[1:]}" if count > 1 else ""
    return f"{sign}{digits[0]}{tail}e{point - 1:+d}"


def _shortest(number: float) -> tuple[str, int]:
    """The digits without zeros at either end, and how many of them stand before the point."""
    mantissa, _, exponent = repr(number).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = whole + fraction
    zeros = len(digits) - len(digits.lstrip("0"))
    return digits.strip("0"), len(whole) - zeros + int(exponent or 0)
