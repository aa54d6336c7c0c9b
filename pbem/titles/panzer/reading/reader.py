"""4.2.1, 6.2 A player's orders: lines interpreted against a seat's view, and the mistakes in each.

Every line that cannot be carried out is refused, all of them together. `language` reads the words, `prospects`
decides what is legal, `NOTES.md` describes the language.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import msgspec

from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.rules.title import Submission
from pbem.engine.text.grammar import Line, Words, lines, part, tokens
from pbem.engine.text.messages import say, several
from pbem.titles.panzer.cards.units import is_recon
from pbem.titles.panzer.cards.weapons import weapons_left, weapons_of
from pbem.titles.panzer.command.command_control import UNIQUE, Group, commandable, group_objections
from pbem.titles.panzer.command.commands import WITH, command_objections, resolve_sharing
from pbem.titles.panzer.command.dischargers import is_smoking, limit_of
from pbem.titles.panzer.fire.special_fire import PIN
from pbem.titles.panzer.fire.turrets import has_hatches, has_turret
from pbem.titles.panzer.movement.shared_moves import command_of
from pbem.titles.panzer.movement.steps.acts import HANDLING, Bail, Dismount, read_act
from pbem.titles.panzer.player.clauses import word_of
from pbem.titles.panzer.player.plan import (
    ALL,
    STAY,
    Adjustments,
    AdvancedPlan,
    Aim,
    AssaultWish,
    FireWish,
    MarchWish,
    WatchWish,
    plain,
)
from pbem.titles.panzer.player.plan import Sequence as Order
from pbem.titles.panzer.player.prospects import (
    suggested_groups,
)
from pbem.titles.panzer.reading.base import one_named
from pbem.titles.panzer.reading.judging import Judging
from pbem.titles.panzer.reading.language import parse
from pbem.titles.panzer.reading.moves import unload_step
from pbem.titles.panzer.reading.naming import raise_all, refuse_unit_as_hex
from pbem.titles.panzer.reading.vocabulary import direction, squash, tokens_of, watch_wish
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import MOVING, Command, Unit

MOST_REFUSED: Final = 30
"""The maximum number of lines reported as wrong; after that, reading stops."""

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
"""4.2 The command for each part of a line; a Short Halt may contain a move."""


def read_orders(situation: Situation, ask: Ask, text: str) -> Submission:
    """4.2.1 Read a seat's commands and plan; a refusal names every line that cannot be carried out."""
    reader = Reader(situation, ask)
    reader.read(text)
    commands = {unit: resolve_sharing(reader.commands, unit) for unit in sorted(reader.commands)}
    return Submission(commands, plain(reader.plan()))


NAME_THE_UNITS: Final = Objection("6.2.1.1.3", say("name the units that share a counter, two or more"))
"""6.2.1.1.3 The objection to a shared counter for `rest`, or for a single unit."""


class Reader(Judging):
    """Reads the lines one by one and collects the mistakes in each."""

    def read(self, text: str) -> None:
        """Read every line in turn, those for `rest` at the end; then judge them all together."""
        self.take_all(text)
        self.settle()
        self.judge()
        written = [line.written for line in lines(text)]
        order = {line: number for number, line in enumerate(written)}
        raise_all(sorted(self.refusals, key=lambda refusal: order.get(refusal.line, len(order))))

    def take_all(self, text: str) -> None:
        """Read every line without judging it."""
        rest: list[tuple[Line, Words]] = []
        for line in lines(text):
            if len(self.refusals) >= MOST_REFUSED:
                break
            with self.at(line):
                words = parse(line)
                if words.data == "unit_order" and tokens_of(words, "who", "ALL") and not tokens(words, "TOGETHER"):
                    refuse_unit_as_hex(self.view, line, words)
                    rest.append((line, words))
                else:
                    self.take(line, words)
        self.settle_commands()  # a unit that calls is not part of the rest
        for line, words in rest:
            with self.at(line):
                self.take_rest(line, words)

    def take_rest(self, line: Line, words: Words) -> None:
        """4.2.1, 6.2.1.1.3 Give orders to units that have no line.

        Those unable to comply hold; scarce commands are shared.
        """
        name = next(name for name in COMMAND_OF if part(words, name) is not None)
        mine = {unit.id for unit in self.mine}
        units = [unit for unit in commandable(self.view, self.seat) if unit.id in mine - set(self.commands)]
        if not units:
            self.refuse_idle_rest(line, COMMAND_OF[name])
        able = [unit for unit in units if not any(command_objections(self.situation, unit, COMMAND_OF[name]))]
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

    def refuse_idle_rest(self, line: Line, command: Command) -> None:
        """4.2.1 Refuse a `rest` line that orders no unit because units were given a hold by lines of their own."""
        told = [unit for unit in self.mine if self.commands.get(unit.id) == Command.NO_COMMAND.value]
        meant = [unit.id for unit in told if not any(command_objections(self.situation, unit, command))]
        if meant and command is not Command.NO_COMMAND:
            why = say(
                "`rest` is for units without a line of their own, and every unit has one; "
                "delete the lines of {units}, which hold",
                units=several(meant),
            )
            raise Illegal(line.written, [Objection("4.2.1", why)])

    def affordable(self, units: Sequence[Unit], command: Command) -> Iterator[list[Unit]]:
        """6.2.1.1.3 Each unit alone if the commands suffice for its formation; otherwise groups, largest first."""
        for formation in dict.fromkeys(unit.formation for unit in units):
            own = [unit for unit in units if unit.formation == formation]
            free = [unit for unit in own if is_recon(unit) or not self.data.plays("command_control")]
            yield from ([unit] for unit in free)
            own = [unit for unit in own if unit not in free]
            left = self.view.available.get(formation, 0) - self.commands_used(formation)
            if command is Command.NO_COMMAND or len(own) <= left:
                yield from ([unit] for unit in own)
                continue
            groups = suggested_groups(self.situation, own)
            legal = [group for group in groups if self.may_share(group, command)]
            yield from sorted(legal, key=len, reverse=True)[: max(0, left)]

    def may_share(self, units: Sequence[Unit], command: Command) -> bool:
        """6.2.1.1.3 Whether these units can share one counter."""
        return not any(group_objections(self.situation, Group(command, tuple(units))))

    def commands_used(self, formation: str) -> int:
        """6.2.1.1.3 How many of a formation's commands the lines so far have used."""
        placed = [unit for unit in self.own if unit.formation == formation and not is_recon(unit)]
        return sum(self.commands.get(unit.id, "") in [command.value for command in UNIQUE] for unit in placed)

    def plan(self) -> AdvancedPlan:
        """Everything in the lines other than the commands. Units fire and move in the order of their lines."""
        order = Order(fire=self.in_sequence("fire") or list(self.fire), move=self.moves_in_order())
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
        """Process one line."""
        refuse_unit_as_hex(self.view, line, words)
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
                self.in_use(words.data)
                self.take_hidden(line, words)
            case "keeps":
                if self.ask.kind != "keep":
                    raise Illegal(
                        "keeps", [Objection("7.7.2", say("no unit has to choose which enemies to keep in sight"))]
                    )
                unit = self.own_unit(str(words.children[0])).id
                self.keeps[unit] = [self.enemy(word) for word in tokens_of(words, "names", "NAME")]
            case "formations":
                self.in_use("formations")
                own = {id: row.name for id, row in self.data.scenario.formations.items() if row.side == self.seat}
                named = tokens_of(words, "names", "NAME")
                self.formations = [one_named(word, own, "formation of yours") for word in named]
                self.once("formations", self.formations)
            case "initiative":
                self.initiative = "first" if tokens(words, "FIRST") else "second"
                self.once("initiative", self.initiative)
            case "show":
                self.take_choice(self.show, "show", words, "when")
            case "aspect":
                self.take_choice(self.aspect, "aspect", words, "side")
            case "sequence":
                named = tokens(words, "FIRE", "MOVE")
                kinds = [what for what in ("fire", "move") if not named or tokens(words, what.upper())]
                self.sequence_lines.append((line, kinds, self.own_named(words)))
                for what in kinds:
                    self.sequence[what] = self.own_named(words)
                    self.once(f"order of {what}", self.sequence[what])

    def take_choice(self, chosen: dict[str, Any], name: str, words: Words, part: str) -> None:
        """4.4.3.2.2, 4.4.3.2.4 Read when to show a counter, or which armour is hit, for named units or for all."""
        for unit in self.own_named(words) or [ALL]:
            chosen[unit] = word_of(words, part)
            self.once(f"{name} {unit}".removesuffix(f" {ALL}"), chosen[unit])

    def take_units(self, line: Line, words: Words) -> None:
        """4.2.1, 6.2.1.1.3 Order the units separately, or all under the first unit's counter."""
        units = [self.own_unit(word) for word in tokens_of(words, "who", "NAME")]
        together = bool(tokens(words, "TOGETHER"))
        if together and len({unit.id for unit in units}) < 2:
            raise Illegal(line.written, [NAME_THE_UNITS])
        for number, unit in enumerate(units):
            self.order(unit, words, line)
            if together and number and unit.id in self.commands:
                self.commands[unit.id] = f"{WITH}{units[0].id}"

    def take_share(self, line: Line, words: Words) -> None:
        """6.2.1.1.3 `g2 with g1`: share g1's counter; without an act of its own, g2 follows its standing orders."""
        if tokens_of(words, "who", "ALL"):
            raise Illegal(line.written, [NAME_THE_UNITS])
        leader = self.own_unit(next(str(word) for word in words.children if getattr(word, "type", "") == "NAME"))
        for unit in [self.own_unit(word) for word in tokens_of(words, "who", "NAME")]:
            if part(words, "act") is not None:
                self.order(unit, words, line)
                self.own_words[unit.id] = self.commands.get(unit.id, "")
            else:
                self.claim(unit.id, line)
            self.commands[unit.id] = f"{WITH}{leader.id}"

    def order(self, unit: Unit, words: Words, line: Line) -> None:
        """4.2.1 Give a unit one command, and its orders for fire and movement."""
        self.claim(unit.id, line)
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
            self.move[unit.id] = self.loading(unit, self.march(unit, part(words, "staying")).acts)
        elif (gun := part(words, "unloading")) is not None:
            self.move[unit.id] = MarchWish(mode=STAY, acts=[str(unload_step(gun))])
        self.commands[unit.id] = command.value
        self.order_fire(unit, words)
        if (assault := part(words, "assault")) is not None and name == "assault":
            target, place = tokens(assault, "NAME")[0], tokens(assault, "HEX")
            self.assault[unit.id] = AssaultWish(self.enemy(target), self.hex(place[0]) if place else "")
        if (demolish := part(words, "demolish")) is not None:
            self.in_use("demolish")
            self.demolish[unit.id] = one_named(tokens(demolish, "NAME")[0], self.features(), "work")
            for word in tokens(demolish, "HEX"):
                self.demolish_from[unit.id] = self.hex(word)
        watch = part(words, "overwatch")
        if watch is not None and len(watch.children) > 1:
            self.overwatch[unit.id] = self.watching(unit, watch)

    def loading(self, unit: Unit, acts: list[str]) -> MarchWish:
        """6.6.7.1.1 The acts of a vehicle that holds: its passengers get on and off."""
        if not all(isinstance(read_act(act), (*HANDLING, Bail)) for act in acts):
            why = Objection("6.6.7.1.1", say("the unit does not move; passengers can only get on or off"))
            raise Illegal(f"{unit.id} hold", [why], [f"{unit.id} hold"])
        return MarchWish(mode=STAY, acts=acts)

    def watching(self, unit: Unit, watch: Words) -> WatchWish:
        """4.4.2, 7.18 The conditions of an Overwatch; only a unit with small arms can pin."""
        wish = watch_wish(watch, self.enemy)
        if wish.pin:
            self.in_use("pin")
            if not any(arm.small_arms and arm.gp for arm in weapons_of(self.data, unit)):
                raise Illegal(f"{unit.id} overwatch pin", [Objection("7.18", say("the unit has no small arms"))])
        return wish

    def in_mode(self, unit: Unit, wish: MarchWish) -> MarchWish:
        """6.6.7.1.1 The move in its mode: asked for moves, a vehicle without a Move loads and unloads in place."""
        handling = all(isinstance(read_act(act), HANDLING) for act in wish.acts)
        if self.ask.kind == "move" and wish.acts and handling and command_of(self.view, unit) not in MOVING:
            return msgspec.structs.replace(wish, mode=STAY)
        return wish

    def features(self) -> dict[str, str]:
        """6.1.4.3 The counters on the map that the seat knows of."""
        return {id: feature.type for id, feature in self.view.features.items()}

    def order_passenger(self, unit: Unit, name: str, words: Words) -> None:
        """6.6.7 Read a passenger's order: it has no command, and may only fire with its carrier or dismount."""
        march, watch = part(words, "march"), part(words, "overwatch")
        if part(words, "unloading") is not None:
            raise Illegal(f"{unit.id} unload", [Objection("5.2.1", say("only a truck unloads its gun"))])
        if watch is not None and len(watch.children) > 1:
            self.overwatch[unit.id] = self.watching(unit, watch)
            return
        if name in ("full_fire", "full_smoke"):
            self.order_fire(unit, words)
            self.at_will += [unit.id] if unit.id not in self.fire else []
            return
        if name == "march" and march is not None:
            wish = self.march(unit, march)
            if wish == MarchWish(acts=wish.acts) and self.is_getting_off(wish.acts):
                self.carried += [(unit.aboard, act) for act in wish.acts]
                return
        why = Objection(
            "6.6.7",
            say("the unit is aboard {aboard}, and passengers have no command of their own", aboard=unit.aboard),
        )
        raise Illegal(f"{unit.id} {name}", [why], [f"{unit.id} dismount", f"{unit.aboard} move"])

    def is_getting_off(self, acts: Sequence[str]) -> bool:
        """6.6.7.1.1 Whether the acts of a passenger are only those of leaving its carrier."""
        return bool(acts) and all(isinstance(read_act(act), Dismount | Bail) for act in acts)

    def order_fire(self, unit: Unit, words: Words) -> None:
        """4.4.1, 5.14 Read the targets by preference, for each weapon; standing orders decide if none are given."""
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
        numbers = dict.fromkeys(int(tokens(tree, "NUMBER")[0]) - 1 for tree in words.find_data("with_number"))
        shells = part(words, "with_ap") is not None or any(
            tokens(tree, "AMMO") for tree in words.find_data("with_name")
        )
        if len(numbers) > 1 or (shells and (part(words, "with_gp") or part(words, "with_pin")) is not None):
            raise Illegal(f"{unit.id} fire", [Objection("5.14", say("a shot uses one weapon, and either AP or GP"))])
        if smoke and (shells or part(words, "with_gp", "with_pin") is not None):
            why = Objection("6.1.4.3.10", say("smoke is neither AP nor GP fire: name only the hex and the weapon"))
            raise Illegal(f"{unit.id} smoke", [why], [f"{unit.id} fire smoke {smoke[0]}"])
        weapon = next(iter(numbers), None)
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
        """3.5, 5.16.1 Read the word after `with`: `apcr` is ammunition, `mg34` the beginning of a weapon's name."""
        arms = weapons_left(self.data, unit)
        kinds = {squash(ammo.type): f"ap:{ammo.type}" for arm in arms for ammo in arm.ammo}
        if squash(word) in kinds:
            return weapon, kinds[squash(word)]
        for arm in arms:
            if squash(arm.name).startswith(squash(word)):
                return arm.index, how
        legal = [*(f"with {arm.index + 1} ({arm.name})" for arm in arms), *(f"with {kind}" for kind in kinds)]
        raise Illegal(
            f"{unit.id} with {word}", [Objection("5.16.1", say("the unit has no such weapon or ammunition"))], legal
        )

    def take_adjustment(self, words: Words) -> None:
        """6.8 Pivots, full cover, positions and digging, in addition to a unit's command."""
        named = [self.own_unit(word).id for word in tokens_of(words, "who", "NAME")]
        every = bool(tokens_of(words, "who", "ALL"))
        for tree in words.children[1:]:
            assert not isinstance(tree, str)
            self.in_use(str(tree.data))
            kind, value = {
                "pivot": ("pivot", sum(map(direction, tokens(tree, "DIRECTION")))),
                "cover": ("cover", True),
                "uncover": ("cover", False),
                "occupy": (
                    "occupy",
                    "".join(one_named(word, self.features(), "work") for word in tokens(tree, "NAME")),
                ),
                "vacate": ("occupy", ""),
                "dig": ("dig", True),
                "no_dig": ("dig", False),
                "turret": ("turret", int("".join(tokens(tree, "NUMBER")) or 0)),
                "shut": ("hatch", True),
                "unshut": ("hatch", False),
                "stand_partial": ("partial", True),
                "stand_whole": ("partial", False),
            }[str(tree.data)]
            if every:
                self.once(f"rest {kind}", value)
            for unit in self.able_to(kind) if every else named:
                if not every:
                    self.once(f"{unit} {kind}", value)
                elif f"{unit} {kind}" in self.settled:
                    continue  # it has a line of its own
                self.adjust[kind][unit] = value

    def able_to(self, kind: str) -> list[str]:
        """6.8 The units that can make an adjustment: vehicles for turrets, hatches and hull down, or all others."""
        vehicles = kind in ("turret", "hatch", "partial")
        able = [unit for unit in self.mine if (unit.kind == "vehicle") is vehicles and not unit.aboard]
        if kind in ("turret", "hatch"):
            able = [unit for unit in able if (has_turret if kind == "turret" else has_hatches)(self.data, unit)]
        return [unit.id for unit in able]

    def take_discharge(self, words: Words) -> None:
        """7.9 Smoke dischargers, in addition to the commands; they fire before the next turn's commands."""
        units = [self.own_unit(word) for word in tokens_of(words, "who", "NAME")]
        if tokens_of(words, "who", "ALL"):
            units = [unit for unit in self.mine if limit_of(self.data, unit)]
        if self.view.turn >= self.data.scenario.turns:
            raise Illegal(
                "discharge",
                [Objection("7.9", say("smoke dischargers fire before the next turn, but this is the last turn"))],
            )
        for unit in units:
            if not self.data.plays("smoke_dischargers") or not limit_of(self.data, unit):
                raise Illegal(f"{unit.id} discharge", [Objection("7.9", say("the vehicle has no smoke dischargers"))])
            if is_smoking(unit):
                why = Objection(
                    "7.9", say("the unit has fired its dischargers this turn, so it cannot fire them next turn")
                )
                raise Illegal(f"{unit.id} discharge", [why])
        self.discharge = list(dict.fromkeys((*self.discharge, *(unit.id for unit in units))))

    def take_hidden(self, line: Line, words: Words) -> None:
        """7.2.2.2, 7.2.3 Read which counters move or are revealed, which units hide, and where dummies are placed."""
        names, hexes = tokens(words, "NAME"), [self.hex(word) for word in tokens(words, "HEX")]
        own = {id: "" for id, counter in self.view.hidden_counters.items() if counter.side == self.seat}
        match words.data:
            case "sneak":
                counter = one_named(names[0], own, "counter of yours")
                self.claim(counter, line)
                self.sneak[counter] = hexes
            case "reveal":
                counter = one_named(names[0], own, "counter of yours")
                self.claim(counter, line)
                self.reveal.append(counter)
            case "hide":
                self.hide.append((hexes[0], [self.own_unit(word).id for word in names]))
            case _:
                self.dummies += hexes
