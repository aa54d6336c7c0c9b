"""3.3.3/window The DEFENDER's window after an expenditure.

3.3.3     Window: one attack, or a pass
11 G5     the answers that clauses of a fire plan or of standing orders give
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice

import msgspec
from lark import Tree

from pbem.engine.rules.decision import Said
from pbem.engine.rules.refusals import Illegal, Objection
from pbem.engine.text.forms import FormLine
from pbem.engine.text.grammar import Words, part, tokens
from pbem.engine.text.messages import say
from pbem.titles.aslsk.fire.components import IFE, Attack, Component, component, components, firing, manner_of
from pbem.titles.aslsk.fire.declaration import (
    attack_objections,
    component_objections,
    leader_objections,
    linked_parts,
)
from pbem.titles.aslsk.fire.firepower import kind_of, printed_fp, shares, total
from pbem.titles.aslsk.fire.modifiers import crew_modifiers, fire_modifiers
from pbem.titles.aslsk.fire.modifiers import total as total_of
from pbem.titles.aslsk.ground.by_eye import looks_clear
from pbem.titles.aslsk.orders import Clause, FireOrder
from pbem.titles.aslsk.ordnance.to_hit import is_ordnance
from pbem.titles.aslsk.player.decision import AslskDecision
from pbem.titles.aslsk.player.idle_words import fire_word_objections
from pbem.titles.aslsk.player.reading import Reader, names_in, number_in, shell_of
from pbem.titles.aslsk.player.standing_orders import StockOrders
from pbem.titles.aslsk.player.wording import SHELL_WORDS, clause_line, remarks
from pbem.titles.aslsk.sheets.odds import distribution
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Mover, Piece, Unit, Vehicle, orders_of, piece_of, pieces, units_at
from pbem.titles.aslsk.vehicles.prospects import hit_chance, kill_chance
from pbem.titles.aslsk.vehicles.reactions import REACTIONS, other_objections
from pbem.titles.aslsk.vehicles.target import infantry_shell

MOST_SHOWN = 12
FAUST_REACH = 3
"""4.4.2 The maximum range of any Panzerfaust."""


class Window(AslskDecision[Attack | None], kind="window", rule="3.3.3"):
    """3.3.3 The choice of one attack on the moving stack, or None to pass."""

    Answer = Attack | None
    start = "window_line"

    @cached_property
    def mover(self) -> Mover:
        mover = self.view.mover
        assert isinstance(mover, Mover)
        return mover

    def usual(self) -> Attack | None:
        return None

    def objections(self, answer: Attack | None) -> Iterator[Objection]:
        if answer is not None and answer.how in REACTIONS:
            yield from other_objections(self.situation, self.seat, answer)
        elif answer is not None:
            yield from attack_objections(self.situation, self.seat, answer)

    @cached_property
    def prey(self) -> Vehicle | None:
        """3.3.2 The moving vehicle; None if the mover is not a vehicle."""
        found = self.view.vehicles.get(self.mover.stack[0]) if self.mover.stack else None
        return found if isinstance(found, Vehicle) else None

    # --- possible firers -----------------------------------------------------------------------------------------

    @cached_property
    def places(self) -> list[str]:
        """The hexes that hold units of the moving stack, starting with the mover's current hex."""
        units = [self.view.units[id] for id in self.mover.stack if id in self.view.units]
        hexes = [self.mover.at, *(unit.at for unit in units)]
        return list(dict.fromkeys(hex for hex in hexes if hex in self.situation.ground))

    def arms_of(self, piece: Piece) -> list[str]:
        """The ids under which a unit or vehicle can fire."""
        ids = [piece.id] if self.situation.is_mmc(piece) else []
        for weapon in self.situation.weapons(piece):
            if not weapon.malfunctioned:
                ids += [weapon.id, f"{weapon.id}{IFE}"] if self.situation.ife_of(weapon) else [weapon.id]
        return ids

    @cached_property
    def shots_at_prey(self) -> list[Attack]:
        """3.2.4/vtt Every possible shot by one weapon at the moving vehicle, Panzerfausts last."""
        if self.prey is None or not self.prey.at:
            return []
        found: list[Attack] = []
        for piece in pieces(self.view):
            if piece.seat != self.seat or piece.broken or not piece.at:
                continue
            for id in self.arms_of(piece):
                if id != piece.id:
                    shot = Attack((id,), self.prey.at, target=self.prey.id)
                    found += [shot] if not any(self.objections(shot)) else []
            near = self.situation.ground.distance(piece.at, self.prey.at) <= FAUST_REACH
            if near and piece.id in self.view.units:
                faust = Attack((piece.id,), self.prey.at, how="pf", target=self.prey.id)
                found += [faust] if not any(self.objections(faust)) else []
        return found

    def acts(self) -> Iterator[Attack]:
        """3.3.2.1, 3.3.4, 7.5 The reactions other than fire: Motion, smoke devices and CC Reaction Fire."""
        at = self.mover.at
        for vehicle in self.view.vehicles.values():
            if vehicle.seat == self.seat:
                for how in ("motion", "device"):
                    yield from self.if_legal(Attack((vehicle.id,), at, how=how))
        if self.prey is not None:
            for unit in units_at(self.view, at, self.seat):
                yield from self.if_legal(Attack((unit.id,), at, how="reaction", target=self.prey.id))

    def able(self, at: str) -> list[Component]:
        """3.3.3 Every component that may fire at a hex on its own, cached by hex."""
        if at not in self.able_at:
            self.able_at[at] = self.found_able(at)
        return self.able_at[at]

    @cached_property
    def able_at(self) -> dict[str, list[Component]]:
        return {}

    def found_able(self, at: str) -> list[Component]:
        """3.3.3 Every component that may fire at a hex on its own; a unit that uses FPF must fire with all its
        weapons.
        """
        found: list[Component] = []
        if self.prey is not None and not self.prey.ce:
            return found
        for unit in pieces(self.view):
            if unit.seat != self.seat or unit.broken or not unit.at:
                continue
            ids = self.arms_of(unit)
            whole = tuple(ids) if unit.fired == "final" and isinstance(unit, Unit) else ()
            for id in ids:
                one = component(self.situation, id)
                if one is None or kind_of(self.situation, one) == "ft":
                    continue
                attack = Attack(whole or (id,), at, how=infantry_shell(self.situation, one))
                if is_ordnance(self.situation, one):
                    attack = Attack((id,), at, how=attack.how)
                if not any(component_objections(self.situation, one, attack)):
                    found.append(one)
        return found

    def options(self) -> Iterator[Attack | None]:
        yield None
        yield from self.shots_at_prey
        yield from self.acts()
        for at in self.places:
            able = self.able(at)
            for group in by_hex(able):
                for one in group:
                    yield from self.if_legal(Attack((one.id,), at, how=infantry_shell(self.situation, one)))
                yield from self.attacks_by_group(small_arms(self.situation, group), at)
            for part_ in linked_parts(self.situation, small_arms(self.situation, able)):
                yield from self.attacks_by_group(part_, at)

    def attacks_by_group(self, group: Sequence[Component], at: str) -> Iterator[Attack]:
        ids = tuple(one.id for one in fitting(self.situation, group))
        for leaders in self.leader_choices(group, ids):
            yield from self.if_legal(Attack(ids, at, leaders))

    def leader_choices(self, group: Sequence[Component], ids: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """The possible choices of directing leaders: none, or in each hex the best leader who may direct."""
        best: list[str] = []
        for hex in dict.fromkeys(one.hex for one in group):
            found = [unit for unit in self.view.units.values() if self.may_direct(unit, hex, ids)]
            if found:
                best.append(min(found, key=self.situation.leadership).id)
        if best and len(best) == len({one.hex for one in group}):
            yield tuple(best)
        yield ()

    def may_direct(self, unit: Unit, hex: str, ids: Sequence[str]) -> bool:
        if unit.at != hex or unit.seat != self.seat or not self.situation.is_leader(unit):
            return False
        ones = [one for id in ids if (one := component(self.situation, id)) is not None and one.hex == hex]
        return bool(ones) and not any(leader_objections(self.situation, Attack(tuple(ids), hex, (unit.id,)), ones))

    def if_legal(self, attack: Attack) -> Iterator[Attack]:
        if not any(self.objections(attack)):
            yield attack

    # --- 11 G5 orders in advance ---------------------------------------------------------------------------------

    def from_standing_orders(self, orders: Sequence[Clause]) -> Iterator[tuple[Attack | None, str]]:
        """Yield answers from standing orders; a seat with a fire plan does not use the stock ones in addition."""
        planned = bool(orders_of(self.view, self.seat).plan)
        yield from super().from_standing_orders(() if planned and isinstance(orders, StockOrders) else orders)

    def sealed_answers(self) -> Iterator[tuple[Attack | None, str]]:
        clauses = orders_of(self.view, self.seat).plan
        for clause in clauses:
            for attack in self.by_clause(clause, ()):
                yield attack, clause.text or clause_line(clause)

    def by_clause(self, clause: Clause, clauses: Sequence[Clause]) -> Iterator[Attack | None]:
        """11 G0 The attack that one clause orders in this window, if its conditions are true."""
        if clause.do in REACTIONS:
            yield from self.reactions(clause)
            return
        if clause.do != "fire" or not self.concerns(clause):
            return
        for attack in self.attacks_by_clause(clause, clauses):
            manner = {"once": clause.once, "unmarked": clause.unmarked}
            yield msgspec.structs.replace(attack, **manner) if clause.once or clause.unmarked else attack

    def attacks_by_clause(self, clause: Clause, clauses: Sequence[Clause]) -> Iterator[Attack]:
        """11 G0 The attacks that a fire clause allows, best first."""
        if self.prey is not None:
            yield from self.shots_at_vehicle(clause, [*orders_of(self.view, self.seat).plan, *clauses])
        clauses = [*orders_of(self.view, self.seat).plan, *clauses]
        at = self.mover.at
        allowed = [one for one in self.able(at) if self.is_allowed(one, at, clause, clauses)]
        good: list[Attack] = []
        for group in self.groups(allowed, clause):
            led = (attack for attack in self.led_attacks(group, at, clause) if self.is_good(attack, clause, clauses))
            good += islice(led, 1)
        yield from good if clause.units else sorted(good, key=self.promise, reverse=True)
        yield from self.special_shots(clause, at, clauses)
        if clause.intensive:
            yield from self.intensive_shots(clause, at, clauses)

    def special_shots(self, clause: Clause, at: str, clauses: Sequence[Clause]) -> Iterator[Attack]:
        """4.2, 7.11 The shots of weapons that a clause must name: flame at Infantry, and area fire at a BU
        vehicle.
        """
        buttoned = self.prey is not None and not self.prey.ce
        for one in components(self.situation, clause.units):
            area = kind_of(self.situation, one) == "mortar" or clause.how in ("area", "WP")
            fires = (area and buttoned) or (kind_of(self.situation, one) == "ft" and self.prey is None)
            shot = Attack((one.id,), at, how=clause.how)
            if fires and self.is_allowed(one, at, clause, clauses) and self.is_good(shot, clause, clauses):
                yield from self.if_legal(shot)

    def shell(self, one: Component, clause: Clause) -> str:
        """6.2 The ammunition that a clause names for ordnance, or the usual one."""
        return clause.how or infantry_shell(self.situation, one)

    def shots_at_vehicle(self, clause: Clause, clauses: Sequence[Clause]) -> Iterator[Attack]:
        """11 G5 The shots at the moving vehicle that the clause allows, those most likely to destroy it first."""
        assert self.prey is not None
        found: list[tuple[int, int, Attack]] = []
        for shot in self.shots_at_prey:
            one = component(self.situation, shot.components[0])
            if one is None or not self.is_allowed(one, shot.at, clause, clauses):
                continue
            if clause.how and shot.how != "pf":
                shot = msgspec.structs.replace(shot, how=clause.how)
            if shot.how == "pf":
                found += [(0, 0, shot)] if clause.pf or not clause.units else []
                continue
            kind = self.situation.weapon_card(one.weapon).kind if one.weapon is not None else ""
            if kind == "ft":
                found.append((1, 1, shot))
                continue
            if self.kills(one, shot, clause):
                hit, kill = hit_chance(self.situation, one, shot), kill_chance(self.situation, one, shot)
                found.append((kill, hit, shot))
        for _, _, shot in sorted(found, key=lambda row: (-row[0], -row[1], row[2].components)):
            yield shot

    def kills(self, one: Component, shot: Attack, clause: Clause) -> bool:
        """11 G5 Whether a legal shot is as likely to hit and destroy the vehicle as the clause demands."""
        if any(self.objections(shot)) or hit_chance(self.situation, one, shot) < max(clause.hit, 1):
            return False
        return kill_chance(self.situation, one, shot) >= max(clause.kill, 1)

    def reactions(self, clause: Clause) -> Iterator[Attack]:
        """3.3.2.1, 3.3.4, 7.5 A reaction that a clause allows, if the mover is near enough."""
        for act in self.acts():
            piece = piece_of(self.view, act.components[0])
            if act.how != clause.do or piece is None or (clause.units and piece.id not in clause.units):
                continue
            distance = self.situation.ground.distance(piece.at, self.mover.at)
            if not clause.within or distance <= clause.within:
                yield msgspec.structs.replace(act, facing=clause.facing) if clause.facing >= 0 else act

    def intensive_shots(self, clause: Clause, at: str, clauses: Sequence[Clause]) -> Iterator[Attack]:
        """3.2.4/intensive-fire The shots of Guns that have lost their rate of fire but may fire once more."""
        for weapon in self.view.weapons.values():
            one = component(self.situation, weapon.id)
            if one is None or one.unit.seat != self.seat or weapon.fired != "first":
                continue
            if self.is_meant(one, at, clause) and not self.is_held(one, at, clauses):
                prey = self.prey.id if self.prey is not None else ""
                how = clause.how if prey else self.shell(one, clause)
                shot = Attack((weapon.id,), at, how=how, intensive=True, target=prey)
                good = not prey or self.kills(one, shot, clause)
                yield from self.if_legal(shot) if good else ()

    def concerns(self, clause: Clause) -> bool:
        """11 G0 Whether the clause applies to the mover and its hex."""
        units = [self.view.units[id] for id in self.mover.stack if id in self.view.units]
        here = [unit for unit in units if unit.at == self.mover.at and not unit.broken]
        if self.prey is not None:
            fits = not clause.hexes or self.mover.at in clause.hexes
            return fits and not clause.infantry and not clause.leader and not clause.squads
        if clause.vehicles:
            return False
        squads = sum(self.situation.is_squad(unit) for unit in here)
        if clause.hexes and self.mover.at not in clause.hexes:
            return False
        if clause.leader and not any(self.situation.is_leader(unit) for unit in here):
            return False
        return bool(here) and squads >= clause.squads

    def is_allowed(self, one: Component, at: str, clause: Clause, clauses: Sequence[Clause]) -> bool:
        """11 G0 Whether the clauses on holding fire, second fire and range allow one component to fire."""
        if not self.is_meant(one, at, clause) or self.is_held(one, at, clauses):
            return False
        if isinstance(one.unit, Vehicle) and not one.marker:
            return True
        second = manner_of(self.situation, one) == "subsequent"
        kind = "fpf" if one.unit.fired == "final" else "sff" if second else ""
        return not kind or any(
            other.do == kind and (not other.units or one.unit.id in other.units) for other in clauses
        )

    def is_meant(self, one: Component, at: str, clause: Clause) -> bool:
        """11 G0 Whether a clause names a component, and the hex is in range (and in sight, if the clause requires
        it).
        """
        ground = self.situation.ground
        if clause.units and not {one.id, one.unit.id} & set(clause.units):
            return False
        if clause.within and ground.distance(one.hex, at) > clause.within:
            return False
        if clause.seen and not self.situation.sees(one.hex, at):
            return False
        return not clause.clear or looks_clear(ground, one.hex, at)

    def is_held(self, one: Component, at: str, clauses: Sequence[Clause]) -> bool:
        """11 G0 Whether a hold-fire line keeps a component from firing at this range."""
        distance = self.situation.ground.distance(one.hex, at)
        for other in clauses:
            named = not other.units or bool({one.id, one.unit.id} & set(other.units))
            if other.do == "hold" and named and distance > other.within:  # 11/standing-orders
                return True
            if (
                other.do == "keep"
                and one.unit.id in other.units
                and distance > other.within
                and self.is_kept(one, other)
            ):
                return True
        return False

    def is_kept(self, one: Component, clause: Clause) -> bool:
        """11 G0 Whether `keep n of …` holds a component back because it is among the last n unmarked units of the
        list.
        """
        free = [
            id
            for id in clause.units
            if id in self.view.units and not self.view.units[id].fired and not self.view.units[id].broken
        ]
        return one.unit.id in free[-clause.number :] if clause.number else False

    def groups(self, allowed: Sequence[Component], clause: Clause) -> list[list[Component]]:
        """The groups that may fire: all named units together; otherwise units of several hexes, of one hex, or a
        single piece of ordnance.
        """
        alone = [[one] for one in allowed if is_ordnance(self.situation, one)]
        allowed = small_arms(self.situation, allowed)
        if clause.units:
            return [*(part_ for part_ in linked_parts(self.situation, allowed) if part_), *alone]
        wider = [part_ for part_ in linked_parts(self.situation, allowed) if len({one.hex for one in part_}) > 1]
        return [*wider, *by_hex(allowed), *alone]

    def led_attacks(self, group: Sequence[Component], at: str, clause: Clause) -> Iterator[Attack]:
        if len(group) == 1 and is_ordnance(self.situation, group[0]):
            yield from self.if_legal(Attack((group[0].id,), at, how=self.shell(group[0], clause)))
            return
        if clause.how:
            return
        ids = tuple(one.id for one in fitting(self.situation, group))
        if clause.leaders:
            able = tuple(
                id
                for id in clause.leaders
                if id in self.view.units and self.may_direct(self.view.units[id], self.view.units[id].at, ids)
            )
            yield from self.if_legal(Attack(ids, at, able))
        else:
            for leaders in self.leader_choices(group, ids):
                yield from self.if_legal(Attack(ids, at, leaders))
        yield from self.if_legal(Attack(ids, at))

    def is_good(self, attack: Attack, clause: Clause, clauses: Sequence[Clause]) -> bool:
        """11 G0 Whether an attack meets the clause's column, DRM and chance, as far as these are known before the
        shot.
        """
        if any(is_ordnance(self.situation, one) for one in firing(self.situation, attack)):
            return True
        column = self.data.fire_table.column_of(total(shares(self.situation, attack)))
        markers = {one.marker for one in firing(self.situation, attack)}
        least = [clause.column]
        for other in clauses:
            if (other.do == "sff" and "first" in markers) or (other.do == "fpf" and "final" in markers):
                least.append(other.column)
        if column < max(least):
            return False
        if clause.drm is not None and self.best_drm(attack) > clause.drm:
            return False
        return not clause.chance or self.chance(attack) >= clause.chance

    def promise(self, attack: Attack) -> int:
        """11 G0 How promising an attack is, in percent: the chance of an effect or, for ordnance, of a hit."""
        one = firing(self.situation, attack)[0]
        if is_ordnance(self.situation, one):
            return hit_chance(self.situation, one, attack)
        return self.chance(attack)

    def chance(self, attack: Attack) -> int:
        """3.2.3 The chance of a morale check or worse, in percent; without a leader, the firers cower on doubles."""
        column = self.data.fire_table.column_of(total(shares(self.situation, attack)))
        cowering = 0 if attack.leaders else 1
        rolls = distribution(self.data.fire_table, column, self.best_drm(attack), cowering) if column else {}
        return sum(rolls.get(kind, 0) for kind in ("kia", "k", "mc")) * 100 // 36

    def best_drm(self, attack: Attack) -> int:
        """The DRM against the most vulnerable target; hindrances are unknown unless `los = open`."""
        firers = firing(self.situation, attack)
        targets = [self.view.units[id] for id in self.mover.stack if id in self.view.units]
        blind = self.data.options.los != "open"
        if self.prey is not None:
            return total_of(crew_modifiers(self.situation, attack, firers, self.prey, blind=blind))
        return min(
            (
                total_of(fire_modifiers(self.situation, attack, firers, unit, blind=blind))
                for unit in targets
                if unit.at == attack.at
            ),
            default=99,
        )

    def form(self) -> Iterator[FormLine]:
        mover = self.mover
        args = {"units": " ".join(mover.units), "hex": mover.at}
        if self.prey is not None:
            yield from remarks(say("{units} spent MP in {hex}. Pass, or fire, for example:", **args))
        else:
            yield from remarks(say("{units} spent MF in {hex}. Pass, or fire, for example:", **args))
        for option in islice(self.options(), 1, MOST_SHOWN):
            yield from (rest for line in self.sentence(option) for rest in remarks(line))
        yield from self.sentence(self.default())

    # --- words ---------------------------------------------------------------------------------------------------

    def read(self, words: Words, said: Said) -> None:
        inner = words.children[0]
        assert isinstance(inner, Tree)
        words = inner
        if words.data == "pass":
            said.put((), None)
            return
        reader = Reader(self.data.ground, self.view, self.seat)
        at = tokens(words, "NAME_AT")
        if words.data == "window_act":
            how = tokens(words, "REACTS")[0].replace("reacts", "reaction")
            hex = reader.hex(at[0].split()[1]) if at else self.mover.at
            prey = self.prey.id if self.prey is not None and how == "reaction" else ""
            acting = reader.things(names_in(words, "names"))
            facing = number_in(words, "facing")
            turned = -1 if facing is None else facing
            said.put((), self.plain(Attack(acting, hex, how=how, target=prey, facing=turned)))
            return
        leaders = part(words, "directed")
        attack = Attack(
            reader.things(names_in(words, "names")),
            reader.hex(at[0].split()[1]) if at else self.mover.at,
            reader.things(tokens(leaders, "NAME")) if leaders is not None else (),
            shell_of(words),
            bool(tokens(words, "INTENSIVE")),
            target=next(iter(reader.things(names_in(words, "vehicles"))), ""),
            blast=bool(tokens(words, "BLAST")),
            unmarked=bool(tokens(words, "UNMARKED")),
            once=bool(tokens(words, "ONCE")),
        )
        if idle := [*fire_word_objections(self.situation, order_of(attack))]:
            raise Illegal(next(self.sentence(attack)), idle)
        said.put((), self.plain(attack))

    def sentence(self, answer: Attack | None) -> Iterator[str]:
        if answer is None:
            yield "pass"
        elif answer.how in REACTIONS:
            word = answer.how.replace("reaction", "reacts")
            place = f" at {answer.at}" if answer.how == "device" else ""
            place += f" face {answer.facing}" if answer.facing >= 0 else ""
            yield f"{' '.join(answer.components)} {word}{place}"
        else:
            leaders = f" with {' '.join(answer.leaders)}" if answer.leaders else ""
            flags = f" {SHELL_WORDS[answer.how]}" if answer.how else ""
            flags += (" intensive" if answer.intensive else "") + (" backblast" if answer.blast else "")
            flags += (" once" if answer.once else "") + (" no acquisition" if answer.unmarked else "")
            goal = f"against {answer.target}" if answer.target else f"at {answer.at}"
            yield f"{' '.join(answer.components)} fire {goal}{leaders}{flags}"


def order_of(attack: Attack) -> FireOrder:
    """3.3.3 An attack in a window as the fire order that would say the same."""
    return FireOrder(
        attack.components,
        (attack.at,),
        attack.leaders,
        once=attack.once,
        how=attack.how,
        intensive=attack.intensive,
        against=(attack.target,) if attack.target else (),
        blast=attack.blast,
        unmarked=attack.unmarked,
    )


def small_arms(situation: Situation, found: Sequence[Component]) -> list[Component]:
    """The components that can form fire groups: all except ordnance."""
    return [one for one in found if not is_ordnance(situation, one)]


def by_hex(found: Sequence[Component]) -> list[list[Component]]:
    """Infantry grouped by hex, and each vehicle separately."""

    def key(one: Component) -> str:
        return one.unit.id if isinstance(one.unit, Vehicle) else one.hex

    return [[one for one in found if key(one) == name] for name in dict.fromkeys(key(one) for one in found)]


def fitting(situation: Situation, group: Sequence[Component]) -> list[Component]:
    """4.0/weapon-usage The components of a group that can fire together: for each unit, its inherent FP and its
    strongest weapon.
    """
    kept: list[Component] = []
    for unit in dict.fromkeys(one.unit.id for one in group):
        own = [one for one in group if one.unit.id == unit]
        if isinstance(own[0].unit, Vehicle):
            kept += [one for one in own if not one.ife]
            continue
        own = [one for one in own if not one.ife] or own
        inherent = [one for one in own if one.weapon is None]
        weapons = [one for one in own if one.weapon is not None]
        weapons.sort(key=lambda one: -printed_fp(situation, one))
        if own[0].unit.fired in ("first", "final") and situation.state.phase == "movement":
            kept += own
        elif situation.is_squad(own[0].unit):
            kept += inherent + weapons[:1]
        else:
            kept.append(max(own, key=lambda one: printed_fp(situation, one)))
    return kept
