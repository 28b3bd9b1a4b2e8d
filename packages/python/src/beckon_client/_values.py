"""Values that a person can be shown whole: copies of them, and their JSON."""

from __future__ import annotations

import copy
import dataclasses
import pathlib
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

_AS_THEY_ARE = (type(None), bool, int, float, str, Decimal, UUID, date, datetime, time)
_PATHS = (
    pathlib.PurePosixPath,
    pathlib.PureWindowsPath,
    pathlib.PosixPath,
    pathlib.WindowsPath,
)


def copy_of(value: Any, place: str = "", inside: tuple[int, ...] = ()) -> Any:
    """
    A deep copy: what it holds later is what it held now. Raises TypeError, with its name and its
    place, for anything but dicts, lists, tuples, data classes, enums, paths, UUIDs, decimals, dates,
    times, text, numbers, booleans and None. Subclasses may show one thing and be another.
    """
    kind = type(value)
    if kind in _AS_THEY_ARE or kind in _PATHS or isinstance(value, Enum):
        return value
    if id(value) in inside:
        raise _refusal(place, "a value that contains itself")
    within = (*inside, id(value))
    if kind in (list, tuple):
        return kind(copy_of(one, f"{place}[{at}]", within) for at, one in enumerate(value))
    if kind is dict:
        return {name: copy_of(one, _member(place, name), within) for name, one in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [one.name for one in dataclasses.fields(value)]
        if set(getattr(value, "__dict__", ())) - set(names):
            raise _refusal(place, f"a {kind.__name__} that holds more than its fields")
        made = copy.copy(value)
        for name in names:
            member = copy_of(getattr(value, name), _member(place, name), within)
            # Also of a frozen one.
            object.__setattr__(made, name, member)
        return made
    raise _refusal(place, f"a {kind.__name__}")


def plain(value: Any) -> Any:
    """The JSON value that a copy is shown as; an enum by its value."""
    if isinstance(value, Enum):
        return plain(copy_of(value.value, type(value).__name__))
    if isinstance(value, Decimal):
        if not value.is_finite():
            raise TypeError(f"{value} is no number that can be shown whole.")
        return str(value)
    if isinstance(value, (UUID, pathlib.PurePath)):
        return str(value)
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {name: plain(one) for name, one in value.items()}
    if dataclasses.is_dataclass(value):
        return {one.name: plain(getattr(value, one.name)) for one in dataclasses.fields(value)}
    return value


def like(before: Any, value: Any) -> Any:
    """A JSON value as what was there before. Raises ValueError for one that it cannot be."""
    kind = type(before)
    if isinstance(before, Enum):
        return kind(value)
    if kind in (date, time, datetime):
        return kind.fromisoformat(value)
    try:
        return kind(value) if kind in (*_PATHS, Decimal, UUID, tuple, float) else value
    except ArithmeticError as error:
        raise ValueError(f"{value!r} is no number.") from error


def _member(place: str, name: Any) -> str:
    return f"{place}.{name}" if place else str(name)


def _refusal(place: str, what: str) -> TypeError:
    return TypeError(
        f"{place or 'The value'} is {what}. Only dicts, lists, data classes, enums, paths, UUIDs,"
        " decimals, dates, times, text, numbers, booleans and None can be shown whole."
    )
