"""3.3.3/window The DEFENDER's window after an expenditure, and the asks before a stack moves.

3.3.3     Window: one attack, or pass
11 G5     how clauses of a fire plan or of standing orders answer it
by-mail   Wave, WaveDefence: before each stack (`reactions = mover`)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import ClassVar

from lark import Tree

from pbem.engine.rules.ask import Grade
from pbem.engine.rules.decision import Said
from pbem.engine.rules.refusals import Objection
from pbem.engine.text.grammar import Words, part, tokens
from pbem.titles.aslsk.fire.components import Attack, Component, component, firing
from pbem.titles.aslsk.fire.declaration import attack_objections, component_objections, leader_objections, linked
from pbem.titles.aslsk.fire.firepower import kind_of, printed_fp, shares, total
from pbem.titles.aslsk.fire.modifiers import fire_modifiers
from pbem.titles.aslsk.fire.modifiers import total as total_of
from pbem.titles.aslsk.orders import NO_ORDERS, Clause, Orders
from pbem.titles.aslsk.ordnance.to_hit import is_ordnance
from pbem.titles.aslsk.player.decision import AslskDecision
from pbem.titles.aslsk.player.exchanges import SectionsDecision
from pbem.titles.aslsk.player.reading import Reader, names_in, shell_of
from pbem.titles.aslsk.player.wording import SHELL_WORDS, clause_line, remarks
from pbem.titles.aslsk.situation import Situation
from pbem.titles.aslsk.state import Mover, Unit, orders_of

MOST_SHOWN = 12


class Window(AslskDecision[Attack | None], kind="window", rule="3.3.3"):
    """3.3.3 One attack at the moving stack, or None to pass."""

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
        if answer is not None:
            yield from attack_objections(self.situation, self.seat, answer)

    # --- what could fire -----------------------------------------------------------------------------------------

    @cached_property
    def places(self) -> list[str]:
        """The hexes where units of the moving stack are: the latest first."""
        units = [self.view.units[id] for id in self.mover.stack if id in self.view.units]
        return list(dict.fromkeys([self.mover.at, *(unit.at for unit in units)]))

    def able(self, at: str) -> list[Component]:
        """3.3.3 Every component that may fire at a hex by itself; FPF units count with all they have."""
        found: list[Component] = []
        for unit in self.view.units.values():
            if unit.seat != self.seat or unit.broken or not unit.at:
                continue
            ids = [unit.id] if self.situation.is_mmc(unit) else []
            ids += [weapon.id for weapon in self.situation.weapons(unit) if not weapon.malfunctioned]
            whole = tuple(ids) if unit.fired == "final" else ()
            for id in ids:
                one = component(self.situation, id)
                if one is None or kind_of(self.situation, one) == "ft":
                    continue
                attack = Attack(whole or (id,), at, how=usual_shell(self.situation, one))
                if is_ordnance(self.situation, one):
                    attack = Attack((id,), at, how=attack.how)
                if not any(component_objections(self.situation, one, attack)):
                    found.append(one)
        return found

    def options(self) -> Iterator[Attack | None]:
        yield None
        for at in self.places:
            able = self.able(at)
            for group in by_hex(able):
                for one in group:
                    yield from self.if_legal(Attack((one.id,), at, how=usual_shell(self.situation, one)))
                yield from self.grouped(small_arms(self.situation, group), at)
            for part_ in linked(self.situation, small_arms(self.situation, able)):
                yield from self.grouped(part_, at)

    def grouped(self, group: Sequence[Component], at: str) -> Iterator[Attack]:
        ids = tuple(one.id for one in fitting(self.situation, group))
        for leaders in self.leader_choices(group, ids):
            yield from self.if_legal(Attack(ids, at, leaders))

    def leader_choices(self, group: Sequence[Component], ids: Sequence[str]) -> Iterator[tuple[str, ...]]:
        """Nobody, or the best leader who may direct in each hex."""
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

    def sealed_answers(self) -> Iterator[tuple[Attack | None, str]]:
        clauses = orders_of(self.view, self.seat).plan
        for clause in clauses:
            for attack in self.ordered(clause, ()):
                yield attack, clause.text or clause_line(clause)

    def ordered(self, clause: Clause, clauses: Sequence[Clause]) -> Iterator[Attack | None]:
        """11 G0 The attack that one clause gives in this window, if its conditions hold."""
        if clause.do != "fire" or not self.concerns(clause):
            return
        clauses = [*orders_of(self.view, self.seat).plan, *clauses]
        at = self.mover.at
        allowed = [one for one in self.able(at) if self.is_allowed(one, at, clause, clauses)]
        for group in self.groups(allowed, clause):
            for attack in self.directed(group, at, clause):
                if self.is_good(attack, clause, clauses):
                    yield attack
                    break
        if clause.intensive:
            yield from self.intensive_shots(clause, at)

    def intensive_shots(self, clause: Clause, at: str) -> Iterator[Attack]:
        """3.2.4/intensive-fire Guns that have lost their rate of fire may fire once more."""
        for weapon in self.view.weapons.values():
            one = component(self.situation, weapon.id)
            if one is None or one.unit.seat != self.seat or weapon.fired != "first":
                continue
            if not clause.units or {weapon.id, one.unit.id} & set(clause.units):
                shot = Attack((weapon.id,), at, how=usual_shell(self.situation, one), intensive=True)
                yield from self.if_legal(shot)

    def concerns(self, clause: Clause) -> bool:
        """11 G0 Whether the mover and its hex are what the clause waits for."""
        units = [self.view.units[id] for id in self.mover.stack if id in self.view.units]
        here = [unit for unit in units if unit.at == self.mover.at and not unit.broken]
        squads = sum(self.situation.is_squad(unit) for unit in here)
        if clause.hexes and self.mover.at not in clause.hexes:
            return False
        if clause.leader and not any(self.situation.is_leader(unit) for unit in here):
            return False
        return bool(here) and squads >= clause.squads

    def is_allowed(self, one: Component, at: str, clause: Clause, clauses: Sequence[Clause]) -> bool:
        """11 G0 Hold-fire lines, second fire and ranges for one component."""
        distance = self.situation.ground.distance(one.hex, at)
        if clause.units and not {one.id, one.unit.id} & set(clause.units):
            return False
        if clause.within and distance > clause.within:
            return False
        if clause.seen and not self.situation.sees(one.hex, at):
            return False
        for other in clauses:
            named = not other.units or bool({one.id, one.unit.id} & set(other.units))
            if other.do == "hold" and named and distance > other.within:
                return False
            if (
                other.do == "keep"
                and one.unit.id in other.units
                and distance > other.within
                and self.is_kept(one, other)
            ):
                return False
        kind = "fpf" if one.unit.fired == "final" else "sff" if one.marker == "first" else ""
        return not kind or any(
            other.do == kind and (not other.units or one.unit.id in other.units) for other in clauses
        )

    def is_kept(self, one: Component, clause: Clause) -> bool:
        """11 G0 `keep n of …`: the last n unmarked units of the list do not fire."""
        free = [
            id
            for id in clause.units
            if id in self.view.units and not self.view.units[id].fired and not self.view.units[id].broken
        ]
        return one.unit.id in free[-clause.number :] if clause.number else False

    def groups(self, allowed: Sequence[Component], clause: Clause) -> list[list[Component]]:
        """Named units fire as one group; otherwise hex by hex, the strongest first."""
        alone = [[one] for one in allowed if is_ordnance(self.situation, one)]
        allowed = small_arms(self.situation, allowed)
        if clause.units:
            return [*(part_ for part_ in linked(self.situation, allowed) if part_), *alone]
        found = by_hex(allowed) + alone
        at = self.mover.at
        return sorted(
            found, key=lambda group: -total(shares(self.situation, Attack(tuple(one.id for one in group), at)))
        )

    def directed(self, group: Sequence[Component], at: str, clause: Clause) -> Iterator[Attack]:
        if len(group) == 1 and is_ordnance(self.situation, group[0]):
            yield from self.if_legal(Attack((group[0].id,), at, how=usual_shell(self.situation, group[0])))
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
        """11 G0 The column and the DRM that the clause asks for, as far as they can be known before the shot."""
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
        return clause.drm is None or self.best_drm(attack) <= clause.drm

    def best_drm(self, attack: Attack) -> int:
        """The DRM against the target that is worst off; hindrances are unknown unless sight is open."""
        firers = firing(self.situation, attack)
        targets = [self.view.units[id] for id in self.mover.stack if id in self.view.units]
        blind = self.data.options.los != "open"
        return min(
            (
                total_of(fire_modifiers(self.situation, attack, firers, unit, blind=blind))
                for unit in targets
                if unit.at == attack.at
            ),
            default=99,
        )

    def form(self) -> Iterator[str]:
        mover = self.mover
        yield from remarks(f"{' '.join(mover.units)} spent MF in {mover.at}. Pass, or fire, for example:")
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
        leaders = part(words, "directed")
        attack = Attack(
            reader.things(names_in(words, "names")),
            reader.hex(at[0].split()[1]) if at else self.mover.at,
            reader.things(tokens(leaders, "NAME")) if leaders is not None else (),
            shell_of(words),
            bool(tokens(words, "INTENSIVE")),
        )
        said.put((), self.plain(attack))

    def sentence(self, answer: Attack | None) -> Iterator[str]:
        if answer is None:
            yield "pass"
        else:
            leaders = f" with {' '.join(answer.leaders)}" if answer.leaders else ""
            flags = f" {SHELL_WORDS[answer.how]}" if answer.how else ""
            flags += " intensive" if answer.intensive else ""
            yield f"{' '.join(answer.components)} fire at {answer.at}{leaders}{flags}"


def usual_shell(situation: Situation, one: Component) -> str:
    """6.2 The ammunition of a Gun that names none: HE, else AP."""
    gun = situation.gun_card(one.weapon) if one.weapon is not None else None
    return "AP" if gun is not None and not gun.he and gun.ap else ""


def small_arms(situation: Situation, found: Sequence[Component]) -> list[Component]:
    """The components that can form fire groups: no ordnance."""
    return [one for one in found if not is_ordnance(situation, one)]


def by_hex(found: Sequence[Component]) -> list[list[Component]]:
    return [[one for one in found if one.hex == hex] for hex in dict.fromkeys(one.hex for one in found)]


def fitting(situation: Situation, group: Sequence[Component]) -> list[Component]:
    """4.0/weapon-usage The components of a group that fit together: own FP and the strongest weapon of each unit."""
    kept: list[Component] = []
    for unit in dict.fromkeys(one.unit.id for one in group):
        own = [one for one in group if one.unit.id == unit]
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


class WaveDecision(SectionsDecision[Orders | None]):
    """by-mail Orders that may be rewritten before a stack moves; None leaves them as they are."""

    grade: ClassVar[Grade] = "detail"
    Answer = Orders | None
    nothing = None

    def usual(self) -> Orders | None:
        return None

    def canonical(self, answer: Orders | None) -> Orders | None:
        found: Orders | None = None if answer == NO_ORDERS else super().canonical(answer)
        return found

    def objections(self, answer: Orders | None) -> Iterator[Objection]:
        if answer is not None:
            yield from super().objections(answer)

    def sentence(self, answer: Orders | None) -> Iterator[str]:
        yield from ["none"] if answer is None else super().sentence(answer)


class Wave(WaveDecision, kind="wave", rule="3.3.1/declaration"):
    """by-mail The ATTACKER may rewrite all stacks that have not started."""

    sections = ("moves",)


class WaveDefence(WaveDecision, kind="wave_defence", rule="3.3.3/window"):
    """by-mail The DEFENDER may send a fire plan for the stack that moves next."""

    sections = ("plan",)


class GoOn(WaveDecision, kind="go_on", rule="3.3.1/declaration"):
    """by-mail With `reactions = ask` the ATTACKER may rewrite the rest of the move in the same exchange."""

    grade = "reaction"
    sections = ("moves",)
