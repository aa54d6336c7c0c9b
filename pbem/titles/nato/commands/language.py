"""35.8.4 The lines by which seats of a side hand over points and units.

give northag 4 tactical 1 operational      lend 33/4A to northag until 5      recall 33/4A
deputy centag for northag                  priority northag centag
ceasefire nato marginal
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from pbem.engine.rules.decision import Said
from pbem.engine.rules.refusals import Illegal, Objection, Path, Unreadable
from pbem.engine.text.grammar import Words, part, tokens
from pbem.engine.text.messages import Message, say
from pbem.titles.nato.board import Board
from pbem.titles.nato.cards.units import Side
from pbem.titles.nato.commands.ceasefire import line_of, terms_of
from pbem.titles.nato.commands.pools import KINDS
from pbem.titles.nato.map.grid import is_number
from pbem.titles.nato.player.language import unit_named
from pbem.titles.nato.player.orders import Dispositions, Gift, Lending

EXAMPLES: Final = ("give northag 4 tactical", "lend 33/4A to northag until 5", "priority northag centag")


def command_lines(given: Dispositions) -> Iterator[str]:
    """Yield the lines that express a seat's dispositions in order notation."""
    yield from (f"give {gift.seat} {gift.number} {gift.kind}" for gift in given.give)
    for loan in given.lend:
        yield f"lend {loan.unit} to {loan.seat}" + (f" until {loan.until}" if loan.until else "")
    yield from (f"recall {id}" for id in given.recall)
    yield from (f"deputy {deputy} for {seat}" for seat, deputy in given.deputies.items())
    if given.priority:
        yield f"priority {' '.join(given.priority)}"
    if given.ceasefire:
        yield line_of(given.ceasefire)


def command_name(at: Path, given: Dispositions) -> str:
    """Return the disposition that an objection is about, in order notation; empty if it is about all of them."""
    match at:
        case (_, "give" | "lend" | "recall" as kind, int(number)):
            one = Dispositions(**{kind: getattr(given, kind)[number : number + 1]})
        case (_, "deputies" | "priority" | "ceasefire" as kind, *_):
            one = Dispositions(**{kind: getattr(given, kind)})
        case _:
            return ""
    return next(command_lines(one), "")


def read_command(board: Board, side: Side, words: Words, said: Said) -> bool:
    """Read a line about the commands of a side; return whether it was such a line."""
    reader = READERS.get(str(words.data))
    if reader is not None:
        reader(board, side, words, said)
    return reader is not None


def read_give(board: Board, side: Side, words: Words, said: Said) -> None:
    """Read `give northag 4 tactical 1 operational`."""
    seat, *rest = tokens(words, "NAME")
    if not rest or len(rest) % 2:
        raise unreadable(" ".join((seat, *rest)), say("say what to give and how many"))
    for number, kind in zip(rest[::2], rest[1::2], strict=True):
        if not is_number(number):
            raise unreadable(number, say("say what to give and how many"))
        said.add(("command", "give"), Gift(seat, kind_named(kind), int(number)))


def kind_named(word: str) -> str:
    """Return the kind of point or Lift Command that a word names."""
    meant = [kind for kind in KINDS if kind.startswith(word.lower())]
    return meant[0] if len(meant) == 1 else {"tap": "tactical", "oap": "operational"}.get(word.lower(), word.lower())


def read_lend(board: Board, side: Side, words: Words, said: Said) -> None:
    """Read `lend 33/4A to northag until 5`."""
    named = part(words, "names")
    units = tokens(named, "NAME") if named is not None else []
    seat, *turn = tokens(words, "NAME")[len(units) :]
    if turn and not is_number(turn[0]):
        raise unreadable(turn[0], say("give the number of the last turn"))
    until = int(turn[0]) if turn else 0
    for word in units:
        said.add(("command", "lend"), Lending(unit_named(word, board.of(side)).id, seat, until))


def read_recall(board: Board, side: Side, words: Words, said: Said) -> None:
    """Read `recall 33/4A`."""
    for word in tokens(words, "NAME"):
        said.add(("command", "recall"), unit_named(word, board.of(side)).id)


def read_deputy(board: Board, side: Side, words: Words, said: Said) -> None:
    """Read `deputy centag for northag`."""
    deputy, seat = tokens(words, "NAME")
    once(said, ("command", "deputies", seat), Objection("35.8", say("name one deputy for a seat")))
    said.put(("command", "deputies", seat), deputy)


def read_priority(board: Board, side: Side, words: Words, said: Said) -> None:
    """Read `priority northag centag`."""
    once(said, ("command", "priority"), Objection("35.8", say("put all seats on one line, the first one first")))
    said.put(("command", "priority"), tokens(words, "NAME"))


def read_ceasefire(board: Board, side: Side, words: Words, said: Said) -> None:
    """35.1.2 Read `ceasefire`, `ceasefire 3 nato`, `ceasefire nato marginal` or `ceasefire never`."""
    named = part(words, "names")
    once(said, ("command", "ceasefire"), Objection("35.1.2", say("propose one ceasefire at a time")))
    said.put(("command", "ceasefire"), terms_of(tokens(named, "NAME") if named is not None else []))


def once(said: Said, at: Path, otherwise: Objection) -> None:
    """Refuse a line that would replace an earlier line."""
    if said.has(at):
        raise Illegal(str(at[1]), [otherwise])


def unreadable(word: str, why: Message | str, instead: Sequence[str] = EXAMPLES) -> Unreadable:
    return Unreadable(word, [Objection("35.8.4", why)], instead)


READERS: Final[Mapping[str, Callable[[Board, Side, Words, Said], None]]] = {
    "give": read_give,
    "lend": read_lend,
    "recall": read_recall,
    "deputy": read_deputy,
    "priority": read_priority,
    "ceasefire": read_ceasefire,
}
