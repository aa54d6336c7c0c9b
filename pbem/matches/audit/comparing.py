"""Compare two exports of a match and name the first difference in words; this exposes a forked log."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

import msgspec

from eventstore import Event
from pbem.matches.clock.deadline_rules import in_words
from pbem.matches.history.export import Export


def differences(one: Export, two: Export) -> Iterator[str]:
    """Say how two exports differ: first in extent, then where their logs diverge, then in the parts they open."""
    if one.server != two.server:
        yield f"they come from different servers: {one.server} and {two.server}"
    if one.match != two.match:
        yield f"they are of different matches: {one.match} and {two.match}"
        return
    fork = next((n for n, (a, b) in enumerate(zip(one.events, two.events, strict=False)) if a.hash != b.hash), None)
    if fork is not None:
        yield from _fork_differences(one.events[fork], two.events[fork])
        return
    if len(one.events) != len(two.events):
        longer, name = (one, "first") if len(one.events) > len(two.events) else (two, "second")
        after = min(len(one.events), len(two.events))
        extra = longer.events[after]
        yield f"the logs agree up to event {after}; the {name} continues with {describe_event(extra)}"
    if one.viewer != two.viewer:
        yield f"the logs agree; the first was made for {one.viewer}, the second for {two.viewer}"
    else:
        yield from _different_parts(one, two)


def _fork_differences(a: Event, b: Event) -> Iterator[str]:
    yield f"THE LOG IS FORKED at event {a.version}: the server has told two stories"
    yield f"the first says:  {describe_event(a)}"
    yield f"the second says: {describe_event(b)}"
    if a.type == b.type:
        for path, left, right in _plain_differences(a.payload, b.payload):
            yield f"{path} is {left} in the first and {right} in the second"
        for left_part, right_part in zip_longest(a.parts, b.parts):
            if left_part != right_part:
                named = left_part or right_part
                assert named is not None
                yield f"the {named.name} for {named.audience} is committed to differently"
        if a.recorded_at != b.recorded_at:
            yield _dates(a.recorded_at, b.recorded_at)


def _dates(first: int, second: int) -> str:
    """Describe how two dates differ; if within a minute, by how much."""
    one, two = in_words(first), in_words(second)
    if one != two:
        return f"it is dated {one} in the first and {two} in the second"
    seconds, way = abs(first - second) / 1000, "earlier" if first < second else "later"
    return f"it is dated {seconds:.3f} seconds {way} in the first"


def describe_event(event: Event) -> str:
    """An event as a phrase: its type, its time, and what identifies it."""
    said = event.payload
    about = [f"{name} {said[name]}" for name in ("seat", "exchange", "number", "by", "why") if name in said]
    return f"{event.type} ({', '.join(about)}), {in_words(event.recorded_at)}" if about else event.type


def _plain_differences(left: Any, right: Any, path: str = "") -> Iterator[tuple[str, str, str]]:
    if isinstance(left, dict) and isinstance(right, dict):
        for name in dict.fromkeys((*left, *right)):
            yield from _plain_differences(left.get(name), right.get(name), f"{path}/{name}".strip("/"))
    elif left != right:
        yield path, _show(left), _show(right)


def _show(value: Any) -> str:
    return msgspec.json.encode(value).decode()[:80]


def _different_parts(one: Export, two: Export) -> Iterator[str]:
    """The parts of events in both logs that only one of them opens."""
    shared = one.events if len(one.events) <= len(two.events) else two.events
    refs = {ref.commitment: (event.version, ref) for event in shared for ref in event.parts}
    odd = (one.parts.keys() ^ two.parts.keys()) & refs.keys()
    for commitment in sorted(odd, key=lambda found: (refs[found][0], refs[found][1].name)):
        version, ref = refs[commitment]
        where = "first" if commitment in one.parts else "second"
        yield f"part {ref.name!r} for {ref.audience} of event {version} is open only in the {where}"
        return
