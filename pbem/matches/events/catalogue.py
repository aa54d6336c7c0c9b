"""Check new events against their classes, and write the catalogue of all events."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from eventstore import BadEvent, NewEvent
from pbem.matches.events.base import CATALOGUE, AccountEvent, MatchEvent, PrivilegeEvent, ServerEvent, StoredEvent

STREAMS: Mapping[str, type[StoredEvent]] = {
    "match": MatchEvent,
    "account": AccountEvent,
    "server": ServerEvent,
    "privilege": PrivilegeEvent,
}


def check_new(stream: str, new: NewEvent) -> None:
    """Refuse an event that does not belong in its stream, or that does not fit its class."""
    base = STREAMS.get(stream.partition("/")[0])
    if base is None:
        return  # a stream of another package, which has its own catalogue
    kind = CATALOGUE.get(new.type)
    if kind is None or not issubclass(kind, base):
        raise BadEvent(f"{new.type} does not belong in {stream}")
    if new.schema != kind.schema:
        raise BadEvent(f"{new.type} has schema {kind.schema}, not {new.schema}")
    try:
        msgspec.convert(new.payload, kind)
    except msgspec.ValidationError as error:
        raise BadEvent(f"{new.type}: {error}") from error


def catalogue() -> str:
    """Return `guide/events.md`."""
    said = [
        "# Events",
        "",
        "Generated from `pbem/matches/events` by `python -m pbem.matches.events`. Every event has a type, a",
        "schema number, a public payload with these fields, and parts whose content only some may read. Each field",
        "is followed by its type; `?` marks a field that may be missing, `*` means that there may be others.",
    ]
    for prefix, base in STREAMS.items():
        said += ["", f"## Streams `{prefix}{'' if prefix in ('server', 'privilege') else '/ID'}`", ""]
        said += ["| type | schema | fields | parts (who may read them) | meaning |", "|---|---|---|---|---|"]
        said += [_row(word, kind) for word, kind in sorted(CATALOGUE.items()) if issubclass(kind, base)]
    return "\n".join(said) + "\n"


TYPES: Mapping[str, str] = {
    "str": "text",
    "int": "whole",
    "bool": "flag",
    "str | None": "text-or-null",
    "int | None": "whole-or-null",
    "dict[str, typing.Any]": "map",
    "dict[str, str]": "texts-by-name",
    "dict[str, int]": "numbers-by-name",
    "list[str]": "texts",
    "tuple[str, ...]": "texts",
    "list[dict[str, str]]": "list-of-texts-by-name",
    "list[dict[str, typing.Any]]": "maps",
    "tuple[pbem.matches.clock.causes.Cause, ...]": "maps",
}
"""The names of field types in the catalogue and in the verifier in the browser."""


def fields_of(kind: type[StoredEvent]) -> list[str]:
    """Return the fields with their types; `?` means that a field may be missing, `*` that there may be others."""
    said = [
        f"{field.encode_name}{'' if field.required else '?'}:{type_in_words(field.type)}"
        for field in msgspec.structs.fields(kind)
    ]
    return [*said, *([] if kind.__struct_config__.forbid_unknown_fields else ["*"])]


def type_in_words(found: object) -> str:
    """Return the word for the type of a field."""
    name = found.__name__ if isinstance(found, type) else str(found)
    plain = name.removesuffix(" | msgspec.UnsetType")
    return TYPES.get(plain, plain)


def _row(word: str, kind: type[StoredEvent]) -> str:
    fields = " ".join(f"`{field}`" for field in fields_of(kind))
    parts = "; ".join(f"`{name}`: {said}" for name, said in kind.parts.items())
    sentence = " ".join((kind.__doc__ or "").split())
    return f"| `{word}` | {kind.schema} | {fields} | {parts} | {sentence} |"
