"""4.2.1 All lines taken together: implied commands, and every objection to them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from pbem.engine.geometry.hexes import distance
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.refusals import Illegal, Objection, Refusal, each
from pbem.engine.text.grammar import Line
from pbem.engine.text.messages import say
from pbem.titles.panzer.air.air import plot_objections
from pbem.titles.panzer.artillery.mission_answers import check_mission
from pbem.titles.panzer.cards.board import on_map
from pbem.titles.panzer.close_combat.close_combat import assault_objections, check_assault
from pbem.titles.panzer.close_combat.overrun_moves import target_of, targets_of
from pbem.titles.panzer.command.command_control import commandable, gets_counter
from pbem.titles.panzer.command.commands import WITH, command_refusals, refused_groups, resolve_sharing, root_of
from pbem.titles.panzer.fire.aiming import Occasion, after_fire
from pbem.titles.panzer.movement.steps.acts import HANDLING, Mount, Overrun, acts_of, read_act, units_named
from pbem.titles.panzer.numbering import ledger_row
from pbem.titles.panzer.obstacles.demolition import check_demolish
from pbem.titles.panzer.player.plan import STAY, AssaultWish, Declaration, MarchWish, usual_order
from pbem.titles.panzer.player.prospects import as_ordered, check_fire_wish, suggested_groups, targets_apart
from pbem.titles.panzer.reading.idle_words import IdleWords
from pbem.titles.panzer.reading.moves import MoveWords
from pbem.titles.panzer.reading.naming import with_line
from pbem.titles.panzer.reading.support import SupportWords
from pbem.titles.panzer.routes.itineraries import check_march
from pbem.titles.panzer.routes.moves_together import parted_moves
from pbem.titles.panzer.sighting.hidden_orders import check_sneak
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import Command, PanzerState


class Judging(MoveWords, SupportWords, IdleWords):
    """4.2.1 Collects all lines first, then judges them together, because mounting a truck depends on two lines."""

    def settle(self) -> None:
        """6.5.1, 6.6.7 Derive implied commands; passengers' actions become part of the carrier's move."""
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
                place = self.place_of_act(carrier, wish, act)
                acts = [*wish.acts[:place], act, *wish.acts[place:]]
                self.move[carrier] = msgspec.structs.replace(wish, acts=acts)
        self.move = {unit: self.move[unit] for unit in (*self.commands, *self.move) if unit in self.move}
        for wish in list(self.move.values()):
            for mount in acts_of(Mount, wish.acts):
                if self.move.get(mount.unit) == MarchWish():
                    del self.move[mount.unit]  # it waits to be picked up

    def word_of(self, unit: str) -> str:
        """6.2.1.1.3 The command a unit has been given, on its own or shared."""
        word = resolve_sharing(self.commands, unit)
        return self.commands.get(word.removeprefix(WITH), "") if word.startswith(WITH) else word

    def takes_part(self, what: str, unit: str) -> bool:
        """4.4.1, R-11 Whether a unit is told to fire, or to move."""
        orders = self.fire if what == "fire" else self.move
        return unit in orders or (unit in self.commands and self.word_of(unit) in (what, "short-halt"))

    def attacking(self) -> list[str]:
        """6.6.1.1, 7.19 Units whose Move is for an attack, or for being picked up by a vehicle."""
        return [*self.assault, *self.demolish, *self.getting_on()]

    def getting_on(self) -> list[str]:
        """6.6.7.1.1 The units ordered to mount a vehicle."""
        return [mount.unit for mount in acts_of(Mount, (act for _, act in self.carried))]

    def place_of_act(self, carrier: str, wish: MarchWish, act: str) -> int:
        """6.6.7.1.1 Where in its carrier's move a unit mounts or dismounts, by a line of its own.

        A unit that stands by is picked up before the carrier drives off. In one hex passengers get off before others
        get on, so that these find room.
        """
        if isinstance(read_act(act), Mount):
            driving = [number for number, said in enumerate(wish.acts) if not isinstance(read_act(said), HANDLING)]
            near = any(self.stands_by(carrier, mount.unit) for mount in acts_of(Mount, [act]))
            return next(iter(driving), len(wish.acts)) if near else len(wish.acts)
        mounts = [number for number, said in enumerate(wish.acts) if isinstance(read_act(said), Mount)]
        return next(iter(mounts), len(wish.acts)) if wish.mode == STAY else len(wish.acts)

    def stands_by(self, carrier: str, unit: str) -> bool:
        here, there = self.view.vehicles[carrier].hex, self.view.vehicles[unit].hex
        return here is not None and there is not None and distance(here, there) <= 1

    def settle_commands(self) -> None:
        """6.5.1, 7.2.2.2 Give units on hold the commands implied by calls for fire and moves of hidden counters."""
        for _, call in self.missions:
            self.settle_call(call)
        for id in self.sneak if self.ask.kind == "commands" else ():
            for unit in self.view.hidden_counters[id].units:
                self.imply(unit, Command.MOVE)
        for id, wish in list(self.move.items()):
            for other in wish.others:
                if other not in self.commands and self.ask.kind == "commands":  # 6.6.10
                    self.imply(other, Command.MOVE)
                    self.move[other] = MarchWish(acts=[str(act) for act in acts_of(Overrun, wish.acts)])
                    self.line_of[other] = self.line_of[id]

    def imply(self, unit: str, command: Command) -> None:
        """4.2.1 Give a unit a command implied by another line, unless it already has one other than hold."""
        if self.commands.get(unit, Command.NO_COMMAND.value) == Command.NO_COMMAND.value:
            self.commands[unit] = command.value

    def settle_call(self, call: Declaration) -> None:
        """6.5.1 Give an observer Overwatch and an on-map firer Fire, unless they have been ordered otherwise."""
        observer = call.observer or (self.view.missions[call.mission].observer if call.mission else "")
        wanted = [(observer, Command.OVERWATCH)] if observer and call.do != "check" else []
        firers = call.firers or (self.view.missions[call.mission].firers if call.do == "continue" else ())
        wanted += [(id, Command.FIRE) for id in firers]
        for id, command in wanted:
            unit = self.view.vehicles.get(id)
            if unit is None:
                continue
            holder = self.view.vehicles[unit.aboard] if unit.aboard else unit
            if gets_counter(self.view, holder) and self.ask.kind == "commands":
                self.imply(holder.id, command)

    def judge(self) -> None:
        """4.2.1 Collect every objection to these orders in the present situation; unreadable lines are ignored."""
        unread = len(self.refusals)
        self.judge_commands()
        if len(self.refusals) > unread:
            return
        seat = self.seat
        self.refusals += self.idle_names(self.takes_part)
        self.refusals += self.idle_manner()
        self.refusals += self.refuse_armour()
        self.refusals += self.unmoving(self.takes_part)
        self.refusals += self.idle_riders()
        ordered = as_ordered(self.view, seat, self.commands)
        then = Situation(self.data, ordered)
        occasion = Occasion(then, seat)
        for id, shots in self.fire.items():
            with self.at(self.line_of.get(id)):
                check_fire_wish(self.beside_others(occasion, id), ordered.vehicles[id], shots)
        if len(self.refusals) == unread:
            fire = {id: self.fire[id] for id in (*self.in_sequence("fire"), *self.fire) if id in self.fire}
            self.refusals += [self.at_its_line(id, refusal) for id, refusal in targets_apart(then, fire)]
        for id, move in self.move.items():
            with self.at(self.line_for_move(id, move)):
                check_march(then, ordered.vehicles[id], move)
        for id, path in self.sneak.items():
            with self.at(self.line_of.get(id)):
                check_sneak(then, Ask(seat, "sneak", "7.2.2.2"), {"move": {id: path}})
        for id, assault in self.assault.items():
            with self.at(self.line_of.get(id)):
                self.judge_assault(ordered, id, assault)
        self.refusals += self.refuse_other_targets()
        self.refusals += self.refuse_allies()
        if len(self.refusals) == unread:
            self.refusals += self.refuse_parting(then)
            self.refusals += self.refuse_moves_apart(then)
        for id, work in self.demolish.items():
            with self.at(self.line_of.get(id)):
                self.judge_demolition(ordered, id, work)
        mission = Ask(seat, "mission", "6.5.1.1")
        declared: set[str] = set()
        for line, call in self.missions:
            with self.at(line):
                self.judge_once(call, declared)
            if call.do == "check":
                continue  # unobserved it ends by itself (6.5.1.9)
            with self.at(line):
                check_mission(then, mission, msgspec.to_builtins(call))
        for line, plot in self.flights:
            with self.at(line):
                if found := list(plot_objections(self.situation, seat, plot)):
                    raise Illegal(plot.aircraft, found)
        self.refusals += self.idle_adjustments()

    def idle_riders(self) -> Iterator[Refusal]:
        """6.6.7.2 Refuse Overwatch conditions, and fire at will, of passengers whose carrier has no such command."""
        for id in self.overwatch:
            carrier = self.view.vehicles[id].aboard
            if carrier and self.word_of_carrier(carrier) != Command.OVERWATCH.value:
                against = Objection(
                    "6.6.7.2", say("the unit watches under the Overwatch of its carrier {carrier}", carrier=carrier)
                )
                yield self.at_its_line(id, Illegal(f"{id} overwatch", [against], [f"{carrier} overwatch"]))
        for id in self.at_will if self.ask.kind == "commands" else ():
            carrier = self.view.vehicles[id].aboard
            if self.word_of_carrier(carrier) not in (Command.FIRE.value, Command.SHORT_HALT.value):
                against = Objection(
                    "6.6.7.2",
                    say("the unit fires under the Fire or Short Halt of its carrier {carrier}", carrier=carrier),
                )
                yield self.at_its_line(id, Illegal(f"{id} fire", [against], [f"{carrier} fire"]))

    def word_of_carrier(self, carrier: str) -> str:
        """6.6.7.2 The command a carrier has been given, or nothing."""
        return self.word_of(carrier) if carrier in self.commands else ""

    def beside_others(self, occasion: Occasion, id: str) -> Occasion:
        """7.14 The occasion once the other units have fired as ordered, each at its first targets."""
        shots = [
            (unit, aim.targets[0])
            for unit, wish in self.fire.items()
            for aim in wish.aims
            if unit != id and aim.targets
        ]
        return after_fire(occasion, shots)

    def judge_once(self, call: Declaration, declared: set[str]) -> None:
        """6.5.1.1, 6.5.1.9 Check that an observer calls, adjusts, continues or checks only once a turn."""
        who = call.observer or (self.view.missions[call.mission].observer if call.mission else call.plan)
        if who in declared:
            raise Illegal(
                who, [Objection("6.5.1.1", say("the unit is ordered to observe for two missions in one turn"))]
            )
        declared.add(who)
        firing = [] if call.do == "check" else [*dict.fromkeys(self.firing_in(call))]
        for id in firing:
            if id in declared:
                raise Illegal(
                    id,
                    [
                        Objection(
                            "6.5.1", say("{id} is called for two missions, but can fire only once a turn", id=id)
                        )
                    ],
                )
        declared.update(firing)

    def firing_in(self, call: Declaration) -> Sequence[str]:
        """6.5.1.8 The batteries and units that a line orders to fire; planned fire belongs to one battery."""
        if call.plan:
            return [self.view.planned[call.plan].battery]
        going_on = self.view.missions[call.mission].firers if call.mission else ()
        return [*call.firers, *going_on] if call.do == "adjust" else call.firers or going_on

    def judge_commands(self) -> None:
        """4.2.1, 6.2.1.1.3 Check each command, then the groups and each formation's number of commands."""
        unread = len(self.refusals)
        for id, word in self.own_words.items():
            if word != self.word_of(id):
                why = Objection(
                    "6.2.1.1.3",
                    say(
                        "the unit shares a counter whose command is {word_of}", word_of=self.word_of(id) or "nothing"
                    ),
                )
                self.refusals.append(with_line(Illegal(f"{id} {word}", [why]), self.line_of[id]))
        for id in sorted(self.commands):
            for refusal in command_refusals(self.situation, self.seat, self.commands, id):
                line = self.line_of.get(id) or self.line_calling(id)
                self.refusals.append(with_line(refusal, line) if line else refusal)
        if len(self.refusals) == unread:
            plain_commands = {id: resolve_sharing(self.commands, id) for id in sorted(self.commands)}
            for refusal in refused_groups(self.situation, plain_commands):
                line = self.line_of.get(refusal.part.split()[0])
                known = with_line(refusal, line) if line else refusal
                self.refusals.append(self.with_groups(known) if refusal.part in self.view.available else known)

    def line_calling(self, id: str) -> Line | None:
        """6.5.1 The line that calls a unit without a line of its own to fire, or to observe."""
        return next((line for line, call in self.missions if id in (call.observer, *self.firing_in(call))), None)

    def with_groups(self, refusal: Refusal) -> Refusal:
        """6.2.1.1.3 For a formation with too few commands, propose units that could share one, as a line to send."""
        own = [unit for unit in commandable(self.view, self.seat) if unit.formation == refusal.part]
        instead = []
        for word in (Command.FIRE.value, Command.MOVE.value, Command.OVERWATCH.value):
            same = [unit for unit in own if self.commands.get(unit.id) == word]
            for group in suggested_groups(self.situation, same):
                if len(group) > 1:
                    instead.append(f"together {' '.join(unit.id for unit in group)}: {word}")
        return type(refusal)(refusal.part, refusal.objections, instead or refusal.instead, refusal.line)

    def line_for_move(self, id: str, wish: MarchWish) -> Line | None:
        """The line with the order for a carrier, or for a passenger that mounts or dismounts."""
        said = [self.line_of[unit] for unit in units_named(wish.acts) if unit in self.line_of]
        return self.line_of.get(id) or next(iter(said), None)

    def judge_demolition(self, ordered: PanzerState, id: str, work: str) -> None:
        """7.19 Check that engineers can attack a work from their present hex, or after their advance."""
        start = {id: self.demolish_from[id]} if id in self.demolish_from else {}
        wish = {"feature": work, "attackers": [id], "advance": start}
        check_demolish(Situation(self.data, ordered), Ask(self.seat, "demolish", "7.19"), wish)

    def refuse_other_targets(self) -> Iterator[Refusal]:
        """6.6.11 Refuse attacks on several units, or on units and terrain, under one Move."""
        attacks = [(id, wish.target) for id, wish in self.assault.items()]
        attacks += [*self.demolish.items()]
        attacks += [(id, target) for id, wish in self.move.items() for target in targets_of(wish.acts)[:1]]
        attacked: dict[str, str] = {}
        for id, target in sorted(attacks, key=lambda attack: self.root_of(attack[0]) != attack[0]):
            first = attacked.setdefault(self.root_of(id), target)
            if target != first:
                against = Objection(
                    "6.6.11", say("the units that share this unit's command attack {bound}", bound=first)
                )
                yield self.at_its_line(id, Illegal(f"{id} against {target}", [against], [f"{id} hold"]))

    def root_of(self, unit: str) -> str:
        """6.2.1.1.3 The owner of the counter that a unit uses."""
        return root_of(self.commands, unit) or unit

    def at_its_line(self, unit: str, refusal: Refusal) -> Refusal:
        """A refusal with the line of the unit that it is about, if it has one."""
        return with_line(refusal, self.line_of[unit]) if unit in self.line_of else refusal

    def refuse_allies(self) -> Iterator[Refusal]:
        """6.6.10 Refuse units that are named for an overrun, but are ordered to do something else."""
        rule = ledger_row(self.data.edition, "6.6.10/declaration")
        for id, wish in self.move.items():
            target = target_of(wish.acts)
            for other in wish.others:
                theirs = self.move.get(other, MarchWish() if self.ask.kind == "commands" else wish)
                if other != id and target_of(theirs.acts) == target:
                    continue
                against = Objection(
                    rule,
                    say("the unit cannot be named with itself")
                    if other == id
                    else say("{other} is not ordered to overrun {target}", other=other, target=target),
                )
                yield self.at_its_line(id, Illegal(f"{id} with {other}", [against], [f"{id} overrun {target}"]))

    def refuse_parting(self, then: Situation) -> Iterator[Refusal]:
        """6.6.11 Refuse advances after which units that share a Move would be out of command range."""
        ask = Ask(self.seat, "assault", "6.6.1", about={"engaged": []})
        for target in dict.fromkeys(wish.target for wish in self.assault.values()):
            named = [[id, wish.hex] for id, wish in self.assault.items() if wish.target == target]
            try:
                check_assault(then, ask, {"target": target, "attackers": named})
            except Refusal as refusal:
                yield from (self.at_its_line(one.part, one) for one in each(refusal))

    def refuse_moves_apart(self, then: Situation) -> Iterator[Refusal]:
        """6.2.1.1.4 Refuse moves after which units that share a command would be out of command range."""
        order = dict.fromkeys((*self.moves_in_order(), *usual_order(self.move)))
        for parted in parted_moves(then, self.move, self.assault, [id for id in order if id in self.move]):
            yield self.at_its_line(parted.unit, parted.refusal)

    def moves_in_order(self) -> list[str]:
        """R-11 The units that move, in the order of their lines or in the order asked for."""
        going = [unit for unit, wish in self.move.items() if wish != MarchWish() and wish.mode != STAY]
        return self.in_sequence("move") or going

    def in_sequence(self, what: str) -> list[str]:
        """4.4.1, R-11 The order of fire or of moves; `order of g1 g2` names for each only those that take part."""
        named = self.sequence.get(what, [])
        if len(self.sequence) < 2 or self.ask.kind != "commands":
            return named
        return [unit for unit in named if self.takes_part(what, unit)]

    def judge_assault(self, ordered: PanzerState, id: str, wish: AssaultWish) -> None:
        """6.6.1.1 Check that the unit can attack from its present hex, or after its advance."""
        unit, target = ordered.vehicles[id], ordered.vehicles[wish.target]
        place = on_map(wish.hex, dict.fromkeys(self.data.board.hexes)) if wish.hex else None
        if found := list(assault_objections(Situation(self.data, ordered), unit, target, place, ())):
            raise Illegal(f"{id} assault {wish.target}", found, [f"{id} move"])
