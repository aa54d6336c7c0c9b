"""6.6 The words of a move: one act after another, including passengers that mount and dismount."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.engine.geometry.hexes import hex_name
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.text.grammar import Words, part, parts, tokens
from pbem.engine.text.messages import say
from pbem.titles.panzer.movement.steps.acts import (
    Bail,
    Dismount,
    Enter,
    Exit,
    Leave,
    Mount,
    Overrun,
    Push,
    Search,
    Swing,
    To,
    Turn,
    Unload,
    read_act,
)
from pbem.titles.panzer.movement.steps.unit_steps import MoveMode
from pbem.titles.panzer.obstacles.pushing import WRECK
from pbem.titles.panzer.player.plan import (
    LEAVE_ANYWHERE,
    MarchWish,
)
from pbem.titles.panzer.reading.base import ReaderBase
from pbem.titles.panzer.reading.vocabulary import direction, tokens_of
from pbem.titles.panzer.reading.vocabulary import steps_of as spelled_steps
from pbem.titles.panzer.state import Status, Unit

COMING: Final = (Enter, To, Leave)
"""R-02 How a reinforcement's move may begin: with an entry hex, or one found on the way to a goal."""


class MoveWords(ReaderBase):
    """6.6 Reads the moves in a player's lines."""

    def boarding(self, unit: Unit, march: Words) -> tuple[str, str] | None:
        """6.6.7.1.1 `g4 mount t1` is part of the carrier's move; the passenger needs its own Move."""
        mount = part(march, "mount")
        if unit.kind == "vehicle" or mount is None:
            return None
        if any(getattr(tree, "data", "") not in ("stay", "mount") for tree in march.children):
            objection = Objection("6.6.7.1.1", say("a unit that is picked up cannot do anything else in its move"))
            line = f"{unit.id} mount {tokens(mount, 'NAME')[0]}"
            raise Illegal(line, [objection], [line])
        return self.own_unit(tokens(mount, "NAME")[0]).id, str(Mount(unit.id))

    def march(self, unit: Unit, march: Words | None) -> MarchWish:
        """6.6 Read a move act by act; a Short Halt without a move stays in place."""
        mode: MoveMode = "cross"
        acts: list[str] = []
        others: list[str] = []
        for tree in march.children if march is not None else ():
            if isinstance(tree, str):
                continue  # the word hold for a stationary vehicle
            match tree.data:
                case "by_road":
                    mode = "road"
                case "quick" | "crawl":
                    mode = "quick" if tree.data == "quick" else "crawl"
                case "go_to" if tokens(tree, "ROAD"):
                    mode = "road"
                case "overrun":
                    others = [self.own_unit(word).id for word in tokens(tree, "NAME")[1:]]
            acts += self.acts(unit, tree, acts)
        if unit.status is Status.RESERVE and not isinstance(read_act("".join(acts[:1])), COMING):
            entry = next((row.entry for row in self.data.scenario.units if row.id == unit.id), ())
            acts = [*(str(Enter(hex_name(hex))) for hex in entry[:1]), *acts]  # by the first of its hexes
        stop = march is not None and part(march, "stop") is not None
        return MarchWish(mode=mode, acts=acts, others=others, stop=stop)

    def acts(self, unit: Unit, tree: Words, before: Sequence[str]) -> list[str]:
        """6.6 Read the acts in one part of a move."""
        facing = next((direction(word) for word in tokens_of(tree, "face", "DIRECTION")), 0)
        ways = [direction(word) for word in tokens(tree, "DIRECTION")]
        names, hexes = tokens(tree, "NAME"), tokens(tree, "HEX")
        match tree.data:
            case "coming_in":
                return [str(Enter(self.hex(hexes[0]), facing))]
            case "go_to" | "by_road" | "quick" | "crawl" if hexes:
                return [str(To(self.hex(hexes[0])))]
            case "walk" | "quick" | "crawl":
                return [str(way) for way in ways]
            case "steps" | "reverse":
                return steps_written(tree)
            case "leave":
                edge = tokens(tree, "EDGE")
                ahead = before and not edge and before[-1] in "fblr"
                return [str(Exit() if ahead else Leave((edge or [LEAVE_ANYWHERE])[0]))]
            case "leave_on_foot":
                return [str(Exit(ways[0]))]
            case "leave_ahead":
                return [str(Exit())]
            case "back_out":
                return ["exit-b"]
            case "turn_to":
                return [str(Turn(ways[0]))]
            case "up" | "down" | "out":
                return [str(tree.data)]
            case "inside":
                return ["in"]
            case "ahead_in":
                return ["f-in"]
            case "mount":
                return [str(Mount(self.own_unit(names[0]).id))]
            case "dismount":
                return [str(self.dismount(unit, tree, facing))]
            case "bail":
                who = self.own_unit(names[0]).id if names else unit.id
                return [str(Bail(who, facing))]
            case "unload":
                return [str(unload_step(tree))]
            case "search":
                return [str(search_step(unit, tree, facing))]
            case "overrun":
                return [str(Overrun(self.enemy(names[0])))]
            case "swing":
                return [str(Swing(int(tokens(tree, "NUMBER")[0])))]
            case "push":
                what = WRECK if tokens(tree, "WRECK") else self.anybody(names[0])
                return [str(Push(what, "f" if tokens(tree, "AHEAD") else ""))]
        return []

    def dismount(self, unit: Unit, tree: Words, facing: int) -> Dismount:
        """6.6.7.1.1 The dismounting unit, its hex, facing and immediate target; by default next to the vehicle."""
        attack = part(tree, "dismount_attack")
        said = tokens(tree, "NAME", "HEX")
        target = self.enemy(tokens(attack, "NAME")[0]) if attack is not None else ""
        said = said[: len(said) - bool(target)]
        who = unit if unit.kind != "vehicle" else None
        if who is None:
            if not said:
                legal = [f"{unit.id} dismount {id}" for id in self.aboard(unit)]
                raise Unreadable(
                    f"{unit.id} dismount", [Objection("6.6.7.1.1", say("name the unit that dismounts"))], legal
                )
            who, said = self.own_unit(said[0]), said[1:]
        place = self.hex(said[0]) if said else ""
        if (facing or target) and not place:
            carrier = self.view.vehicles[who.aboard] if who.aboard else unit
            place = hex_name(carrier.hex) if carrier.hex else ""
        return Dismount(who.id, place, facing or (unit.facing if target else 0), target)

    def aboard(self, unit: Unit) -> list[str]:
        return [other.id for other in self.own if other.aboard == unit.id]


def steps_written(tree: Words) -> list[str]:
    """4.5.1.1 Single steps: `2f r` is forward twice and a turn to the right; `reverse 2` is back twice."""
    if tree.data == "reverse":
        return ["b"] * int("".join(tokens(tree, "NUMBER")) or 1)
    return spelled_steps(tree)


def unload_step(tree: Words) -> Unload:
    """5.2.1 The step that unloads a portee gun, with the facings of gun and truck as far as given."""
    both = [word for child in parts(tree, "face") for word in tokens(child, "DIRECTION")]
    return Unload(*(direction(word) for word in both))


def search_step(unit: Unit, tree: Words, facing: int) -> Search:
    """6.1.4.1 The step for a vehicle's search for a hull-down position."""
    back = bool(tokens(tree, "REVERSE"))
    ahead = facing or (unit.facing if back else 0)
    return Search("phd" if tokens(tree, "PARTIAL") else "hd", ahead, "b" if back else "")
