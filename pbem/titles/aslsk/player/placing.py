"""11 A, 1.3 Set-up: placing every unit that starts on the board in its area, and giving every weapon to a unit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import msgspec
from lark import Token, Tree

from pbem.engine.play.choice import Choice
from pbem.engine.rules.decision import Said
from pbem.engine.rules.happenings import Appear
from pbem.engine.rules.refusals import Objection, Path
from pbem.engine.text.forms import FormLine
from pbem.engine.text.grammar import Words, tokens
from pbem.engine.text.messages import say
from pbem.titles.aslsk.cards.weapons import GunCard
from pbem.titles.aslsk.orders import Part
from pbem.titles.aslsk.ordnance.hidden import hiding_objections
from pbem.titles.aslsk.ordnance.manhandling import fits_in
from pbem.titles.aslsk.player.decision import AslskDecision
from pbem.titles.aslsk.player.reading import Reader
from pbem.titles.aslsk.player.wording import area_words, remarks
from pbem.titles.aslsk.state import Piece, Unit, Vehicle, Weapon, piece_of
from pbem.titles.aslsk.tabletop import AslskTable
from pbem.titles.aslsk.weapons.possession import MOST_FOR_SMC


class Placement(Part, frozen=True):
    """1.3 The places of units and vehicles, and the units that hold the weapons."""

    units: dict[str, str] = msgspec.field(default_factory=dict)
    weapons: dict[str, str] = msgspec.field(default_factory=dict)
    facings: dict[str, int] = msgspec.field(default_factory=dict)  # 3.2.4/covered-arc of Guns and vehicles
    hidden: tuple[str, ...] = ()  # 6.4 crews that set up in secret with their Guns
    exposed: tuple[str, ...] = ()  # 7.7 vehicles whose crews are exposed
    turrets: dict[str, int] = msgspec.field(default_factory=dict)  # the TCA of a turret that faces elsewhere


class SetUp(AslskDecision[Placement], kind="setup", rule="1.3"):
    """1.3 The decision on the complete set-up of a side."""

    grade = "order"
    Answer = Placement
    nothing: ClassVar[Any] = {}
    start = "setup_line"

    @cached_property
    def mine(self) -> list[Unit]:
        """The units of the seat that start on the board."""
        return [unit for unit in self.view.units.values() if unit.seat == self.seat and self.data.area(unit)]

    @cached_property
    def armour(self) -> list[Vehicle]:
        """7.0 The vehicles of the seat that start on the board."""
        return [one for one in self.view.vehicles.values() if one.seat == self.seat and self.data.area(one)]

    def may_park(self, placed: dict[str, str], vehicle: Vehicle, hex: str) -> bool:
        """3.3.2/stacking, 1.1.1.2 Whether a vehicle may set up in a hex: the hex must hold no other vehicle and no
        enemy, and must not be a building if the vehicle is an armoured car.
        """
        if any(placed.get(one.id) == hex for one in self.armour) or self.situation.enemies_at(hex, self.seat):
            return False
        tracked = self.situation.vehicle_card(vehicle).tracked
        return tracked or self.situation.ground[hex].terrain != "building"

    @cached_property
    def arms(self) -> list[Weapon]:
        """The seat's weapons."""
        return [weapon for weapon in self.view.weapons.values() if self.data.weapon_seat(weapon.id) == self.seat]

    def fits(self, placed: dict[str, str], unit: Unit, hex: str) -> bool:
        """3.3.1/stacking Whether one more unit fits in a hex."""
        there = [one for one in self.mine if placed.get(one.id) == hex]
        if self.situation.enemies_at(hex, self.seat):
            return False
        crews = sum(self.situation.card(one).kind == "crew" for one in [*there, unit])  # each may man a Gun
        mmc = self.situation.squad_equivalents([*there, unit]) + crews * Fraction(1, 2)
        return mmc <= 3 and sum(self.situation.is_leader(one) for one in [*there, unit]) <= 4

    def spread(self, choice: Choice | None) -> Placement:
        """A legal set-up: as the scenario proposes, otherwise at random or in the order of the area's hexes."""
        placed: dict[str, str] = {}
        for unit in self.mine:
            ready = self.data.ready_hex(unit)
            area = list(self.data.area(unit))
            hexes = [ready] if ready and choice is None else []
            if self.situation.card(unit).kind == "crew":  # 1.2.6 not every Gun fits into a building
                area = [hex for hex in area if self.situation.ground[hex].terrain != "building"]
            if choice is not None:
                hexes += [choice.one_of(area) for _ in range(20)]
            cover = [hex for hex in area if self.situation.ground.cover(hex)]
            hexes += [*cover, *area]
            if self.situation.is_leader(unit) and choice is None and not ready:
                hexes = [hex for hex in placed.values() if hex in area] + hexes
            place = next((hex for hex in hexes if self.fits(placed, unit, hex)), "")
            if place:
                placed[unit.id] = place
        for vehicle in self.armour:
            ready, area = self.data.ready_hex(vehicle), list(self.data.area(vehicle))
            hexes = [ready] if ready and choice is None else []
            hexes += [choice.one_of(area) for _ in range(20)] if choice is not None else []
            place = next((hex for hex in (*hexes, *area) if self.may_park(placed, vehicle, hex)), "")
            if place:
                placed[vehicle.id] = place
        held = self.holders(placed)
        return Placement(placed, held, self.facings(), self.usually_hidden(placed, held))

    def usually_hidden(self, placed: dict[str, str], held: dict[str, str]) -> tuple[str, ...]:
        """6.4 Hide every crew that can be hidden with its Gun."""
        guns = {held[weapon.id] for weapon in self.arms if weapon.facing >= 0 and weapon.id in held}
        return tuple(
            unit.id
            for unit in self.mine
            if unit.id in guns
            and unit.id in placed
            and not any(hiding_objections(self.situation, unit, placed[unit.id]))
        )

    def facings(self) -> dict[str, int]:
        """3.2.4/covered-arc The present facing of each Gun and each vehicle."""
        guns = {weapon.id: weapon.facing for weapon in self.arms if weapon.facing >= 0}
        return {**guns, **{vehicle.id: vehicle.vca for vehicle in self.armour}}

    def holders(self, placed: dict[str, str]) -> dict[str, str]:
        """Give each weapon to an MMC, one each if possible; weapons of a group that enters later stay with that
        group.
        """
        squads = [unit for unit in self.mine if unit.id in placed and self.situation.is_mmc(unit)]
        found: dict[str, str] = {}
        for weapon in self.arms:
            ready = self.data.ready_holder(weapon.id, (unit for unit in squads if unit.id not in found.values()))
            group = self.data.weapon_group(weapon.id)
            pool = [
                unit for unit in self.view.units.values() if unit.seat == self.seat and unit.group == group
            ] or squads
            pool = [unit for unit in pool if self.situation.is_mmc(unit)] or pool
            gun = weapon.card in self.data.deck.guns
            crews = [unit for unit in pool if self.situation.card(unit).kind == "crew"]
            pool = (crews if gun else [unit for unit in pool if unit not in crews]) or pool
            free = [unit for unit in pool if unit.id not in found.values()] or pool
            if free:
                found[weapon.id] = ready or free[0].id
        return found

    def usual(self) -> Placement:
        return self.spread(None)

    def options(self) -> Iterator[Placement]:
        yield self.usual()
        for number in range(4):
            yield self.spread(Choice("setup", self.seat, str(number)))

    def sample(self, choice: Choice) -> Placement:
        return self.spread(choice)

    def objections(self, answer: Placement) -> Iterator[Objection]:
        everybody: list[Piece] = [*self.mine, *self.armour]
        mine = {piece.id: piece for piece in everybody}
        for id in sorted(set(answer.units) - set(mine)):
            yield Objection("1.3", say("{id} is not a unit that you set up", id=id))
        for id in sorted(set(mine) - set(answer.units)):
            yield Objection("1.3", say("{id} has not been given a hex", id=id))
        placed: dict[str, str] = {}
        for id, hex in answer.units.items():
            if id not in mine:
                continue
            if hex not in self.data.area(mine[id]):
                yield Objection("1.3", say("{id} cannot set up in {hex}", id=id, hex=hex), ("units", id))
            elif not self.has_place(placed, mine[id], hex):
                yield Objection(
                    "3.3.1/stacking", say("there is no room for {id} in {hex}", id=id, hex=hex), ("units", id)
                )
            placed[id] = hex
        yield from self.weapon_objections(answer)
        yield from self.hidden_objections(answer)

    def has_place(self, placed: dict[str, str], piece: Piece, hex: str) -> bool:
        """3.3.1/stacking, 3.3.2/stacking Whether one more unit or vehicle fits in a hex."""
        if isinstance(piece, Vehicle):
            return self.may_park(placed, piece, hex)
        return self.fits(placed, piece, hex)

    def hidden_objections(self, answer: Placement) -> Iterator[Objection]:
        """6.4 Object to every hidden unit that is not the crew of a Gun."""
        guns = {answer.weapons.get(weapon.id) for weapon in self.arms if weapon.facing >= 0}
        for id in answer.hidden:
            unit = self.view.units.get(id)
            if unit is None or unit.seat != self.seat or id not in guns:
                yield Objection("6.4", say("{id} does not man a Gun", id=id))
            else:
                yield from hiding_objections(self.situation, unit, answer.units.get(id, ""))

    def weapon_objections(self, answer: Placement) -> Iterator[Objection]:
        """4.0 Yield an objection for each weapon that would be set up unpossessed."""
        own = {weapon.id for weapon in self.arms}
        for id in sorted(own - set(answer.weapons)):
            yield Objection("4.0", say("{id} needs a unit to possess it", id=id))
        for id, holder in answer.weapons.items():
            unit = self.view.units.get(holder)
            if id not in own or unit is None or unit.seat != self.seat:
                yield Objection("4.0", say("{id} cannot be given to {holder}", id=id, holder=holder))
            elif self.situation.is_leader(unit) and self.load_of(holder, answer) > MOST_FOR_SMC:
                yield Objection(
                    "4.0/portage",
                    say(
                        "{holder} cannot carry more than {most_for_smc} PP", holder=holder, most_for_smc=MOST_FOR_SMC
                    ),
                )
            elif (gun := self.data.deck.guns.get(self.view.weapons[id].card)) is not None:
                yield from self.gun_objections(id, gun, unit, answer.units.get(holder, ""))
        armour = {vehicle.id for vehicle in self.armour}
        for id in sorted(set(answer.exposed) - armour):
            yield Objection("7.7", say("{id} is not a vehicle that you set up", id=id))
        for id, facing in answer.facings.items():
            if (id not in own and id not in armour) or not 0 <= facing <= 5:
                yield Objection("3.2.4/covered-arc", say("{id} must face a hexspine from 0 to 5", id=id))
        yield from self.turret_objections(answer)

    def turret_objections(self, answer: Placement) -> Iterator[Objection]:
        """11 G1, 7.2 Yield the objections to turret facings; a turret need not face the same hexspine as its
        vehicle.
        """
        turreted = {one.id for one in self.armour if self.situation.vehicle_card(one).turret != "NT"}
        for id, facing in answer.turrets.items():
            if id not in turreted:
                yield Objection("7.2", say("{id} is not a vehicle with a turret that you set up", id=id))
            elif not 0 <= facing <= 5:
                yield Objection("3.2.4/covered-arc", say("{id} must face a hexspine from 0 to 5", id=id))

    def load_of(self, holder: str, answer: Placement) -> int:
        """4.0/portage The PP that a unit would carry in this set-up."""
        return sum(self.data.arms[self.view.weapons[id].card].pp for id, to in answer.weapons.items() if to == holder)

    def gun_objections(self, id: str, gun: GunCard, unit: Unit, hex: str) -> Iterator[Objection]:
        """1.2.6 Object to a Gun that a leader is to man, and to one that is too large for the building in its hex."""
        if self.situation.is_leader(unit):
            yield Objection("1.2.6", say("{id} needs a crew or a squad", id=id))
        if hex and not fits_in(self.situation, gun, hex):
            yield Objection("1.2.6", say("{id} does not fit into a building", id=id))

    def instead(self, at: Path, answer: Placement) -> Sequence[str]:
        return ()

    def canonical(self, answer: Placement) -> Placement:
        """Give each weapon that the answer does not name to the unit that has it in the default set-up."""
        if self.view is None:  # for a receipt
            return answer
        usual = self.holders(dict(answer.units))
        weapons = {weapon.id: answer.weapons.get(weapon.id, usual.get(weapon.id, "")) for weapon in self.arms}
        strange = {id: holder for id, holder in answer.weapons.items() if id not in weapons}
        held = {**{id: to for id, to in weapons.items() if to}, **strange}
        facings = {**self.facings(), **answer.facings}
        turrets = {id: facing for id, facing in answer.turrets.items() if facing != facings.get(id)}
        return Placement(dict(answer.units), held, facings, answer.hidden, answer.exposed, turrets)

    def read(self, words: Words, said: Said) -> None:
        inner = words.children[0]
        assert isinstance(inner, Tree)
        reader = Reader(self.data.ground, self.view, self.seat)
        (name,) = (str(child) for child in inner.children if isinstance(child, Token) and child.type == "NAME")
        hex, facing = reader.hex(name), [str(child) for child in inner.children if is_number(child)]
        turret = [number for part in inner.find_data("turret") for number in tokens(part, "NUMBER")]
        for placed in inner.find_data("placed"):
            unit, *weapons = (reader.thing(name) for name in tokens(placed, "NAME"))
            said.put(("units", unit), hex)
            for weapon in weapons:
                said.put(("weapons", weapon), unit)
                if facing and self.view is not None and self.view.weapons[weapon].facing >= 0:
                    said.put(("facings", weapon), int(facing[0]))
            if tokens(inner, "HIDDEN"):
                said.add(("hidden",), unit)
            if facing and self.view is not None and unit in self.view.vehicles:
                said.put(("facings", unit), int(facing[0]))
            if turret:
                said.put(("turrets", unit), int(turret[0]))
            if tokens(inner, "EXPOSED"):
                said.add(("exposed",), unit)

    def sentence(self, answer: Placement) -> Iterator[str]:
        for unit, hex in answer.units.items():
            arms = [id for id, holder in answer.weapons.items() if holder == unit]
            facing = next((f" face {answer.facings[id]}" for id in (unit, *arms) if id in answer.facings), "")
            hidden = " hidden" if unit in answer.hidden else " exposed" if unit in answer.exposed else ""
            turret = f" turret {answer.turrets[unit]}" if unit in answer.turrets else ""
            yield f"{'+'.join([unit, *arms])} at {hex}{facing}{turret}{hidden}"

    def form(self) -> Iterator[FormLine]:
        yield from self.sentence(self.default())
        everybody: list[Piece] = [*self.mine, *self.armour]
        for group in dict.fromkeys(unit.group for unit in everybody):
            units = [unit for unit in everybody if unit.group == group]
            names = ", ".join(f"{unit.id} {self.situation.name(unit)}" for unit in units)
            yield from remarks(
                say("{units}: set up in {hexes}", units=names, hexes=area_words(self.data.area(units[0])))
            )
        arms = ", ".join(f"{one.id} {self.situation.weapon_card(one).name}" for one in self.arms)
        yield from remarks(say("weapons: {arms}", arms=arms)) if arms else ()


def is_number(word: object) -> bool:
    return isinstance(word, Token) and word.type == "NUMBER"


def place_units(table: AslskTable, seat: str, answer: Placement) -> None:
    """1.3 Place a side's units and weapons as its answer says."""
    for id, hex in answer.units.items():
        piece = piece_of(table.state, id)
        assert piece is not None
        piece.at = hex
        if isinstance(piece, Vehicle):
            piece.vca = answer.facings.get(id, piece.vca)
            piece.tca = answer.turrets.get(id, piece.vca)
            piece.ce = id in answer.exposed
    for id, holder in answer.weapons.items():
        weapon, unit = table.state.weapons[id], table.state.units[holder]
        weapon.holder = holder
        weapon.facing = answer.facings.get(id, weapon.facing)
        paved = bool(unit.at) and table.situation.ground[unit.at].paved
        crewed = table.situation.card(unit).kind == "crew" and bool(unit.at)
        weapon.emplaced = weapon.facing >= 0 and crewed and not paved  # 6.3
    for id in answer.hidden:
        table.state.units[id].hidden = True
    placed = {id: hex for id, hex in answer.units.items() if id not in answer.hidden}
    shown = [Appear(id, hex) for id, hex in placed.items()]
    table.find("1.3", inputs={"seat": seat, "units": placed}, result="set up", shows=shown)
    if answer.hidden:
        secret = {id: answer.units[id] for id in answer.hidden}
        table.find(
            "6.4",
            to=(seat,),
            inputs={"seat": seat, "units": secret},
            result="set up in secret",
            shows=[Appear(id, hex) for id, hex in secret.items()],
        )
