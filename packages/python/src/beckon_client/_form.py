"""Forms: a small JSON Schema from a data class or a TypedDict, and the value that answers it."""

from __future__ import annotations

import dataclasses
import json
import re
import types
from datetime import date
from enum import Enum
from typing import (
    Annotated,
    Any,
    Literal,
    Mapping,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

_TEXT_MAX = 2_000
_ITEMS_MAX = 50
_DATE = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)


def schema_of(form: Any) -> dict[str, Any]:
    """
    The schema of a form: a JSON Schema as it is, or that of a data class or TypedDict. Fields are
    `str`, `int`, `float`, `bool`, `date`, `Literal`, an Enum of texts, `list` of those texts;
    `Annotated[str, {"title": …, "maxLength": …}]` adds members; `| None`, a default or `NotRequired`
    makes a field optional. Raises TypeError for any other.
    """
    if isinstance(form, Mapping):
        return dict(form)
    if not isinstance(form, type) or not (dataclasses.is_dataclass(form) or is_typeddict(form)):
        raise TypeError(f"{form!r} is no JSON Schema, data class or TypedDict.")
    hints = get_type_hints(form, include_extras=True)
    fields = {name: _field(name, hint) for name, hint in hints.items()}
    required = _required(form, hints)
    return {"type": "object", "properties": fields, "required": required}


def _required(form: Any, hints: Mapping[str, Any]) -> list[str]:
    names = [name for name, hint in hints.items() if not _is_optional(hint)]
    if is_typeddict(form):
        return [name for name in names if name in form.__required_keys__]
    with_default = {
        one.name
        for one in dataclasses.fields(form)
        if one.default is not dataclasses.MISSING or one.default_factory is not dataclasses.MISSING
    }
    return [name for name in names if name not in with_default]


def _is_optional(hint: Any) -> bool:
    kind, _ = _bare(hint)
    return get_origin(kind) in (Union, types.UnionType) and type(None) in get_args(kind)


def _bare(hint: Any) -> tuple[Any, dict[str, Any]]:
    """The type in a hint, and the members that it is annotated with."""
    more: dict[str, Any] = {}
    # From typing_extensions in Python 3.10.
    while get_origin(hint) is Annotated or getattr(get_origin(hint), "__name__", "") in _WRAPPERS:
        if get_origin(hint) is Annotated:
            for one in hint.__metadata__:
                more.update(one if isinstance(one, dict) else {})
        hint = get_args(hint)[0]
    return hint, more


_WRAPPERS = ("NotRequired", "Required")
_KINDS: dict[Any, dict[str, Any]] = {
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    date: {"type": "string", "format": "date"},
}


def _kind(hint: Any) -> tuple[Any, dict[str, Any]]:
    kind, more = _bare(hint)
    if get_origin(kind) in (Union, types.UnionType):
        others = [one for one in get_args(kind) if one is not type(None)]
        if len(others) == 1:
            inner, inner_more = _kind(others[0])
            return inner, {**inner_more, **more}
    return kind, more


def _field(name: str, hint: Any) -> dict[str, Any]:
    kind, more = _kind(hint)
    if kind in _KINDS:
        return {**_KINDS[kind], **more}
    choices = _choices(kind)
    if choices is not None:
        return {"type": "string", "enum": choices, **more}
    if get_origin(kind) is list:
        item, _ = _kind(get_args(kind)[0])
        listed = _choices(item)
        if item is str or listed is not None:
            items = {"type": "string", **({} if listed is None else {"enum": listed})}
            return {"type": "array", "items": items, **more}
    raise TypeError(f"{name}: a form has no field of the type {hint!r}.")


def _choices(kind: Any) -> list[str] | None:
    if get_origin(kind) is Literal:
        given = list(get_args(kind))
    elif isinstance(kind, type) and issubclass(kind, Enum):
        given = [one.value for one in kind]
    else:
        return None
    return given if all(isinstance(one, str) for one in given) else None


def read_form(form: Any, text: Any) -> Any:
    """
    The value in the JSON text of an answer: of a data class an instance, else a dict. None for one that
    is no answer to this form.
    """
    schema = schema_of(form)
    try:
        value = json.loads(text)
    except (TypeError, ValueError):
        return None
    if wrong_value(schema, value):
        return None
    if isinstance(form, Mapping):
        return value
    hints = get_type_hints(form, include_extras=True)
    members = {name: _typed(_kind(hints[name])[0], one) for name, one in value.items()}
    if is_typeddict(form):
        return members
    for one in dataclasses.fields(form):
        if one.name not in members and _is_optional(hints[one.name]):
            members.setdefault(one.name, None if one.default is dataclasses.MISSING else one.default)
    return form(**members)


def _typed(kind: Any, value: Any) -> Any:
    if kind is date:
        return date.fromisoformat(value)
    if kind is float:
        return float(value)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return kind(value)
    if get_origin(kind) is list:
        item = _kind(get_args(kind)[0])[0]
        return [_typed(item, one) for one in value]
    return value


def wrong_value(schema: Mapping[str, Any], value: Any) -> list[str]:
    """The names of the fields that are wrong in a value, `""` for the whole; as the server checks it."""
    if not isinstance(value, dict):
        return [""]
    fields = schema["properties"]
    missing = [name for name in schema.get("required", ()) if name not in value]
    wrong = [n for n, one in value.items() if n not in fields or not _fits(fields[n], one)]
    return [*missing, *wrong]


def _fits(field: Mapping[str, Any], value: Any) -> bool:
    kind = field["type"]
    if kind == "boolean":
        return isinstance(value, bool)
    if kind == "array":
        least, most = field.get("minItems", 0), field.get("maxItems", _ITEMS_MAX)
        choices = field["items"].get("enum")
        return (
            isinstance(value, list)
            and least <= len(value) <= most
            and all(one in choices if choices else _is_text(one, 0, _TEXT_MAX) for one in value)
        )
    if kind == "string":
        if "enum" in field:
            return value in field["enum"]
        if field.get("format") == "date":
            return _is_date(value)
        return _is_text(value, field.get("minLength", 0), field.get("maxLength", _TEXT_MAX))
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    if kind == "integer" and not (float(value).is_integer() and abs(value) < 2**53):
        return False
    if value != value or value in (float("inf"), float("-inf")):
        return False
    return not (value < field.get("minimum", value) or value > field.get("maximum", value))


def _is_text(value: Any, least: int, most: int) -> bool:
    return isinstance(value, str) and least <= len(value) <= most


def _is_date(value: Any) -> bool:
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        return False
    try:
        date.fromisoformat(value)
    except ValueError:
        return False
    return True
