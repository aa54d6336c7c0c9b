"""12 The orders of the Movement Phase: all moves of a side, in the order in which they are made.

Moving        what the Movement Phase and the Reserve Phase share: moves, one per line
MovePhase     7.2 the first exchange of a player turn
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

import msgspec

from pbem.engine.play.choice import Choice
from pbem.engine.rules.decision import Said
from pbem.engine.rules.refusals import Illegal, Objection, Path, locate_objections
from pbem.engine.text.forms import FormLine
from pbem.engine.text.grammar import Words, tokens
from pbem.engine.text.messages import Name, say
from pbem.titles.nato.board import Unit
from pbem.titles.nato.commands.dispositions import disposition_objections
from pbem.titles.nato.commands.language import command_lines, command_name, read_command
from pbem.titles.nato.commands.powers import commands, may_order, several, theatre
from pbem.titles.nato.map.grid import HexId, distance, is_hex
from pbem.titles.nato.movement.costs import MARCH, MINIMUM, TACTICAL
from pbem.titles.nato.movement.moves import reachable_hexes
from pbem.titles.nato.movement.positions import gdp_objections
from pbem.titles.nato.movement.rehearsal import Rehearsal, move_objections
from pbem.titles.nato.movement.segments import DETRAIN, ENTRAIN, GROUND, RAIL, SEGMENTS, segment
from pbem.titles.nato.player.deciding import NatoDecision
from pbem.titles.nato.player.language import hex_named, place_named, proposing, unit_named
from pbem.titles.nato.player.orders import Move, MoveOrders
from pbem.titles.nato.supply.resupply import resupply_objections

SAMPLED = 6
"""The number of units that a random order moves."""
NEAR, TRIED = 8, 6
"""The range within which a random order looks for a destination off the ground, and the number of tries."""

BATTLE_WORDS = ("attack", "battle", "air", "interdict", "fire", "mark", "nuke", "chemical", "gas", "deep")
"""7.2 Words that begin an order of the second exchange."""


def in_order(moves: Iterable[Move]) -> list[Move]:
    """7.2 Return orders sorted by the segments of the Movement Phase, otherwise in the order given."""
    return sorted(moves, key=lambda move: segment(move.mode))


def write_move(move: Move) -> str:
    """A move in order notation."""
    words = [move.unit, *move.path]
    if move.mode not in ("", TACTICAL) and (move.path or segment(move.mode) != GROUND):
        words.append(move.mode)
    if move.reserve:
        words.append("reserve")
    return " ".join(words if len(words) > 1 else [move.unit, "hold"])


class Moving(NatoDecision[MoveOrders]):
    """A decision on the moves of one side, unit by unit."""

    Answer = MoveOrders
    nothing = MoveOrders()
    grade = "order"
    start = "moving"
    reserve = False
    _rehearsed: tuple[tuple[Move, ...], tuple[Move, ...], list[Objection]] | None = None
    """The moves that were tried out last, the same with complete paths, and the objections to them."""

    @cached_property
    def own(self) -> list[Unit]:
        """35.8 The units that the seat may order: its own, and those of seats for which it is the deputy."""
        return [unit for unit in self.board.of(self.side) if may_order(self.board, self.seat, unit.card)]

    def movable(self) -> list[Unit]:
        """Return the units of the seat's own command that can receive orders."""
        return [unit for unit in self.own if unit.piece.active and commands(self.board, self.seat, unit.card)]

    def default(self) -> MoveOrders:
        return MoveOrders()

    # --- judging ---------------------------------------------------------------------------------------------

    def rehearse(self, answer: MoveOrders) -> tuple[MoveOrders, list[Objection]]:
        """Return all moves with their complete paths, and all objections to them. Moves that have just been tried
        out, such as an answer in canonical form, are not tried out again.
        """
        if self._rehearsed is None or self._rehearsed[0] != answer.moves:
            self._rehearsed = answer.moves, *self._try_out(answer)
        _, made, found = self._rehearsed
        return msgspec.structs.replace(answer, moves=made), list(found)

    def _try_out(self, answer: MoveOrders) -> tuple[tuple[Move, ...], list[Objection]]:
        trial = Rehearsal(self.data, self.view, self.side, reserve=self.reserve)
        trial.by_rail = [move.unit for move in answer.moves if move.mode == RAIL]
        made, found = [], list[Objection]()
        for number, given in enumerate(answer.moves if self.reserve else in_order(answer.moves)):
            move, objections = trial.make(number, given)
            made.append(move)
            found += locate_objections(("moves", number), iter(objections))
            if given.unit in self.board.units and not may_order(self.board, self.seat, self.data.units[given.unit]):
                found += locate_objections(
                    ("moves", number), iter([Objection("35.8", say("another seat commands the unit"))])
                )
        for number, objection in trial.stacking_objections():
            found += locate_objections(("moves", number), iter([objection]))
        return tuple(made), found

    def canonical(self, answer: MoveOrders) -> MoveOrders:
        """Return the moves with complete paths and marked as answered; without a view (for a receipt), return them
        unchanged.
        """
        if self.given is None:
            return answer
        return msgspec.structs.replace(self.rehearse(answer)[0], present=several(self.board, self.side))

    def objections(self, answer: MoveOrders) -> Iterator[Objection]:
        yield from self.rehearse(answer)[1]
        yield from locate_objections(("resupply",), self.resupply_objections(answer.resupply))
        yield from disposition_objections(self.board, self.seat, answer.command)

    def resupply_objections(self, hex: str) -> Iterator[Objection]:
        """10.7 Object to any resupply operation: it can be flown only in the Movement Phase."""
        if hex:
            yield Objection("10.7", say("a hex cannot be resupplied from the air in this phase"))

    def ends(self, unit: Unit, mode: str) -> list[HexId]:
        """12.2 Return the hexes to which a unit can move in a mode, including full hexes that other units may
        leave first.
        """
        found = list(reachable_hexes(self.board, unit, mode, reserve=self.reserve).cost)[1:]
        return [hex for hex in found if not any(gdp_objections(self.board, unit, (hex,), mode))]

    def sample(self, choice: Choice) -> MoveOrders:
        """Return random moves of a few units to hexes that they can reach."""
        able, moves = self.movable(), list[Move]()
        for _ in range(min(SAMPLED, len(able))):
            unit = able.pop(choice.below(len(able)))
            if choice.below(2) == 0 and (carried := self.random_lift(unit, choice)):
                moves.append(carried)
                continue
            march = choice.below(3) == 0 and not self.reserve and not self.view.gdp_army
            mode = MARCH if march else TACTICAL
            if ends := self.ends(unit, mode):
                moves.append(Move(unit.id, (choice.one_of(ends),), mode))
        made, objections = self.rehearse(MoveOrders(tuple(moves)))
        bad = {objection.at[1] for objection in objections}
        good = MoveOrders(tuple(move for number, move in enumerate(made.moves) if number not in bad))
        return good if not self.rehearse(good)[1] else MoveOrders()

    def random_lift(self, unit: Unit, choice: Choice) -> Move | None:
        """Return a random order by train, ship, aircraft or helicopter that is legal in the present position."""
        places = [hex for hex in self.board.atlas.places if distance(hex, unit.at) <= NEAR] if is_hex(unit.at) else []
        places = places or [*self.board.atlas.cities, "sector1", "sector4"]
        for _ in range(TRIED):
            mode = choice.one_of(sorted(SEGMENTS))
            path = () if mode in (ENTRAIN, DETRAIN) else (choice.one_of(places),)
            move = Move(unit.id, path, mode)
            if not any(move_objections(self.board, unit, move, reserve=self.reserve)):
                return move
        return None

    # --- words -----------------------------------------------------------------------------------------------

    def read(self, words: Words, said: Said) -> None:
        """Read `16GT 3117 march reserve`: a unit, the hexes on its path, and the mode."""
        if words.data == "nothing":
            return
        if words.data == "resupply":
            self.read_resupply(words, said)
            return
        if read_command(self.board, self.side, words, said):
            return
        first, *rest = tokens(words, "NAME")
        if first.lower() in BATTLE_WORDS:
            later = Objection("7.2", say("battles and strikes are ordered in the next exchange, after the moves"))
            raise Illegal(first, [later], ["none"])
        with proposing(lambda meant: [f"{id} hold" for id in meant]):
            unit = unit_named(first, self.own)
        with proposing(lambda _: [f"{unit.id} hold"]):
            path = tuple(place_named(word, self.board) for word in rest)
        mode = next(iter(tokens(words, "MODE")), "")
        if len(set(tokens(words, "MODE"))) > 1 or (tokens(words, "HOLD") and (path or mode)):
            contradiction = [Objection("12.0", say("the words of this order contradict each other"))]
            raise Illegal(" ".join((first, *rest)), contradiction, [f"{unit.id} hold"])
        if mode in (TACTICAL, MARCH, MINIMUM) and not path:
            nowhere = [Objection("12.0", say("the order must name a destination"))]
            raise Illegal(f"{unit.id} {mode}", nowhere, [f"{unit.id} hold"])
        move = Move(unit.id, path, mode, bool(tokens(words, "RESERVE")))
        if path or move.reserve or mode:
            said.add(("moves",), move)

    def read_resupply(self, words: Words, said: Said) -> None:
        if said.has(("resupply",)):
            once = [Objection("10.7", say("only one resupply operation can be flown in a turn"))]
            raise Illegal("resupply", once, ["none"])
        with proposing(lambda _: []):
            said.put(("resupply",), hex_named(tokens(words, "NAME")[0], self.board))

    def name(self, at: Path, answer: MoveOrders) -> str:
        if at[:1] == ("command",):
            return command_name(at, answer.command)
        return write_move(answer.moves[int(at[1])]) if at[:1] == ("moves",) else super().name(at, answer)

    def instead(self, at: Path, answer: MoveOrders) -> list[str]:
        """Return a few hexes that the unit can reach, to propose instead."""
        if at[:1] != ("moves",) or (unit := self.board.units.get(answer.moves[int(at[1])].unit)) is None:
            return []
        return [f"{unit.id} {hex}" for hex in self.ends(unit, TACTICAL)[:3]]

    def example(self, otherwise: str) -> str:
        """Return a line that would be accepted now; the other one if no unit can move."""
        able = ((unit.id, ends[0]) for unit in self.movable() if (ends := self.ends(unit, TACTICAL)))
        return " ".join(next(able, (otherwise,)))

    def sentence(self, answer: MoveOrders) -> Iterator[str]:
        if answer.resupply:
            yield f"resupply {answer.resupply}"
        yield from map(write_move, answer.moves)
        yield from command_lines(answer.command)

    def form(self) -> Iterator[FormLine]:
        for unit in self.movable():
            yield f"{unit.id} hold  # {self.unit_facts(unit)}"

    def unit_facts(self, unit: Unit) -> str:
        marks = (("disrupted", unit.piece.disrupted), ("no movement supply", unit.piece.ms_out))
        said = ", ".join(word for word, so in marks if so)
        return f"{unit.at}, {unit.attack}-{unit.defense}-{unit.allowance}" + (f", {said}" if said else "")


class MovePhase(Moving, kind="move", rule="12"):
    """7.2 II.B The orders for all movement of a side."""

    def resupply_objections(self, hex: str) -> Iterator[Objection]:
        if not hex:
            return
        yield from resupply_objections(self.board, self.side, hex)
        if not self.view.turn:
            yield Objection("10.7", say("no hex can be resupplied from the air before the war"))
        if not theatre(self.board, self.seat):
            yield Objection("35.8/side-wide-choices", say("only the theatre command can resupply from the air"))

    def form(self) -> Iterator[FormLine]:
        yield from self.remark(
            say(
                "Movement, turn {turn}. One line for each unit, such as: {order}",
                turn=self.view.turn,
                order=Name(self.example("16GT 3116")),
            )
        )
        yield from self.notices()
        yield from super().form()
