"""Places of a report, as film, page and email print them: the one numbering that players see.

    4       turn 4
    4.7     scene 7 of turn 4
    4.7.2   the second sentence of that scene

Sentences that belong to no scene are `4.0.1` and so on. Numbers are those of one viewer: each seat counts the scenes
that it saw itself. The log counts exchanges and their sentences; `exchange 9` names one that has no turn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import msgspec

from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.text.messages import say, say_n
from pbem.matches.film.scenes import Spot
from pbem.matches.film.turns import film, turns
from pbem.matches.history.record import Record
from pbem.matches.history.replay import findings_seen
from pbem.matches.history.telling import Told, in_order
from pbem.matches.server import Server

PLACE = re.compile(
    r"(?:#?(?:turn|stage|scene|sentence)[\s-]*)?(\d{1,4})(?:\.(\d{1,4}))?(?:\.(\d{1,4}))?", re.IGNORECASE
)
EXCHANGE = re.compile(r"(?:exchange|report)\s*(\d{1,4})", re.IGNORECASE)
NO_SCENE = 0
RULE = "pbem/dispute"


class Passage(msgspec.Struct, frozen=True):
    """A place in terms of the log: the first and last exchange, and their sentences (all if none are named).

    A sentence is written `9.12`: the twelfth of exchange 9 in the viewer's report.
    """

    place: str
    first: int
    last: int
    sentences: tuple[str, ...] = ()


class Numbering(msgspec.Struct, frozen=True):
    """The sentences of a turn by scene, each by its exchange and its number in the report of that exchange."""

    turn: int
    scenes: dict[int, list[tuple[int, int]]]


def numbering(server: Server, record: Record, viewer: str, turn: int, *, upto: int | None = None) -> Numbering:
    """Number the sentences of a turn as this viewer reads them."""
    match = record.stream.removeprefix("match/")
    shown = film(server, match, viewer, turn, upto=upto)
    scene_of = {spot: scene.number for scene in shown.scenes for spot in scene.told} if shown is not None else {}
    found: dict[int, list[tuple[int, int]]] = (
        {scene.number: [] for scene in shown.scenes} if shown is not None else {}
    )
    for entry in turns(record).get(turn, []):
        if upto is None or entry.exchange <= upto:
            for spot, number in _spots(entry.exchange, findings_seen(server, entry, viewer)):
                found.setdefault(scene_of.get(spot, NO_SCENE), []).append((entry.exchange, number))
    return Numbering(turn, {scene: found[scene] for scene in sorted(found)})


def _spots(exchange: int, findings: Sequence[Finding]) -> Iterator[tuple[Spot, int]]:
    """Yield the sentences of a report by number, each with the top-level finding to which it belongs."""
    trunk = iter(enumerate(findings))
    spot = Spot(exchange, 0)
    for number, (told, depth, _) in enumerate(in_order(findings), start=1):
        if depth == 0:
            spot = Spot(exchange, next(index for index, finding in trunk if finding is told))
        yield spot, number


def number_sentences(server: Server, record: Record, viewer: str, exchange: int, told: Sequence[Told]) -> list[str]:
    """Return the place (turn, scene and number) of each sentence of a report."""
    turn = turn_with(record, exchange)
    if turn is None:
        return [""] * len(told)
    by_sentence = {
        sentence: f"{turn}.{scene}.{number}"
        for scene, sentences in numbering(server, record, viewer, turn, upto=exchange).scenes.items()
        for number, sentence in enumerate(sentences, start=1)
    }
    return [by_sentence[exchange, number] for number in range(1, len(told) + 1)]


def turn_with(record: Record, exchange: int) -> int | None:
    """Return the turn of an exchange; None if it no longer counts."""
    by_turn = turns(record).items()
    return next((turn for turn, entries in by_turn if exchange in [entry.exchange for entry in entries]), None)


def report_on(record: Record, turn: int) -> int:
    """Return the last exchange of a turn, whose report covers all of it; 0 if the turn has not been played."""
    played = [entry.exchange for entry in turns(record).get(turn, []) if entry.exchange > 1]
    return played[-1] if played else 0


# Finding a place ---------------------------------------------------------------------------------------------


def plain(said: str) -> str:
    """A place as a report prints it; exchanges, which are numbered only in the log, keep the word `exchange`."""
    numbers = re.sub(r"[^\d.]|\.(?!\d)", "", said)
    return f"exchange {numbers}" if re.search("exchange|report", said, re.IGNORECASE) else numbers


def find(server: Server, record: Record, viewer: str, said: str) -> Passage:
    """Return the passage of a viewer's report that a place refers to."""
    if (exchange := EXCHANGE.fullmatch(said.strip())) is not None:
        return _exchange(record, int(exchange[1]))
    place = PLACE.fullmatch(said.strip())
    if place is None:
        raise _unknown(
            said, Objection(RULE, say("say which turn, scene or sentence you mean")), ["4", "4.7", "4.7.2"]
        )
    turn, scene, sentence = (int(number) if number else None for number in place.groups())
    assert turn is not None
    played = [entry.exchange for entry in turns(record).get(turn, []) if entry.exchange > 1]
    if not played:
        raise _unknown(said, Objection(RULE, say("turn {turn} has not been played", turn=turn)), turns_played(record))
    if scene is None:
        return Passage(str(turn), played[0], played[-1])
    return _passage(numbering(server, record, viewer, turn), scene, sentence)


def _exchange(record: Record, exchange: int) -> Passage:
    if exchange not in record.closings or exchange == 1:
        closed = [f"exchange {number}" for number in record.closings if number > 1]
        raise _unknown(f"exchange {exchange}", Objection(RULE, say("no exchange has that number")), closed[-3:])
    return Passage(f"exchange {exchange}", exchange, exchange)


def turns_played(record: Record) -> list[str]:
    """The last turns that have been played, as a report numbers them."""
    return [str(turn) for turn, entries in turns(record).items() if entries[-1].exchange > 1][-3:]


def _passage(found: Numbering, scene: int, sentence: int | None) -> Passage:
    """Return the passage of a scene, or of one sentence in it."""
    place, known = f"{found.turn}.{scene}", found.scenes.get(scene, [])
    if sentence is not None and known:
        if not 1 <= sentence <= len(known):
            why = Objection(RULE, say_n("that scene has {n} sentence", "that scene has {n} sentences", n=len(known)))
            raise _unknown(f"{place}.{sentence}", why, [f"{place}.{len(known)}", place])
        place, known = f"{place}.{sentence}", known[sentence - 1 : sentence]
    known = [one for one in known if one[0] > 1]  # no orders were given before the first exchange
    if not known:
        scenes = [f"{found.turn}.{number}" for number, sentences in found.scenes.items() if sentences]
        why = Objection(RULE, say("your report on turn {turn} has no scene {place}", turn=found.turn, place=place))
        raise _unknown(place, why, [*scenes[-3:], str(found.turn)])
    exchanges = [exchange for exchange, _ in known]
    return Passage(place, min(exchanges), max(exchanges), tuple(f"{one}.{number}" for one, number in known))


def _unknown(part: str, why: Objection, instead: Sequence[str]) -> Unreadable:
    return Unreadable(part, [why], [f"dispute {one}: what was wrong" for one in instead])
