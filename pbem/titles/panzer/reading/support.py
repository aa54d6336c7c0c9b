"""6.5.1, 6.7 The words of indirect fire and of flights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from pbem.engine.geometry.hexes import hex_name
from pbem.engine.rules.refusals import Illegal, Objection, Unreadable
from pbem.engine.text.grammar import Line, Words, part, tokens
from pbem.engine.text.messages import say
from pbem.titles.panzer.air.air_attacks import Attack, Plot, WeaponName
from pbem.titles.panzer.player.plan import (
    Declaration,
)
from pbem.titles.panzer.reading.base import ReaderBase, one_named
from pbem.titles.panzer.reading.vocabulary import RULE, direction, tokens_of
from pbem.titles.panzer.state import FireType, Sheaf

FIRE_TYPES: Final[Mapping[str, FireType]] = {
    "gp": "gp", "he": "gp", "smoke": "smoke", "illumination": "illumination", "illum": "illumination",
    "light": "illumination",
}  # fmt: skip


AIR_WORDS: Final[Mapping[str, WeaponName]] = {
    "strafe": "strafing", "bomb": "bombs", "dive": "dive", "rocket": "rockets",
}  # fmt: skip


class SupportWords(ReaderBase):
    """6.5.1, 6.7 Reads the missions and flights in a player's lines."""

    def declaration(self, words: Words) -> Declaration:
        """6.5.1.1 A mission to call, continue, adjust or check, or planned fire that arrives."""
        names = [str(word) for word in words.children if getattr(word, "type", "") == "NAME"]
        view, seat = self.view, self.seat
        missions = {id: "" for id, mission in view.missions.items() if mission.side == seat and not mission.planned}
        match words.data:
            case "call":
                observer = self.own_unit(names[0]).id
                do = "recon" if tokens(words, "RECON") else "call"
                return self.declare(do, words, [self.source(word) for word in names[1:]], observer=observer)
            case "shift":
                id = one_named(names[0], missions, "mission")
                firers = [self.source(word) for word in names[1:]] or list(view.missions[id].firers)
                return self.declare("adjust", words, firers, mission=id)
            case "go_on_firing":
                id = one_named(names[0], missions, "mission")
                said = tokens(words, "TYPE")
                type = FIRE_TYPES[said[0]] if said else view.missions[id].type
                only = [self.source(word) for word in names[1:]]
                return Declaration(do="continue", mission=id, type=type, firers=only)
            case "check":
                return Declaration(do="check", mission=one_named(names[0], missions, "mission"))
        plans = {id: plan.battery for id, plan in view.planned.items() if plan.side == seat}
        return Declaration(do="arrive", plan=one_named(names[0], plans, "planned fire"))

    def source(self, word: str) -> str:
        """6.5.1.2 The id of a battery, or of a unit on the map."""
        batteries = {id: battery.name for id, battery in self.view.batteries.items() if battery.side == self.seat}
        units = {unit.id: unit.name for unit in self.own}
        return one_named(word, batteries | units, "battery or unit")

    def declare(
        self, do: Any, words: Words, firers: Sequence[str], observer: str = "", mission: str = ""
    ) -> Declaration:
        """6.5.1.5, 6.5.1.6 A declaration with target point, pattern and type; batteries default to a closed sheaf."""
        sheaf, direction, type = pattern_of(words)
        old = self.view.missions.get(mission)
        if not sheaf:
            off_map = any(id in self.view.batteries for id in firers)
            sheaf = old.sheaf if old else "closed" if off_map else "on_map"
            direction = old.direction if old else 0
        return Declaration(
            do=do, observer=observer, mission=mission, point=self.point(words), firers=list(firers),
            sheaf=sheaf, direction=direction, type=type or (old.type if old else "gp"),
        )  # fmt: skip

    def point(self, words: Words) -> str:
        """6.5.1.7 A hex, or the hex of a named enemy."""
        if hexes := tokens(words, "HEX"):
            return self.hex(hexes[0])
        enemy = self.view.vehicles[self.enemy(tokens_of(words, "point", "NAME")[0])]
        if enemy.hex is None:
            raise Illegal(enemy.id, [Objection("6.5.1.7", say("the unit is not on the map"))])
        return hex_name(enemy.hex)

    def take_flight(self, line: Line, words: Words) -> None:
        """6.7.2 Read where a flight enters, how it flies, and what it attacks."""
        own = {id: craft.name for id, craft in self.view.aircraft.items() if craft.side == self.seat}
        id = one_named(tokens(words, "NAME")[0], own, "aircraft of yours")
        attacks: list[Attack] = []
        for tree in words.children:
            if weapon := AIR_WORDS.get(str(getattr(tree, "data", ""))):
                attacks += [Attack(self.enemy(word), weapon) for word in tokens(tree, "NAME")]
        banks = list(words.find_data("banking"))
        bank = banks[0] if banks else None
        turn = 0 if bank is None else -1 if tokens(bank, "LEFT") else 1
        after = int("".join(tokens(bank, "NUMBER")) or 0) if bank is not None else 0
        facings = [direction(word) for word in tokens_of(words, "face", "DIRECTION")]
        speeds, heights = tokens(words, "SPEED"), tokens(words, "ALTITUDE")
        faces = list(words.find_data("face"))
        for what, said in (("face", faces), ("speed", speeds), ("altitude", heights), ("turn", banks)):
            one_only(what, said)
        if any(plot.aircraft == id for _, plot in self.flights):
            raise Illegal(
                id,
                [
                    Objection(
                        "6.7.2.1",
                        say("the aircraft flies only once a turn, and another line already gives its flight"),
                    )
                ],
            )
        dives = any(attack.weapon == "dive" for attack in attacks)
        plot = msgspec.convert(
            {
                "aircraft": id,
                "hex": self.hex(tokens(words, "HEX")[0]),
                "facing": facings[0] if facings else 1,
                "speed": speeds[0] if speeds else "slow",
                "altitude": heights[0] if heights else "high" if dives else "low",
                "turn": turn,
                "turn_after": after,
                "attacks": msgspec.to_builtins(attacks),
            },
            Plot,
        )
        self.flights.append((line, plot))
        if part(words, "late") is not None:
            self.late.append(id)


def pattern_of(words: Words) -> tuple[Sheaf | None, int, FireType | None]:
    """6.5.1.5, 6.5.1.6 The given pattern and type of fire, or None for each."""
    sheaf: Sheaf | None = None
    if tokens_of_all(words, "LINEAR"):
        sheaf = "closed_linear"
    elif tokens_of_all(words, "OPEN"):
        sheaf = "open"
    elif tokens_of_all(words, "CLOSED"):
        sheaf = "closed"
    one_only("sheaf", tokens_of_all(words, "LINEAR") + tokens_of_all(words, "OPEN") + tokens_of_all(words, "CLOSED"))
    one_only("type", tokens_of_all(words, "TYPE"))
    ways = [direction(word) for word in tokens_of_all(words, "DIRECTION")]
    types = [FIRE_TYPES[word] for word in tokens_of_all(words, "TYPE")]
    return sheaf, ways[0] if ways else 0, types[0] if types else None


def one_only(what: str, said: Sequence[object]) -> None:
    """6.5.1.6, 6.7.2 Refuse a line that says the same thing twice."""
    if len(said) > 1:
        raise Unreadable(what, [Objection(RULE, say("give this only once per line"))])


def tokens_of_all(words: Words, kind: str) -> list[str]:
    """The words of one kind in all patterns of a line."""
    return [word for tree in words.find_data("pattern") for word in tokens(tree, kind)]
