"""4.2.1, 6.2 The orders of a player in the advanced game: lines read in the light of a seat's view.

    4.2.1        read_orders: a command for each unit or group, and what to do when its time comes
    2.0          read_placing, read_plot
    6.5 to 6.8   read_answer: the asks within a turn, when they are put to a person
    plans        check_plan
    restating    restate: the canonical lines of a submission, for receipts

Lines are gathered first and judged together: whether a truck can be mounted depends on what both are told. Every line
that cannot be carried out is refused, all of them together. `language` reads the words, `prospects` says what is
legal, `NOTES.md` describes the language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import groupby
from typing import Any, Final

import msgspec

from pbem.engine.geometry.hexes import distance, hex_name
from pbem.engine.rules.ask import Answer, Ask
from pbem.engine.rules.refusals import Ambiguous, Illegal, Objection, Refusal, Unreadable, each
from pbem.engine.rules.title import Submission
from pbem.engine.text.grammar import Line, Words, lines, part, parts, tokens
from pbem.titles.panzer.air.air import plot_objections
from pbem.titles.panzer.air.air_attacks import Attack, Plot, WeaponName
from pbem.titles.panzer.artillery.mission_answers import check_mission
from pbem.titles.panzer.cards.board import on_map
from pbem.titles.panzer.cards.charts import nearest
from pbem.titles.panzer.cards.units import is_recon
from pbem.titles.panzer.cards.weapons import weapons_of
from pbem.titles.panzer.close_combat.close_combat import assault_objections
from pbem.titles.panzer.command.command_control import UNIQUE, Group, commandable, gets_counter, group_objections
from pbem.titles.panzer.command.commands import WITH, command_objections, refused, refused_groups, resolved
from pbem.titles.panzer.command.dischargers import limit_of
from pbem.titles.panzer.data_set import PanzerData
from pbem.titles.panzer.end_of_turn.adjustment import check_adjust
from pbem.titles.panzer.fire.aiming import Entry, Occasion
from pbem.titles.panzer.fire.declarations import occasion_of
from pbem.titles.panzer.fire.overwatch import watch_of
from pbem.titles.panzer.fire.special_fire import PIN
from pbem.titles.panzer.movement.march import MoveMode
from pbem.titles.panzer.movement.shared_moves import command_of
from pbem.titles.panzer.obstacles.pushing import WRECK
from pbem.titles.panzer.player.clauses import conditions, word_of
from pbem.titles.panzer.player.language import parse
from pbem.titles.panzer.player.naming import DONE, raise_all, strangers, unit_named, with_line
from pbem.titles.panzer.player.plan import (
    ALL,
    LEAVE_ANYWHERE,
    STAY,
    Adjustments,
    AdvancedPlan,
    Aim,
    AssaultWish,
    Declaration,
    FireWish,
    MarchWish,
    Turn,
    WatchWish,
    enemies_in,
    own_in,
    plain,
    read_plan,
)
from pbem.titles.panzer.player.plan import Sequence as Order
from pbem.titles.panzer.player.prospects import (
    as_ordered,
    check_fire_wish,
    own_units,
    suggested_groups,
    wished_entries,
)
from pbem.titles.panzer.player.vocabulary import RULE, direction, squashed, tokens_of, watch_wish
from pbem.titles.panzer.player.vocabulary import steps_of as spelled_steps
from pbem.titles.panzer.routes.itineraries import acts_said, check_march, march_said
from pbem.titles.panzer.setup.deployment import ABOARD
from pbem.titles.panzer.setup.mine_laying import MINE_KINDS
from pbem.titles.panzer.state import MOVING, WORD_OF, Command, FireType, PanzerState, Sheaf, Status, Unit

COMMAND_OF: Final = {
    "hold": Command.NO_COMMAND,
    "staying": Command.NO_COMMAND,
    "full_halt": Command.SHORT_HALT,
    "full_fire": Command.FIRE,
    "full_smoke": Command.FIRE,
    "march": Command.MOVE,
    "assault": Command.MOVE,
    "demolish": Command.MOVE,
    "overwatch": Command.OVERWATCH,
}
"""4.2 The command that a part of a line gives; a Short Halt may have a move in it."""

FIRE_TYPES: Final[Mapping[str, FireType]] = {
    "gp": "gp", "he": "gp", "smoke": "smoke", "illumination": "illumination", "illum": "illumination",
    "light": "illumination",
}  # fmt: skip
COMING: Final = ("enter:", "to:", "leave:")
"""R-02 How the move of a reinforcement may begin: where it comes in is said, or found on the way to a goal."""
SHEAF_WORDS: Final[Mapping[Sheaf, str]] = {
    "closed": "closed", "open": "open", "closed_linear": "linear", "on_map": "",
}  # fmt: skip
AIR_WORDS: Final[Mapping[str, WeaponName]] = {
    "strafe": "strafing", "bomb": "bombs", "dive": "dive", "rocket": "rockets",
}  # fmt: skip


# --- reading -------------------------------------------------------------------------------------------------


def read_orders(data: PanzerData, view: PanzerState, ask: Ask, text: str) -> Submission:
    """4.2.1 The commands of a seat and its plan; a refusal names every line that cannot be carried out."""
    reader = Reader(data, view, ask)
    reader.read(text)
    return Submission(dict(sorted(reader.commands.items())), plain(reader.plan()))


class Reader:
    """Takes in line after line, and remembers what is wrong with each."""

    def __init__(self, data: PanzerData, view: PanzerState, ask: Ask) -> None:
        self.data, self.view, self.ask, self.seat = data, view, ask, ask.seat
        self.own = own_units(view, ask.seat)
        self.enemies = [unit for unit in view.vehicles.values() if unit.side != ask.seat]
        self.commands: dict[str, str] = {}
        self.line_of: dict[str, Line] = {}
        self.fire: dict[str, FireWish] = {}
        self.move: dict[str, MarchWish] = {}
        self.overwatch: dict[str, WatchWish] = {}
        self.assault: dict[str, AssaultWish] = {}
        self.missions: list[tuple[Line, Declaration]] = []
        self.flights: list[tuple[Line, Plot]] = []
        self.late: list[str] = []
        self.sneak: dict[str, list[str]] = {}
        self.reveal: list[str] = []
        self.hide: list[tuple[str, list[str]]] = []
        self.dummies: list[str] = []
        self.adjust: dict[str, dict[str, Any]] = {part: {} for part in Adjustments.__struct_fields__}
        self.demolish: dict[str, str] = {}
        self.demolish_from: dict[str, str] = {}
        self.discharge: list[str] = []
        self.formations: list[str] = []
        self.keeps: dict[str, list[str]] = {}
        self.show: dict[str, Any] = {}
        self.aspect: dict[str, Any] = {}
        self.initiative: Turn | None = None
        self.sequence: dict[str, list[str]] = {}
        self.own_words: dict[str, str] = {}
        """6.2.1.1.3 The commands that lines of units with a shared counter spell out."""
        self.carried: list[tuple[str, str]] = []
        """6.6.7 What passengers are told to do, by carrier: `mount:g4`, `dismount:g4:E8:2`."""
        self.refusals: list[Refusal] = []

    def read(self, text: str) -> None:
        """Every line in turn, those for the rest of the units at the end; then all is judged together."""
        self.take_all(text)
        self.settle()
        self.judge()
        written = [line.written for line in lines(text)]
        order = {line: number for number, line in enumerate(written)}
        raise_all(sorted(self.refusals, key=lambda refusal: order.get(refusal.line, len(order))))

    def take_all(self, text: str) -> None:
        """Every line, not yet judged."""
        rest: list[tuple[Line, Words]] = []
        for line in lines(text):
            with self.at(line):
                words = parse(line)
                if words.data == "unit_order" and tokens_of(words, "who", "ALL"):
                    rest.append((line, words))
                else:
                    self.take(line, words)
        self.settle_commands()  # whoever calls is none of the rest
        for line, words in rest:
            with self.at(line):
                self.take_rest(line, words)

    def take_rest(self, line: Line, words: Words) -> None:
        """4.2.1, 6.2.1.1.3 All without a line: who cannot holds, and where commands are short they are shared."""
        name = next(name for name in COMMAND_OF if part(words, name) is not None)
        units = [unit for unit in commandable(self.view, self.seat) if unit.id not in self.commands]
        able = [unit for unit in units if not any(command_objections(self.data, self.view, unit, COMMAND_OF[name]))]
        for unit in units:
            if unit not in able:
                self.commands[unit.id] = Command.NO_COMMAND.value
        for group in self.affordable(able, COMMAND_OF[name]):
            for unit in group:
                self.order(unit, words, line)
                if unit is not group[0]:
                    self.commands[unit.id] = f"{WITH}{group[0].id}"
        for unit in able:
            self.commands.setdefault(unit.id, Command.NO_COMMAND.value)

    def affordable(self, units: Sequence[Unit], command: Command) -> Iterator[list[Unit]]:
        """6.2.1.1.3 Each by itself while its formation has commands for all; else groups, the largest first."""
        for formation in dict.fromkeys(unit.formation for unit in units):
            own = [unit for unit in units if unit.formation == formation]
            free = [unit for unit in own if is_recon(unit) or not self.data.plays("command_control")]
            yield from ([unit] for unit in free)
            own = [unit for unit in own if unit not in free]
            left = self.view.available.get(formation, 0) - self.used(formation)
            if command is Command.NO_COMMAND or len(own) <= left:
                yield from ([unit] for unit in own)
                continue
            groups = suggested_groups(self.data, self.view, own)
            legal = [group for group in groups if self.may_share(group, command)]
            yield from sorted(legal, key=len, reverse=True)[: max(0, left)]

    def may_share(self, units: Sequence[Unit], command: Command) -> bool:
        """6.2.1.1.3 Whether these units can use one counter."""
        return not any(group_objections(self.data, self.view, Group(command, tuple(units))))

    def used(self, formation: str) -> int:
        """6.2.1.1.3 The commands of a formation that the lines so far place."""
        placed = [unit for unit in self.own if unit.formation == formation and not is_recon(unit)]
        return sum(self.commands.get(unit.id, "") in [command.value for command in UNIQUE] for unit in placed)

    @contextmanager
    def at(self, line: Line | None) -> Iterator[None]:
        """Whatever is refused within is kept, with its line."""
        try:
            yield
        except Refusal as refusal:
            self.refusals += [with_line(single, line) if line else single for single in each(refusal)]

    def plan(self) -> AdvancedPlan:
        """All that the lines say beside the commands. Units fire and move in the order of their lines."""
        going = [unit for unit in self.move if self.move[unit] != MarchWish() and self.move[unit].mode != STAY]
        order = Order(fire=self.sequence.get("fire") or list(self.fire), move=self.sequence.get("move") or going)
        return AdvancedPlan(
            fire=self.fire,
            move=self.move,
            overwatch=self.overwatch,
            assault=self.assault,
            missions=[declaration for _, declaration in self.missions],
            flights=[plot for _, plot in self.flights],
            late=self.late,
            demolish=self.demolish,
            demolish_from=self.demolish_from,
            discharge=self.discharge,
            formations=self.formations,
            sneak=self.sneak,
            reveal=self.reveal,
            hide=self.hide,
            dummies=self.dummies,
            adjust=Adjustments(**self.adjust),
            initiative=self.initiative,
            show=self.show,
            aspect=self.aspect,
            order=order,
        )

    def take(self, line: Line, words: Words) -> None:
        """What one line says."""
        match words.data:
            case "unit_order":
                self.take_units(line, words)
            case "share":
                self.take_share(line, words)
            case "adjustment":
                self.take_adjustment(words)
            case "discharge":
                self.take_discharge(words)
            case "call" | "go_on_firing" | "shift" | "check" | "arrive":
                self.missions.append((line, self.declaration(words)))
            case "flight":
                self.take_flight(line, words)
            case "sneak" | "reveal" | "hide" | "dummy":
                self.take_hidden(words)
            case "keeps":
                unit = self.own_unit(str(words.children[0])).id
                self.keeps[unit] = [self.enemy(word) for word in tokens_of(words, "names", "NAME")]
            case "formations":
                own = {id: row.name for id, row in self.data.scenario.formations.items() if row.side == self.seat}
                named = tokens_of(words, "names", "NAME")
                self.formations = [one_named(word, own, "formation of yours") for word in named]
            case "initiative":
                self.initiative = "first" if tokens(words, "FIRST") else "second"
            case "show":
                self.show |= dict.fromkeys(self.own_named(words) or [ALL], word_of(words, "when"))
            case "aspect":
                self.aspect |= dict.fromkeys(self.own_named(words) or [ALL], word_of(words, "side"))
            case "sequence":
                for what, token in (("fire", "FIRE"), ("move", "MOVE")):
                    if tokens(words, token) or not tokens(words, "FIRE", "MOVE"):
                        self.sequence[what] = self.own_named(words)

    # --- names

    def own_named(self, words: Words, name: str = "names") -> list[str]:
        return [self.own_unit(word).id for word in tokens_of(words, name, "NAME")]

    def own_unit(self, word: str) -> Unit:
        return unit_named(word, self.own, self.view)

    def enemy(self, word: str) -> str:
        if self.ask.kind == "anti-aircraft":
            return one_named(word, {id: craft.name for id, craft in self.view.aircraft.items()}, "aircraft")
        return unit_named(word, self.enemies, self.view).id

    def anybody(self, word: str) -> str:
        """7.30 A unit of either side."""
        return unit_named(word, [*self.own, *self.enemies], self.view).id

    def hex(self, word: str) -> str:
        """1.2 A hex as the map names it."""
        try:
            return hex_name(on_map(word.upper(), dict.fromkeys(self.data.board.hexes)))
        except ValueError as error:
            raise Unreadable(word.upper(), [Objection("1.2", str(error).rstrip("."))]) from error

    # --- the order of a unit or a group

    def take_units(self, line: Line, words: Words) -> None:
        """4.2.1, 6.2.1.1.3 Each for itself, or all under the counter of the first."""
        units = [self.own_unit(word) for word in tokens_of(words, "who", "NAME")]
        together = bool(tokens(words, "TOGETHER"))
        for number, unit in enumerate(units):
            self.order(unit, words, line)
            if together and number and unit.id in self.commands:
                self.commands[unit.id] = f"{WITH}{units[0].id}"

    def take_share(self, line: Line, words: Words) -> None:
        """6.2.1.1.3 `g2 with g1`: under the counter of another; it does what that one does unless told."""
        leader = self.own_unit(next(str(word) for word in words.children if getattr(word, "type", "") == "NAME"))
        for unit in [self.own_unit(word) for word in tokens_of(words, "who", "NAME")]:
            if part(words, "act") is not None:
                self.order(unit, words, line)
                self.own_words[unit.id] = self.commands.get(unit.id, "")
            else:
                self.claim(unit, line)
            self.commands[unit.id] = f"{WITH}{leader.id}"

    def claim(self, unit: Unit, line: Line) -> None:
        """1.7.2 One order for each unit."""
        if unit.id in self.line_of:
            raise Illegal(unit.id, [Objection("1.7.2", "it has one counter, and its order in a line above")])
        self.line_of[unit.id] = line

    def order(self, unit: Unit, words: Words, line: Line) -> None:
        """4.2.1 One command for a unit, and what it says about fire and movement."""
        self.claim(unit, line)
        name = next(name for name in COMMAND_OF if part(words, name) is not None)
        command = COMMAND_OF[name]
        if unit.aboard:
            self.order_passenger(unit, name, words)
            return
        march = part(words, "march")
        if march is not None and (boarding := self.boarding(unit, march)):
            self.carried.append(boarding)
        elif name in ("march", "full_halt"):
            self.move[unit.id] = self.in_mode(unit, self.march(unit, march))
        elif name == "staying":
            acts = self.march(unit, part(words, "staying")).acts
            self.move[unit.id] = MarchWish(mode=STAY, acts=acts)
        self.commands[unit.id] = command.value
        self.order_fire(unit, words)
        if (assault := part(words, "assault")) is not None and name == "assault":
            target, place = tokens(assault, "NAME")[0], tokens(assault, "HEX")
            self.assault[unit.id] = AssaultWish(self.enemy(target), self.hex(place[0]) if place else "")
        if (demolish := part(words, "demolish")) is not None:
            self.demolish[unit.id] = one_named(tokens(demolish, "NAME")[0], self.features(), "work")
            for word in tokens(demolish, "HEX"):
                self.demolish_from[unit.id] = self.hex(word)
        watch = part(words, "overwatch")
        if watch is not None and len(watch.children) > 1:
            self.overwatch[unit.id] = watch_wish(watch, self.enemy)

    def in_mode(self, unit: Unit, wish: MarchWish) -> MarchWish:
        """6.6.7.1.1 Asked for moves, a vehicle without a Move lets passengers on and off where it stays."""
        handling = all(act.partition(":")[0] in ("mount", "dismount", "unload") for act in wish.acts)
        if self.ask.kind == "move" and wish.acts and handling and command_of(self.view, unit) not in MOVING:
            return msgspec.structs.replace(wish, mode=STAY)
        return wish

    def features(self) -> dict[str, str]:
        """6.1.4.3 The counters on the map that the seat knows of."""
        return {id: feature.type for id, feature in self.view.features.items()}

    def order_passenger(self, unit: Unit, name: str, words: Words) -> None:
        """6.6.7 Passengers fire with their carrier, and get off; they have no command of their own."""
        march = part(words, "march")
        if name in ("full_fire", "full_smoke"):
            self.order_fire(unit, words)
            return
        if name == "march" and march is not None:
            acts = self.march(unit, march).acts
            if acts and all(act.partition(":")[0] in ("dismount", "bail") for act in acts):
                self.carried += [(unit.aboard, act) for act in acts]
                return
        why = Objection("6.6.7", f"it is aboard {unit.aboard}, and passengers have no command of their own")
        raise Illegal(f"{unit.id} {name}", [why], [f"{unit.id} dismount", f"{unit.aboard} move"])

    def order_fire(self, unit: Unit, words: Words) -> None:
        """4.4.1, 5.14 The targets in order of preference, weapon by weapon; none is left to the standing orders."""
        fire = part(words, "full_fire", "full_smoke", "full_halt")
        if fire is None:
            return
        named = [tree for tree in fire.children if getattr(tree, "data", "") in ("aim", "names")]
        trees: Iterable[Any] = [fire] if fire.data == "full_smoke" else named
        aims = [self.aim(unit, tree) for tree in trees]
        if aims:
            self.fire[unit.id] = FireWish(aims)

    def aim(self, unit: Unit, words: Words) -> Aim:
        """5.14 One aim: targets or a hex, weapon and ammunition."""
        smoke = [self.hex(word) for word in tokens(words, "HEX")]
        names = words if words.data == "names" else part(words, "names")
        targets = [self.enemy(word) for word in tokens(names, "NAME")] if names is not None else []
        weapon = next((int(tokens(tree, "NUMBER")[0]) - 1 for tree in words.find_data("with_number")), None)
        how = "gp" if part(words, "with_gp") else "ap" if part(words, "with_ap") else ""
        how = PIN if part(words, "with_pin") else how  # 7.18
        for tree in words.find_data("with_name"):
            weapon, how = self.weapon_or_ammunition(unit, tokens(tree, "NAME", "AMMO")[0], weapon, how)
        return Aim(
            targets=list(dict.fromkeys(targets)),
            hex=smoke[0] if smoke else "",
            weapon=weapon,
            how="smoke" if smoke else how,
        )

    def weapon_or_ammunition(self, unit: Unit, word: str, weapon: int | None, how: str) -> tuple[int | None, str]:
        """3.5, 5.16.1 `with apcr` is ammunition, `with mg34` a weapon by the beginning of its name."""
        arms = weapons_of(self.data, unit)
        kinds = {squashed(ammo.type): f"ap:{ammo.type}" for arm in arms for ammo in arm.ammo}
        if squashed(word) in kinds:
            return weapon, kinds[squashed(word)]
        for arm in arms:
            if squashed(arm.name).startswith(squashed(word)):
                return arm.index, how
        legal = [*(f"with {arm.index + 1} ({arm.name})" for arm in arms), *(f"with {kind}" for kind in kinds)]
        raise Illegal(f"{unit.id} with {word}", [Objection("5.16.1", "it has no such weapon or ammunition")], legal)

    # --- moves

    def boarding(self, unit: Unit, march: Words) -> tuple[str, str] | None:
        """6.6.7.1.1 `g4 mount t1`: part of the carrier's move, for which the passenger needs a Move of its own."""
        mount = part(march, "mount")
        if unit.kind == "vehicle" or mount is None:
            return None
        return self.own_unit(tokens(mount, "NAME")[0]).id, f"mount:{unit.id}"

    def march(self, unit: Unit, march: Words | None) -> MarchWish:
        """6.6 One act after another. A Short Halt without a move stays where it is."""
        mode: MoveMode = "cross"
        acts: list[str] = []
        others: list[str] = []
        for tree in march.children if march is not None else ():
            if isinstance(tree, str):
                continue  # the word hold of a vehicle that stays
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
        if unit.status is Status.RESERVE and not any(act.startswith(COMING) for act in acts[:1]):
            entry = next((row.entry for row in self.data.scenario.units if row.id == unit.id), ())
            acts = [*(f"enter:{hex_name(hex)}" for hex in entry[:1]), *acts]  # by the first of its hexes
        stop = march is not None and part(march, "stop") is not None
        return MarchWish(mode=mode, acts=acts, others=others, stop=stop)

    def acts(self, unit: Unit, tree: Words, before: Sequence[str]) -> list[str]:
        """6.6 What one part of a move asks for."""
        facing = [str(direction(word)) for word in tokens_of(tree, "face", "DIRECTION")]
        ways = [str(direction(word)) for word in tokens(tree, "DIRECTION")]
        names, hexes = tokens(tree, "NAME"), tokens(tree, "HEX")
        match tree.data:
            case "coming_in":
                return [":".join(["enter", self.hex(hexes[0]), *facing])]
            case "go_to" | "by_road" | "quick" | "crawl" if hexes:
                return [f"to:{self.hex(hexes[0])}"]
            case "walk" | "quick" | "crawl":
                return ways
            case "steps" | "reverse":
                return steps_written(tree)
            case "leave":
                edge = tokens(tree, "EDGE")
                ahead = before and not edge and before[-1] in "fblr"
                return ["exit"] if ahead else [f"leave:{(edge or [LEAVE_ANYWHERE])[0]}"]
            case "leave_on_foot":
                return [f"exit:{ways[0]}"]
            case "leave_ahead":
                return ["exit"]
            case "back_out":
                return ["exit-b"]
            case "turn_to":
                return [f"turn:{ways[0]}"]
            case "up" | "down" | "out":
                return [str(tree.data)]
            case "inside":
                return ["in"]
            case "ahead_in":
                return ["f-in"]
            case "mount":
                return [f"mount:{self.own_unit(names[0]).id}"]
            case "dismount":
                return [self.dismount(unit, tree, facing)]
            case "bail":
                who = self.own_unit(names[0]).id if names else unit.id
                return [":".join(["bail", who, *facing])]
            case "unload":
                both = [word for child in parts(tree, "face") for word in tokens(child, "DIRECTION")]
                return [":".join(["unload", *(str(direction(word)) for word in both)])]
            case "search":
                back = ["b"] if tokens(tree, "REVERSE") else []
                ahead = facing or ([str(unit.facing)] if back else [])
                return [":".join(["search", "phd" if tokens(tree, "PARTIAL") else "hd", *ahead, *back])]
            case "overrun":
                return [f"overrun:{self.enemy(names[0])}"]
            case "swing":
                return [f"turret:{tokens(tree, 'NUMBER')[0]}"]
            case "push":
                what = WRECK if tokens(tree, "WRECK") else self.anybody(names[0])
                return [":".join(["push", what, *(["f"] if tokens(tree, "AHEAD") else [])])]
        return []

    def dismount(self, unit: Unit, tree: Words, facing: Sequence[str]) -> str:
        """6.6.7.1.1 Who gets off, where, facing where, and whom he attacks at once; without a place by its side."""
        attack = part(tree, "dismount_attack")
        said = tokens(tree, "NAME", "HEX")
        target = [self.enemy(tokens(attack, "NAME")[0])] if attack is not None else []
        said = said[: len(said) - len(target)]
        who = unit if unit.kind != "vehicle" else None
        if who is None:
            if not said:
                legal = [f"{unit.id} dismount {id}" for id in self.aboard(unit)]
                raise Unreadable(f"{unit.id} dismount", [Objection("6.6.7.1.1", "say who gets off")], legal)
            who, said = self.own_unit(said[0]), said[1:]
        place = [self.hex(said[0])] if said else []
        if (facing or target) and not place:
            carrier = self.view.vehicles[who.aboard] if who.aboard else unit
            place = [hex_name(carrier.hex)] if carrier.hex else []
        ahead = list(facing) or ([str(unit.facing)] if target else [])
        return ":".join(["dismount", who.id, *place, *ahead, *target])

    def aboard(self, unit: Unit) -> list[str]:
        return [other.id for other in self.own if other.aboard == unit.id]

    # --- the rest

    def take_adjustment(self, words: Words) -> None:
        """6.8 Pivots, full cover, positions, digging; beside the command of a unit."""
        units = [self.own_unit(word).id for word in tokens_of(words, "who", "NAME")]
        if tokens_of(words, "who", "ALL"):
            units = [unit.id for unit in self.own if unit.kind != "vehicle" and not unit.aboard]
        for tree in words.children[1:]:
            assert not isinstance(tree, str)
            kind, value = {
                "pivot": ("pivot", sum(map(direction, tokens(tree, "DIRECTION")))),
                "cover": ("cover", True),
                "uncover": ("cover", False),
                "occupy": ("occupy", "".join(tokens(tree, "NAME"))),
                "vacate": ("occupy", ""),
                "dig": ("dig", True),
                "no_dig": ("dig", False),
                "turret": ("turret", int("".join(tokens(tree, "NUMBER")) or 0)),
                "shut": ("hatch", True),
                "unshut": ("hatch", False),
                "stand_partial": ("partial", True),
                "stand_whole": ("partial", False),
            }[str(tree.data)]
            self.adjust[kind] |= dict.fromkeys(units, value)

    def take_discharge(self, words: Words) -> None:
        """7.9 Smoke dischargers, beside the commands: they are fired before those of the next turn."""
        units = [self.own_unit(word) for word in tokens_of(words, "who", "NAME")]
        if tokens_of(words, "who", "ALL"):
            units = [unit for unit in self.own if limit_of(self.data, unit)]
        for unit in units:
            if not self.data.plays("smoke_dischargers") or not limit_of(self.data, unit):
                raise Illegal(f"{unit.id} discharge", [Objection("7.9", "it has no smoke dischargers")])
        self.discharge += [unit.id for unit in units if unit.id not in self.discharge]

    def take_hidden(self, words: Words) -> None:
        """7.2.2.2, 7.2.3 Counters that move or are revealed; units that go under one; dummies."""
        names, hexes = tokens(words, "NAME"), [self.hex(word) for word in tokens(words, "HEX")]
        own = {id: "" for id, counter in self.view.hidden_counters.items() if counter.side == self.seat}
        match words.data:
            case "sneak":
                self.sneak[one_named(names[0], own, "counter of yours")] = hexes
            case "reveal":
                self.reveal.append(one_named(names[0], own, "counter of yours"))
            case "hide":
                self.hide.append((hexes[0], [self.own_unit(word).id for word in names]))
            case _:
                self.dummies += hexes

    def declaration(self, words: Words) -> Declaration:
        """6.5.1.1 A mission called, kept up, adjusted or checked, or planned fire that arrives."""
        names = [str(word) for word in words.children if getattr(word, "type", "") == "NAME"]
        view, seat = self.view, self.seat
        missions = {id: "" for id, mission in view.missions.items() if mission.side == seat and not mission.planned}
        match words.data:
            case "call":
                observer = self.own_unit(names[0]).id
                do = "recon" if tokens(words, "RECON") else "call"
                return self.aimed(do, words, [self.source(word) for word in names[1:]], observer=observer)
            case "shift":
                id = one_named(names[0], missions, "mission")
                firers = [self.source(word) for word in names[1:]] or list(view.missions[id].firers)
                return self.aimed("adjust", words, firers, mission=id)
            case "go_on_firing":
                id = one_named(names[0], missions, "mission")
                said = tokens(words, "TYPE")
                type = FIRE_TYPES[said[0]] if said else view.missions[id].type
                return Declaration(do="continue", mission=id, type=type)
            case "check":
                return Declaration(do="check", mission=one_named(names[0], missions, "mission"))
        plans = {id: plan.battery for id, plan in view.planned.items() if plan.side == seat}
        return Declaration(do="arrive", plan=one_named(names[0], plans, "planned fire"))

    def source(self, word: str) -> str:
        """6.5.1.2 A battery, or a unit on the map."""
        batteries = {id: battery.name for id, battery in self.view.batteries.items() if battery.side == self.seat}
        units = {unit.id: unit.name for unit in self.own}
        return one_named(word, batteries | units, "battery or unit")

    def aimed(
        self, do: Any, words: Words, firers: Sequence[str], observer: str = "", mission: str = ""
    ) -> Declaration:
        """6.5.1.5, 6.5.1.6 Target point, pattern and type; batteries fire closed unless told."""
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
        """6.5.1.7 A hex, or the hex of an enemy that is named."""
        if hexes := tokens(words, "HEX"):
            return self.hex(hexes[0])
        enemy = self.view.vehicles[self.enemy(tokens_of(words, "point", "NAME")[0])]
        if enemy.hex is None:
            raise Illegal(enemy.id, [Objection("6.5.1.7", "it is not on the map")])
        return hex_name(enemy.hex)

    def take_flight(self, line: Line, words: Words) -> None:
        """6.7.2 Where it comes in, how it flies, and whom it attacks."""
        own = {id: craft.name for id, craft in self.view.aircraft.items() if craft.side == self.seat}
        id = one_named(tokens(words, "NAME")[0], own, "aircraft of yours")
        attacks: list[Attack] = []
        for tree in words.children:
            if weapon := AIR_WORDS.get(str(getattr(tree, "data", ""))):
                attacks += [Attack(self.enemy(word), weapon) for word in tokens(tree, "NAME")]
        bank = part(words, "banking")
        turn = 0 if bank is None else -1 if tokens(bank, "LEFT") else 1
        after = int("".join(tokens(bank, "NUMBER")) or 0) if bank is not None else 0
        facings = [direction(word) for word in tokens_of(words, "face", "DIRECTION")]
        speeds, heights = tokens(words, "SPEED"), tokens(words, "ALTITUDE")
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

    # --- 4.2.1 what all lines say together

    def settle(self) -> None:
        """6.5.1, 6.6.7 Commands that follow from other lines; what passengers do is part of a carrier's move."""
        for unit in self.commands:
            if self.word_of(unit) in ("move", "short-halt") and unit not in self.attacking():
                self.move.setdefault(unit, self.march(self.view.vehicles[unit], None))
        self.move = {unit: self.move[unit] for unit in self.commands if unit in self.move}
        for carrier, act in self.carried:
            wish = self.move.get(carrier)
            moves = carrier in self.commands and self.word_of(carrier) in ("move", "short-halt")
            if wish is None:
                wish = MarchWish() if moves else MarchWish(mode=STAY)
            if act not in wish.acts:
                first = act.startswith("mount:") and self.stands_by(carrier, act.partition(":")[2])
                acts = [act, *wish.acts] if first else [*wish.acts, act]
                self.move[carrier] = msgspec.structs.replace(wish, acts=acts)
        self.move = {unit: self.move[unit] for unit in (*self.commands, *self.move) if unit in self.move}
        for wish in list(self.move.values()):
            for act in wish.acts:
                if act.startswith("mount:") and self.move.get(act[6:]) == MarchWish():
                    del self.move[act[6:]]  # it waits to be taken up

    def word_of(self, unit: str) -> str:
        """6.2.1.1.3 The command that a unit has been given, by itself or with another."""
        word = resolved(self.commands, unit)
        return self.commands.get(word.removeprefix(WITH), "") if word.startswith(WITH) else word

    def attacking(self) -> list[str]:
        """6.6.1.1, 7.19 Whose Move is an attack, or to be taken up by a vehicle."""
        return [*self.assault, *self.demolish, *self.getting_on()]

    def getting_on(self) -> list[str]:
        """6.6.7.1.1 Those who are told to mount a vehicle."""
        return [act[6:] for _, act in self.carried if act.startswith("mount:")]

    def stands_by(self, carrier: str, unit: str) -> bool:
        here, there = self.view.vehicles[carrier].hex, self.view.vehicles[unit].hex
        return here is not None and there is not None and distance(here, there) <= 1

    def settle_commands(self) -> None:
        """6.5.1, 7.2.2.2 What calls for fire and moves of hidden counters make of units that hold, as in the form."""
        for _, call in self.missions:
            self.settle_call(call)
        for id in self.sneak if self.ask.kind == "commands" else ():
            for unit in self.view.hidden_counters[id].units:
                self.imply(unit, Command.MOVE)

    def imply(self, unit: str, command: Command) -> None:
        """4.2.1 A command that follows from another line, unless the unit has been told more than to hold."""
        if self.commands.get(unit, Command.NO_COMMAND.value) == Command.NO_COMMAND.value:
            self.commands[unit] = command.value

    def settle_call(self, call: Declaration) -> None:
        """6.5.1 An observer needs Overwatch, a unit on the map that is called Fire, unless told otherwise."""
        observer = call.observer or (self.view.missions[call.mission].observer if call.mission else "")
        wanted = [(observer, Command.OVERWATCH)] if observer and call.do != "check" else []
        firers = self.view.missions[call.mission].firers if call.do == "continue" else call.firers
        wanted += [(id, Command.FIRE) for id in firers]
        for id, command in wanted:
            unit = self.view.vehicles.get(id)
            if unit is None:
                continue
            holder = self.view.vehicles[unit.aboard] if unit.aboard else unit
            if gets_counter(self.view, holder) and self.ask.kind == "commands":
                self.imply(holder.id, command)

    def judge(self) -> None:
        """4.2.1 Everything that is against these orders as things stand; lines that cannot be read are left out."""
        unread = len(self.refusals)
        self.judge_commands()
        if len(self.refusals) > unread:
            return
        data, seat = self.data, self.seat
        ordered = as_ordered(self.view, seat, self.commands)
        occasion = Occasion(data, ordered, seat)
        for id, shots in self.fire.items():
            with self.at(self.line_of.get(id)):
                check_fire_wish(occasion, ordered.vehicles[id], shots)
        for id, move in self.move.items():
            with self.at(self.line_for_move(id, move)):
                check_march(data, ordered, ordered.vehicles[id], move)
        for id, assault in self.assault.items():
            with self.at(self.line_of.get(id)):
                self.judge_assault(ordered, id, assault)
        mission = Ask(seat, "mission", "6.5.1.1")
        for line, call in self.missions:
            if call.do == "check":
                continue  # unobserved it ends by itself (6.5.1.9)
            with self.at(line):
                check_mission(data, ordered, mission, msgspec.to_builtins(call))
        for line, plot in self.flights:
            with self.at(line):
                if found := list(plot_objections(data, self.view, seat, plot)):
                    raise Illegal(plot.aircraft, found)
        for id in (*self.adjust["pivot"], *self.adjust["cover"], *self.adjust["dig"]):
            if self.view.vehicles[id].kind == "vehicle":
                why = Objection("6.8", "only leg units and guns pivot, take full cover and dig")
                self.refusals.append(Illegal(id, [why]))

    def judge_commands(self) -> None:
        """4.2.1, 6.2.1.1.3 Each command, then groups and the number of commands of each formation."""
        unread = len(self.refusals)
        for id, word in self.own_words.items():
            if word != self.word_of(id):
                why = Objection("6.2.1.1.3", f"it shares a counter that says {self.word_of(id) or 'nothing'}")
                self.refusals.append(with_line(Illegal(f"{id} {word}", [why]), self.line_of[id]))
        for id in sorted(self.commands):
            for refusal in refused(self.data, self.view, self.seat, self.commands, id):
                line = self.line_of.get(id)
                self.refusals.append(with_line(refusal, line) if line else refusal)
        if len(self.refusals) == unread:
            plain_commands = {id: resolved(self.commands, id) for id in sorted(self.commands)}
            for refusal in refused_groups(self.data, self.view, plain_commands):
                line = self.line_of.get(refusal.part.split()[0])
                known = with_line(refusal, line) if line else refusal
                self.refusals.append(self.with_groups(known) if refusal.part in self.view.available else known)

    def with_groups(self, refusal: Refusal) -> Refusal:
        """6.2.1.1.3 A formation with too few commands: who could share one, as a line to send."""
        own = [unit for unit in commandable(self.view, self.seat) if unit.formation == refusal.part]
        instead = []
        for word in (Command.FIRE.value, Command.MOVE.value, Command.OVERWATCH.value):
            same = [unit for unit in own if self.commands.get(unit.id) == word]
            for group in suggested_groups(self.data, self.view, same):
                if len(group) > 1:
                    instead.append(f"together {' '.join(unit.id for unit in group)}: {word}")
        return type(refusal)(refusal.part, refusal.objections, instead or refusal.instead, refusal.line)

    def line_for_move(self, id: str, wish: MarchWish) -> Line | None:
        """The line of a carrier, or of a passenger that is told to get on or off."""
        said = [self.line_of[unit] for act in wish.acts for unit in act.split(":")[1:2] if unit in self.line_of]
        return self.line_of.get(id) or next(iter(said), None)

    def judge_assault(self, ordered: PanzerState, id: str, wish: AssaultWish) -> None:
        """6.6.1.1 Whether it can attack from where it is, or after its advance."""
        unit, target = ordered.vehicles[id], ordered.vehicles[wish.target]
        place = on_map(wish.hex, dict.fromkeys(self.data.board.hexes)) if wish.hex else None
        if found := list(assault_objections(self.data, ordered, unit, target, place, ())):
            raise Illegal(f"{id} assault {wish.target}", found, [f"{id} move"])


def pattern_of(words: Words) -> tuple[Sheaf | None, int, FireType | None]:
    """6.5.1.5, 6.5.1.6 What is said of pattern and type of fire; nothing if nothing is said."""
    sheaf: Sheaf | None = None
    if tokens_of_all(words, "LINEAR"):
        sheaf = "closed_linear"
    elif tokens_of_all(words, "OPEN"):
        sheaf = "open"
    elif tokens_of_all(words, "CLOSED"):
        sheaf = "closed"
    ways = [direction(word) for word in tokens_of_all(words, "DIRECTION")]
    types = [FIRE_TYPES[word] for word in tokens_of_all(words, "TYPE")]
    return sheaf, ways[0] if ways else 0, types[0] if types else None


def tokens_of_all(words: Words, kind: str) -> list[str]:
    """The words of a kind in all patterns of a line."""
    return [word for tree in words.find_data("pattern") for word in tokens(tree, kind)]


def steps_written(tree: Words) -> list[str]:
    """4.5.1.1 Single steps: `2f r` is forward twice and a turn to the right; `reverse 2` is twice back."""
    if tree.data == "reverse":
        return ["b"] * int("".join(tokens(tree, "NUMBER")) or 1)
    return spelled_steps(tree)


def one_named(word: str, names: Mapping[str, str], what: str) -> str:
    """The id that a word means: an id, a name, or the beginning of one only."""
    said = squashed(word)
    for fits in (said.__eq__, lambda name: name.startswith(said)):
        found = [id for id, name in names.items() if fits(squashed(id)) or (name and fits(squashed(name)))]
        if len(found) == 1:
            return found[0]
        if found:
            raise Ambiguous(word, [Objection(RULE, f"it could be {' or '.join(found)}")], found)
    near = nearest(said, list(names))
    raise Unreadable(word, [Objection(RULE, f"there is no such {what}")], [near] if near else sorted(names))


# --- 2.0 before play -------------------------------------------------------------------------------------------


def read_placing(data: PanzerData, view: PanzerState, ask: Ask, text: str) -> Submission:
    """2.0 Lines `g1 at D5 face 3` and `g2 aboard g1`: where units begin."""
    reader = Reader(data, view, ask)
    reader.own = [unit for unit in view.vehicles.values() if unit.side == ask.seat]
    places: dict[str, list[Any]] = {}
    for line in lines(text):
        if line.text == DONE:
            continue  # all others as the scenario has them
        with reader.at(line):
            words = parse(line, "full_placing")
            names = tokens(words, "NAME")
            unit = reader.own_unit(names[0])
            facings = [direction(word) for word in tokens_of(words, "face", "DIRECTION")]
            if words.data == "aboard":
                places[unit.id] = [ABOARD, reader.own_unit(names[1]).id]
            else:
                places[unit.id] = [reader.hex(tokens(words, "HEX")[0]), *(facings or [unit.facing])]
    raise_all(reader.refusals)
    return Submission(dict(sorted(places.items())))


def read_plot(data: PanzerData, view: PanzerState, ask: Ask, text: str) -> Submission:
    """6.5.1.4, 6.5.1.11.1, 6.7.1 `register gb1 E7`, `plan gb1 turn 3: E7 closed gp 2`, `load a1 rockets`, `f1 D5`."""
    reader = Reader(data, view, ask)
    plot: dict[str, Any] = {"registered": {}, "planned": [], "loads": {}, "features": {}, "mines": {}}
    for line in lines(text):
        with reader.at(line):
            take_plot(reader, plot, parse(line, "plotting"))
    raise_all(reader.refusals)
    return Submission({name: said for name, said in plot.items() if said})


def take_plot(reader: Reader, plot: dict[str, Any], words: Words) -> None:
    """One line of a plot."""
    view, seat = reader.view, reader.seat
    batteries = {id: battery.name for id, battery in view.batteries.items() if battery.side == seat}
    names, hexes = tokens(words, "NAME"), tokens(words, "HEX")
    match words.data:
        case "register":
            battery = one_named(names[0], batteries, "battery")
            plot["registered"][battery] = [reader.hex(word) for word in hexes]
        case "plan":
            battery = one_named(names[0], batteries, "battery")
            turn = int(tokens(words, "NUMBER")[0])
            legs = [leg for tree in parts(words, "planned") for leg in legs_of(reader, tree)]
            plot["planned"].append({"battery": battery, "turn": turn, "legs": legs})
        case "load":
            own = {id: craft.name for id, craft in view.aircraft.items() if craft.side == seat}
            plot["loads"][one_named(names[0], own, "aircraft")] = "bombs" if tokens(words, "BOMB") else "rockets"
        case "feature":
            own = {id: feature.type for id, feature in view.features.items() if feature.side == seat}
            feature = one_named(names[0], own, "feature of yours")
            facings = [direction(word) for word in tokens_of(words, "face", "DIRECTION")]
            plot["features"][feature] = [reader.hex(hexes[0]), *(facings or [view.features[feature].facing])]
        case "mines":
            own = dict.fromkeys(reader.ask.about.get("mines", ()), "")
            field = one_named(names[0], own, "minefield whose kind you choose")
            plot["mines"][field] = one_named(names[1], dict.fromkeys(MINE_KINDS, ""), "kind of mines")


def legs_of(reader: Reader, words: Words) -> list[list[Any]]:
    """6.5.1.11.1 One target point of planned fire, for so many turns."""
    sheaf, way, type = pattern_of(words)
    times = int("".join(tokens(words, "TIMES")).strip("x") or 1)
    leg = [reader.hex(tokens(words, "HEX")[0]), type or "gp", sheaf or "closed", way]
    return [leg] * min(times, 20)


# --- the asks within a turn ------------------------------------------------------------------------------------

CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "initiative": ("first", "second"),
    "show": ("yes", "no"),
    "air-attack": ("yes", "no"),
    "angle": ("front", "front-side", "rear-side", "rear"),
    "spread": ("done", "b1 b2"),
    "facing": ("default", "g1 face 3"),
    "danger": ("g1",),
    "primary": ("g1",),
    "advance": ("done", "g1 g2"),
    "reroute": ("go on", "stop", "move f r f"),
    "counter-battery": ("done", "gb1"),
    "dischargers": ("done", "g1 g2"),
    "formation": ("g",),
}
"""What can be said to the small asks."""


def read_answer(data: PanzerData, view: PanzerState, ask: Ask, text: str) -> Submission:
    """6.5 to 6.8 The answer to an ask within a turn, when it is put to a person; further lines are the plan."""
    if ask.kind in ("hide", "sneak"):
        return read_hiding(data, view, ask, text)
    if ask.kind == "keep":
        reader = Reader(data, view, ask)
        reader.take_all(text)
        raise_all(reader.refusals)
        return Submission(reader.keeps or ask.default)
    if ask.kind == "unveil":
        return read_placing(data, view, ask, text)
    if ask.kind not in (*CHOICES, *ACTIONS):
        return read_plainly(ask, text)
    if ask.kind in ACTIONS:
        return read_action(data, view, ask, text)
    said = lines(text)
    if not said or (len(said) > 1 and ask.kind != "facing"):
        why = Objection(RULE, f"one line is wanted, not {len(said)}")
        raise Unreadable(ask.kind, [why], CHOICES[ask.kind])
    reader = Reader(data, view, ask)
    found: list[Any] = []
    for line in said:
        with reader.at(line):
            if ask.kind == "formation":
                found.append(chosen_formation(data, ask, line))
            else:
                found.append(chosen(reader, ask, parse(line, "full_choice"), line))
    raise_all(reader.refusals)
    if ask.kind == "facing":
        return Submission({unit: facing for some in found for unit, facing in some.items()})
    return Submission(found[0])


ACTIONS: Final = (
    "fire", "overwatch", "anti-aircraft", "move", "mission", "flight", "assault", "adjust", "demolish",
)  # fmt: skip
"""Asks that are answered by lines like those of orders."""


def read_hiding(data: PanzerData, view: PanzerState, ask: Ask, text: str) -> Submission:
    """7.2.2, 7.2.2.2 `hide g1 g2 at C4`, `dummy D5`; `h2 sneak C5 C6`, `h1 reveal`."""
    reader = Reader(data, view, ask)
    reader.take_all(text)
    raise_all(reader.refusals)
    return Submission(hiding_of(ask.kind, reader.plan()))


def hiding_of(kind: str, plan: AdvancedPlan) -> dict[str, Any]:
    """7.2.2, 7.2.2.2 What a plan says about counters, as an answer."""
    if kind == "hide":
        said: dict[str, Any] = {"counters": [[hex, list(units)] for hex, units in plan.hide], "dummies": plan.dummies}
    else:
        said = {"reveal": plan.reveal, "move": plan.sneak}
    return {name: value for name, value in said.items() if value}


def read_plainly(ask: Ask, text: str) -> Submission:
    """An ask without words of its own: `default`, or the answer as JSON."""
    said = " ".join(line.written for line in lines(text))
    if said.lower() in ("", "default", "done"):
        return Submission(ask.default)
    try:
        return Submission(msgspec.json.decode(said))
    except msgspec.DecodeError as error:
        why = Objection(ask.rule, f"say default, or give the answer in JSON: {error}")
        raise Unreadable(said[:40], [why], ["default"]) from error


def chosen_formation(data: PanzerData, ask: Ask, line: Line) -> str:
    """7.42.1.1 A formation by its id or name, its platoon behind it; `f` would be a step elsewhere."""
    if squashed(line.text) == "default":
        return str(ask.default)
    names = {id: formation_named(data, id) for id in ask.about["formations"]}
    return one_named(line.text, names, "formation to choose")


def formation_named(data: PanzerData, id: str) -> str:
    """7.42 What a formation is called, or a platoon of it."""
    formation, _, platoon = id.partition(" ")
    row = data.scenario.formations.get(formation)
    return f"{row.name if row else formation} {platoon}".strip()


def chosen(reader: Reader, ask: Ask, words: Words, line: Line) -> Any:
    """What a line means for a small ask."""
    march, angle, names = part(words, "march"), tokens(words, "ANGLE"), tokens(words, "NAME")
    match ask.kind, words.data:
        case _, "by_default":
            return ask.default
        case "initiative", "first" | "second":
            return str(words.data)
        case "show" | "air-attack", "yes" | "no":
            return words.data == "yes"
        case "angle", _ if angle:
            return angle[0].replace("-", "_").replace(" ", "_")
        case "angle", "named" if names == ["stronger"]:
            return ask.default
        case "spread" | "advance" | "dischargers", "done" | "no":
            return []
        case "counter-battery", "done" | "no":
            return None
        case "counter-battery", "named" if len(names) == 1:
            batteries = {id: battery.name for id, battery in reader.view.batteries.items()}
            return one_named(names[0], batteries, "battery")
        case "spread", "named":
            return [unit_named(word, reader.view.vehicles.values(), reader.view).id for word in names]
        case "advance" | "dischargers", "named":
            return [reader.own_unit(word).id for word in names]
        case "primary" | "danger", "named" if len(names) == 1:
            return unit_named(names[0], reader.view.vehicles.values(), reader.view).id
        case "facing", "facing":
            return {reader.own_unit(names[0]).id: sum(map(direction, tokens(words, "DIRECTION")))}
        case "reroute", "go_on":
            return None
        case "reroute", _ if march is not None:
            return {"steps": reader.march(reader.view.vehicles[ask.subject], march).acts}
        case "reroute", _ if part(words, "stop") is not None:
            return {"steps": []}
    why = Objection(RULE, "that is no answer here")
    raise Unreadable(line.written, [why], CHOICES[ask.kind], line.written)


def read_action(data: PanzerData, view: PanzerState, ask: Ask, text: str) -> Submission:
    """4.4.1, 6.6 `g1 fire b1`, `g4 move E7`, or `done`: the first that can be done now is the answer."""
    from pbem.titles.panzer.player.doctrine import planned

    reader = Reader(data, view, ask)
    reader.take_all(text)
    reader.settle()
    raise_all(reader.refusals)
    plan = reader.plan()
    direct = DIRECT.get(ask.kind)
    if direct is not None:
        return Submission(direct(data, view, ask, plan))
    replies = [reply.answer for reply in planned(data, view, ask, plan) if reply.answer is not None]
    if ask.kind == "adjust":
        return Submission(check_adjust(data, view, ask, msgspec.to_builtins(plan.adjust)))
    if not replies and (reader.line_of or reader.missions or reader.flights):
        raise Illegal(ask.kind, [Objection(ask.rule, "none of these can be done now")], ["done"])
    return Submission(replies[0] if replies else None, plain(plan))


def declared_fire(data: PanzerData, view: PanzerState, ask: Ask, plan: AdvancedPlan) -> Answer:
    """4.4.1, 4.4.2 All who fire at the first target named; the first of each line is what they fire at."""
    occasion = occasion_of(data, view, ask) if ask.kind == "fire" else watch_of(data, view, ask)
    wished = {id: entries_said(occasion, view.vehicles[id], wish) for id, wish in plan.fire.items()}
    target = next((entries[0].target for entries in wished.values() if entries), None)
    if target is None:
        return None
    firers = [
        entry.written(target)
        for entries in wished.values()
        if entries and entries[0].target == target
        for entry in entries
    ]
    return {"target": target, "firers": firers}


def entries_said(occasion: Occasion, unit: Unit, wish: FireWish) -> list[Entry]:
    """5.14 What can be fired as wished; what cannot is named as it was said, so that the refusal is about it."""
    found = wished_entries(occasion, unit, wish)
    if len(found) == len(wish.aims):
        return found
    return [Entry(unit.id, aim.weapon or 0, aim.how, aim.hex or (aim.targets or [""])[0]) for aim in wish.aims]


def guns_named(data: PanzerData, view: PanzerState, ask: Ask, plan: AdvancedPlan) -> Answer:
    """6.7.4 `g5 fire a1`: the guns that fire at an aircraft now, with the first weapon that can unless told."""
    guns = []
    for id, wish in plan.fire.items():
        arms = weapons_of(data, view.vehicles[id])
        first = next((arm.index for arm in arms if arm.aa), 0)
        weapon = wish.aims[0].weapon
        guns.append([id, first if weapon is None else weapon])
    return guns or None


DIRECT: Final[Mapping[str, Callable[[PanzerData, PanzerState, Ask, AdvancedPlan], Answer]]] = {
    "fire": declared_fire,
    "overwatch": declared_fire,
    "anti-aircraft": guns_named,
}
"""Asks whose answer is what the lines say, now and as a whole."""


# --- plans ---------------------------------------------------------------------------------------------------


def check_plan(view: PanzerState, seat: str, given: Any) -> dict[str, Any]:
    """The plan in canonical form; a refusal of everything in it that names the wrong units.

    What the lines of orders say was checked with them; whether a wish can be fulfilled is seen when its time comes.
    """
    if not isinstance(given, dict):
        raise Unreadable("plan", [Objection("4.2.1", "a plan is a table")], AdvancedPlan.__struct_fields__)
    plan = read_plan(given)
    own = [unit.id for unit in view.vehicles.values() if unit.side == seat]
    enemies = [unit.id for unit in view.vehicles.values() if unit.side != seat]
    raise_all(
        [
            *strangers(own_in(plan), own, "it is not a unit of yours"),
            *strangers(enemies_in(plan), enemies, "it is no enemy"),
        ]
    )
    return plain(plan)


# --- restating -----------------------------------------------------------------------------------------------


def restate(kind: str, submission: Submission) -> str:
    """A submission in the order language, whatever was asked."""
    return "\n".join(said_of(kind, submission)) + "\n"


def said_of(kind: str, submission: Submission) -> list[str]:
    answer = submission.answer
    match kind:
        case "commands":
            return commands_said(submission)
        case "deploy":
            return [placing_said(unit, place) for unit, place in sorted(answer.items())]
        case "unveil":
            return [placing_said(unit, place) for unit, place in sorted(answer.items())]
        case "hide" | "sneak":
            return hiding_said(answer) or ["done"]
        case "keep":
            return [f"{unit} keep {' '.join(targets)}" for unit, targets in answer.items() if targets] or ["done"]
        case "demolish" if answer is not None:
            start = answer.get("advance", {})
            work = answer["feature"]
            return [f"{unit} demolish {work}{from_said(start.get(unit, ''))}" for unit in answer["attackers"]]
        case "plot":
            return plot_said(answer) or ["done"]
        case "fire" | "overwatch" if answer is not None:
            return declaration_said(answer)
        case "anti-aircraft" if answer is not None:
            return [f"{unit} fire with {weapon + 1}" for unit, weapon in answer]
        case "move" if answer is not None:
            others = answer.get("with", [])
            return moves_said(answer["unit"], MarchWish(answer["mode"], answer["steps"], others))
        case "mission" if answer is not None:
            return [mission_said(msgspec.convert(answer, Declaration))]
        case "flight" if answer is not None:
            return [flight_said(msgspec.convert(answer, Plot))]
        case "assault" if answer is not None:
            return [f"{unit} {assault_said(AssaultWish(answer['target'], hex))}" for unit, hex in answer["attackers"]]
        case "adjust":
            return adjustments_said(msgspec.convert(answer, Adjustments)) or ["done"]
        case "show" | "air-attack":
            return ["yes" if answer else "no"]
        case "spread" | "advance" | "dischargers":
            return [" ".join(answer) or "done"]
        case "facing":
            return [f"{unit} face {facing}" for unit, facing in answer.items()]
        case kind if kind not in (*CHOICES, *ACTIONS):
            return [msgspec.json.encode(answer).decode()]
        case "reroute":
            steps = [] if answer is None else answer["steps"]
            return ["go on" if answer is None else f"move {acts_said(steps)}" if steps else "stop"]
    return ["done" if answer is None else str(answer).replace("_", "-")]


def placing_said(unit: str, place: Sequence[Any]) -> str:
    """2.0 One unit's place."""
    return f"{unit} aboard {place[1]}" if place[0] == ABOARD else f"{unit} {place[0]} face {place[1]}"


def declaration_said(answer: Mapping[str, Any]) -> list[str]:
    """4.4.1, 5.14 Fire at one target, unit by unit."""
    said = []
    for unit, entries in groupby(answer["firers"], key=lambda entry: entry[0]):
        aims = []
        for entry in entries:
            _, weapon, how, *other = entry
            aims.append(aim_said(Aim([other[0] if other else answer["target"]], weapon=weapon, how=how)))
        said.append(f"{unit} fire {' and '.join(aims)}")
    return said


def aim_said(aim: Aim) -> str:
    """5.14 One aim as it is written."""
    smoke = bool(aim.hex) or aim.how == "smoke"
    words = [f"smoke {aim.hex or aim.targets[0]}"] if smoke else list(aim.targets)
    words += [f"with {aim.weapon + 1}"] if aim.weapon is not None else []
    return " ".join([*words, *([aim.how.removeprefix("ap:").lower()] if aim.how and not smoke else [])])


def commands_said(submission: Submission) -> list[str]:
    """4.2.1 The canonical lines of commands and plan. Read again, they give the same submission."""
    plan = read_plan(submission.plan)
    commands: dict[str, str] = submission.answer
    listed = [*plan.order.fire, *plan.order.move]
    units = sorted(commands, key=lambda unit: (listed.index(unit) if unit in listed else len(listed), unit))
    boarding = {act[6:]: unit for unit, wish in plan.move.items() for act in wish.acts if act.startswith("mount:")}
    said = [line for unit in units for line in unit_said(unit, commands, plan, boarding)]
    said += [f"{unit} fire {aims_said(wish)}" for unit, wish in plan.fire.items() if unit not in commands]
    for unit, wish in plan.move.items():
        if wish.mode == STAY:
            rest = (act for act in wish.acts if act[6:] not in commands and not act.startswith("unload"))
            said += [passenger_said(unit, act) for act in rest]
    said += [mission_said(call) for call in plan.missions]
    said += [f"{flight_said(plot)}{' late' if plot.aircraft in plan.late else ''}" for plot in plan.flights]
    said += adjustments_said(plan.adjust)
    said += hiding_said(hiding_of("hide", plan)) + hiding_said(hiding_of("sneak", plan))
    said += [f"{unit} discharge" for unit in plan.discharge]
    said += [f"formations {' '.join(plan.formations)}"] if plan.formations else []
    if plan.initiative:
        said.append(f"initiative {plan.initiative}")
    for word, table in (("show", plan.show), ("aspect", plan.aspect)):
        said += [f"{word} {unit} {what}".replace(f" {ALL} ", " ") for unit, what in table.items()]
    return said + order_said(plan, said)


def from_said(hex: str) -> str:
    """6.6.1.1 The hex to which a unit advances before it attacks."""
    return f" from {hex}" if hex else ""


def hiding_said(answer: Mapping[str, Any]) -> list[str]:
    """7.2.2, 7.2.2.2 What is done with hidden unit counters."""
    said = [f"hide {' '.join(units)} at {hex}" for hex, units in answer.get("counters", ())]
    said += [f"dummy {' '.join(answer['dummies'])}"] if answer.get("dummies") else []
    said += [f"{id} reveal" for id in answer.get("reveal", ())]
    return said + [f"{id} sneak {' '.join(path)}" for id, path in answer.get("move", {}).items()]


def order_said(plan: AdvancedPlan, said: Sequence[str]) -> list[str]:
    """4.4.1, R-11 The order of fire and moves, where the lines above do not give it."""
    first = [line.split()[0] for line in said]
    found = []
    for word, order, own in (("fire", plan.order.fire, plan.fire), ("moves", plan.order.move, plan.move)):
        if order and order != list(dict.fromkeys(unit for unit in first if unit in own)):
            found.append(f"order of {word}: {', '.join(order)}")
    return found


def unit_said(
    unit: str, commands: Mapping[str, str], plan: AdvancedPlan, boarding: Mapping[str, str]
) -> Iterator[str]:
    """4.2.1, 6.2.1.1.3 One unit's order as it is written, under its own counter or another's."""
    word = commands[unit]
    shared = word.startswith(WITH)
    given = commands.get(word.removeprefix(WITH), Command.NO_COMMAND.value) if shared else word
    line = f"{unit} {own_said(unit, Command(given), plan, boarding)}"
    nothing = line == f"{unit} {WORD_OF[Command(given)]}"
    yield line if not shared else f"{unit} {word}" if nothing else f"{unit} {word} {line.removeprefix(unit + ' ')}"


def own_said(unit: str, command: Command, plan: AdvancedPlan, boarding: Mapping[str, str]) -> str:
    """4.2.1 What one unit does."""
    if unit in boarding and command is Command.MOVE:
        return f"mount {boarding[unit]}"
    if unit in plan.assault:
        return assault_said(plan.assault[unit])
    if unit in plan.demolish:
        return f"demolish {plan.demolish[unit]}{from_said(plan.demolish_from.get(unit, ''))}"
    words = [WORD_OF[command]] if command is not Command.MOVE else []
    if unit in plan.move and plan.move[unit].mode == STAY and command is Command.NO_COMMAND:
        words += [acts_said([act]) for act in plan.move[unit].acts if act.startswith("unload")]
    if unit in plan.fire and command in (Command.FIRE, Command.SHORT_HALT):
        words.append(aims_said(plan.fire[unit]))
    march = plan.move.get(unit)
    if march is not None and march.mode != STAY and (command is Command.MOVE or march != MarchWish()):
        words.append(march_said(march))
    elif command is Command.MOVE:
        words.append(WORD_OF[command])
    if unit in plan.overwatch:
        words.append(conditions(plan.overwatch[unit]))
    return " ".join(words)


def assault_said(wish: AssaultWish) -> str:
    """6.6.1.1 An attack as it is written."""
    return f"assault {wish.target}{f' from {wish.hex}' if wish.hex else ''}"


def aims_said(wish: FireWish) -> str:
    return " and ".join(aim_said(aim) for aim in wish.aims)


def moves_said(unit: str, wish: MarchWish) -> list[str]:
    """6.6, 6.6.7.1.1 A move; of a vehicle that stays, what its passengers do."""
    if wish.mode == STAY:
        return [passenger_said(unit, act) for act in wish.acts]
    return [f"{unit} {march_said(wish)}"]


def passenger_said(carrier: str, act: str) -> str:
    """6.6.7.1.1 Getting on or off a vehicle that stays."""
    word, *parts = act.split(":")
    if word == "mount":
        return f"{parts[0]} mount {carrier}"
    if word == "unload":
        return f"{carrier} {acts_said([act])}"
    return f"{parts[0]} {acts_said([act]).replace(f'{word} {parts[0]}', word, 1)}"


def mission_said(call: Declaration) -> str:
    """6.5.1.1 A declaration of indirect fire."""
    type = "" if call.type == "gp" else f" {call.type}"
    sheaf = " ".join([SHEAF_WORDS[call.sheaf], *([str(call.direction)] if call.direction else [])]).strip()
    pattern = f" {sheaf}" if sheaf else ""
    match call.do:
        case "call" | "recon":
            return f"{call.observer} {call.do} {' '.join(call.firers)} at {call.point}{pattern}{type}"
        case "adjust":
            firers = f" with {' '.join(call.firers)}" if call.firers else ""
            return f"{call.mission} adjust {call.point}{pattern} {call.type}{firers}"
        case "continue":
            return f"{call.mission} continue {call.type}"
        case "check":
            return f"{call.mission} check"
    return f"{call.plan} arrive"


def flight_said(plot: Plot) -> str:
    """6.7.2 A flight."""
    verbs = {weapon: word for word, weapon in AIR_WORDS.items()}
    attacks = [f"{verbs[attack.weapon]} {attack.target}" for attack in plot.attacks]
    turn = [f"turn {'left' if plot.turn < 0 else 'right'} after {plot.turn_after}"] if plot.turn else []
    head = f"{plot.aircraft} fly {plot.hex} face {plot.facing} {plot.speed} {plot.altitude}"
    return " ".join([head, *attacks, *turn])


def adjustments_said(adjust: Adjustments) -> list[str]:
    """6.8 Adjustments, one a line."""
    return [
        *(f"{unit} pivot {facing}" for unit, facing in adjust.pivot.items()),
        *(f"{unit} {'cover' if covered else 'uncover'}" for unit, covered in adjust.cover.items()),
        *(f"{unit} occupy {place}" if place else f"{unit} vacate" for unit, place in adjust.occupy.items()),
        *(f"{unit} {'dig' if digs else 'no digging'}" for unit, digs in adjust.dig.items()),
        *(f"{unit} turret {offset}" for unit, offset in adjust.turret.items()),
        *(f"{unit} {'shut' if shut else 'unshut'}" for unit, shut in adjust.hatch.items()),
        *(f"{unit} {'partial ' if partial else ''}hull-down" for unit, partial in adjust.partial.items()),
    ]


def plot_said(answer: Mapping[str, Any]) -> list[str]:
    """6.5.1.4, 6.5.1.11.1, 6.7.1 A plot."""
    said = [f"register {id} {' '.join(hexes)}" for id, hexes in answer.get("registered", {}).items()]
    for mission in answer.get("planned", ()):
        legs = []
        for hex, type, sheaf, way in mission["legs"]:
            legs.append(" ".join([hex, SHEAF_WORDS[sheaf], *([str(way)] if way else []), type]))
        said.append(f"plan {mission['battery']} turn {mission['turn']}: {', '.join(legs)}")
    said += [f"load {id} {load}" for id, load in answer.get("loads", {}).items()]
    said += [f"{id} {hex} face {facing}" for id, (hex, facing) in answer.get("features", {}).items()]
    said += [f"{id} {kind}" for id, kind in answer.get("mines", {}).items()]
    return said
