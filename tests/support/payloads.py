"""The fields of every event of a match, in the words of the verifier in the browser."""

from __future__ import annotations

import msgspec

from pbem.matches.events import CATALOGUE, MatchEvent

WORDS = {
    "str": "text",
    "int": "whole",
    "bool": "flag",
    "str | None": "text-or-null",
    "dict[str, typing.Any]": "map",
    "dict[str, str]": "texts-by-name",
    "dict[str, int]": "numbers-by-name",
    "list[str]": "texts",
    "list[dict[str, str]]": "list-of-texts-by-name",
    "list[dict[str, typing.Any]]": "maps",
}


def fields_of_events() -> dict[str, str]:
    """Return for each type its fields; `?` marks one that may be missing, `*` that there may be others."""
    return {word: _fields(kind) for word, kind in sorted(CATALOGUE.items()) if issubclass(kind, MatchEvent)}


def _fields(kind: type[MatchEvent]) -> str:
    said = [
        f"{field.encode_name}{'' if field.required else '?'}:{_word(field.type)}"
        for field in msgspec.structs.fields(kind)
    ]
    return " ".join([*said, *([] if kind.__struct_config__.forbid_unknown_fields else ["*"])])


def _word(found: object) -> str:
    name = found.__name__ if found in (str, int, bool) else str(found)  # type: ignore[union-attr]
    return WORDS[name.removesuffix(" | msgspec.UnsetType")]
