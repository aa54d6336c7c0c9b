"""The small asks within a turn: the answer is one word or the names of units.

4.3        Initiative       6.5.2.1    Spread         6.5.1.12    Danger       7.9       Dischargers
4.4.3.2.2  Show             6.5.2.2    Angle          6.6.1.1     Primary      7.28      CounterBattery
6.7.3      AirAttack        6.5.2.6.1  Facing         6.6.1.1.3   Advance      7.42.1.1  FormationNext
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.engine.rules.happenings import Fail
from pbem.engine.rules.refusals import Objection, Unreadable
from pbem.engine.rules.title import Submission
from pbem.engine.text.grammar import Line, Words, lines, tokens
from pbem.engine.text.messages import say
from pbem.titles.panzer.air.air import air_attack_options, check_air_attack
from pbem.titles.panzer.ap.ap_damage import angle_options, check_angle
from pbem.titles.panzer.ap.ap_fire import check_spread, spread_options
from pbem.titles.panzer.ap.shot_basics import check_show, show_options
from pbem.titles.panzer.artillery.artillery_options import check_counter_battery, counter_battery_options
from pbem.titles.panzer.artillery.response import check_danger, danger_options
from pbem.titles.panzer.close_combat.close_combat import advance_options, check_advance
from pbem.titles.panzer.close_combat.hand_to_hand import check_primary, primary_options
from pbem.titles.panzer.command.dischargers import check_dischargers, discharger_options
from pbem.titles.panzer.command.initiative import check_initiative, initiative_options
from pbem.titles.panzer.command.staggered_initiative import check_formation, formation_options
from pbem.titles.panzer.damage.bail_out import check_facing, facing_options
from pbem.titles.panzer.decisions.base import NO_ANSWER, SmallAsk
from pbem.titles.panzer.player.fates import discharge_fates
from pbem.titles.panzer.player.plan import ALL, AdvancedPlan, Show
from pbem.titles.panzer.player.standing_orders import Clause
from pbem.titles.panzer.player.towards import armour_of, enemies_of, facing_to
from pbem.titles.panzer.reading.base import one_named
from pbem.titles.panzer.reading.naming import raise_all, unit_named
from pbem.titles.panzer.reading.reader import Reader
from pbem.titles.panzer.reading.vocabulary import RULE, direction, squash
from pbem.titles.panzer.state import MOVING


class Initiative(SmallAsk, kind="initiative", rule="4.3"):
    """4.3 The winner of the initiative chooses to be First or Second Player."""

    says = ("first", "second")

    def options(self) -> Iterator[Any]:
        return initiative_options()

    def check(self, given: Any) -> Any:
        return check_initiative(given)

    def read_answer(self, reader: Reader, words: Words) -> Any:
        return str(words.data) if words.data in self.says else NO_ANSWER

    def by_plan(self, plan: AdvancedPlan) -> Iterator[tuple[Any, str]]:
        if plan.initiative:
            yield plan.initiative, f"initiative {plan.initiative}"

    def by_clause(self, clause: Clause) -> Iterator[Any]:
        if clause.initiative:
            yield clause.initiative


class YesOrNo(SmallAsk):
    """A yes-or-no question."""

    says = ("yes", "no")

    def read_answer(self, reader: Reader, words: Words) -> Any:
        return words.data == "yes" if words.data in self.says else NO_ANSWER

    def sentence(self, answer: Any) -> Iterator[str]:
        yield "yes" if answer else "no"


class ShowCounter(YesOrNo, kind="show", rule="4.4.3.2.2"):
    """4.4.3.2.2 The choice of whether a counter is shown, to claim the modifier for a moving target."""

    def options(self) -> Iterator[Any]:
        return show_options(self.view, self.ask)

    def check(self, given: Any) -> Any:
        return check_show(self.view, self.ask, given)

    def by_plan(self, plan: AdvancedPlan) -> Iterator[tuple[Any, str]]:
        """4.4.3.2.2 The instruction for the target, for the holder of its counter (6.2.1.1.3), or for all units."""
        for unit in (self.ask.about.get("target", ""), self.ask.subject, ALL):
            if show := plan.show.get(unit):
                named = self.ask.subject if unit == ALL else unit
                yield self.claims(show), f"show {named} {show}"
                return

    def by_clause(self, clause: Clause) -> Iterator[Any]:
        if clause.show:
            yield self.claims(clause.show)

    def claims(self, show: Show) -> bool:
        """4.4.3.2.2 Whether to show the counter; under `matters`, only if the default is to show it (R-05)."""
        if self.view.vehicles[self.ask.subject].command not in MOVING:
            return False
        return show == "always" or (show == "matters" and bool(self.ask.silence))


class AirAttack(YesOrNo, kind="air-attack", rule="6.7.3"):
    """6.7.3 The choice of whether an aircraft attacks the target that it has acquired."""

    def options(self) -> Iterator[Any]:
        return air_attack_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_air_attack(self.situation, self.ask, given)


class AngleOfHit(SmallAsk, kind="angle", rule="6.5.2.2"):
    """6.5.2.2 The choice between two angles of a hit, made by the target's owner."""

    says = ("front", "front-side", "rear-side", "rear")

    def options(self) -> Iterator[Any]:
        return angle_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_angle(self.situation, self.ask, given)

    def read_answer(self, reader: Reader, words: Words) -> Any:
        if angle := tokens(words, "ANGLE"):
            return angle[0].replace("-", "_").replace(" ", "_")
        return self.ask.silence if tokens(words, "NAME") == ["stronger"] else NO_ANSWER

    def legal(self) -> Sequence[str]:
        return [angle.replace("_", "-") for angle in self.ask.about.get("angles", ())]

    def by_plan(self, plan: AdvancedPlan) -> Iterator[tuple[Any, str]]:
        if aspect := plan.aspect.get(self.ask.subject) or plan.aspect.get(ALL):
            yield self.angle(aspect), f"aspect {self.ask.subject} {aspect}"

    def by_clause(self, clause: Clause) -> Iterator[Any]:
        if clause.aspect:
            yield self.angle(clause.aspect)

    def angle(self, aspect: str) -> str:
        """6.5.2.2 The more frontal or the more rearward of two angles, or the stronger (R-05)."""
        angles: list[str] = self.ask.about["angles"]
        return {"front": angles[0], "rear": angles[-1]}.get(aspect, str(self.ask.silence))


class NamesOrDone(SmallAsk):
    """The names of some units, or `done` for none."""

    def read_answer(self, reader: Reader, words: Words) -> Any:
        if words.data in ("done", "no"):
            return []
        return self.units(reader, tokens(words, "NAME")) if words.data == "named" else NO_ANSWER

    def units(self, reader: Reader, names: Sequence[str]) -> list[str]:
        """Return the named units, which must be the player's own."""
        return [reader.own_unit(word).id for word in names]

    def legal(self) -> Sequence[str]:
        return ["done", *self.ask.about.get("units", ())]

    def sentence(self, answer: Any) -> Iterator[str]:
        yield " ".join(answer) or "done"


class Spread(NamesOrDone, kind="spread", rule="6.5.2.1"):
    """6.5.2.1 The choice of the other vehicles that the extra hits strike."""

    says = ("done", "b1 b2")

    def options(self) -> Iterator[Any]:
        return spread_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_spread(self.situation, self.ask, given)

    def units(self, reader: Reader, names: Sequence[str]) -> list[str]:
        return [unit_named(word, self.view.vehicles.values(), self.view).id for word in names]

    def legal(self) -> Sequence[str]:
        return ["done", *self.ask.about.get("targets", ())]

    def by_clause(self, clause: Clause) -> Iterator[Any]:
        """6.5.2.1 Spread each extra hit to another vehicle while there are any, or put all on the first target."""
        if clause.kind == self.kind:
            others = [] if clause.word == "never" else list(self.ask.about["targets"])
            yield others[: self.ask.about["extra"]]


class AdvanceAfterCombat(NamesOrDone, kind="advance", rule="6.6.1.1.3"):
    """6.6.1.1.3 The choice of the attackers that enter the hex."""

    says = ("done", "g1 g2")

    def options(self) -> Iterator[Any]:
        return advance_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_advance(self.situation, self.ask, given)

    def by_clause(self, clause: Clause) -> Iterator[Any]:
        """6.6.1.1.3 Choose all attackers to enter the hex, or none."""
        if clause.kind == self.kind:
            yield list(self.ask.about["units"]) if clause.word == "always" else []


class Dischargers(NamesOrDone, kind="dischargers", rule="7.9"):
    """7.9 The choice of the vehicles that fire their smoke dischargers."""

    says = ("done", "g1 g2")

    def options(self) -> Iterator[Any]:
        return discharger_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_dischargers(self.situation, self.ask, given)

    def by_plan(self, plan: AdvancedPlan) -> Iterator[tuple[Any, str]]:
        if plan.discharge:
            fired = [id for id in plan.discharge if id in self.ask.about["units"]]
            yield fired, f"{' '.join(plan.discharge)} discharge"

    def failing(self, answer: Any, plan: AdvancedPlan, used: Mapping[str, int]) -> Iterator[Fail]:
        return discharge_fates(self.situation, answer, plan)

    def by_clause(self, clause: Clause) -> Iterator[Any]:
        """7.9 Choose no vehicle, or every vehicle that an enemy has spotted."""
        if clause.kind == self.kind:
            spotted = {target for targets in self.view.spotted.values() for target in targets}
            yield [] if clause.word == "never" else [unit for unit in self.ask.about["units"] if unit in spotted]


class OneUnit(SmallAsk):
    """The name of one unit."""

    says = ("g1",)

    def read_answer(self, reader: Reader, words: Words) -> Any:
        names = tokens(words, "NAME")
        if words.data != "named" or len(names) != 1:
            return NO_ANSWER
        return unit_named(names[0], self.view.vehicles.values(), self.view).id


class Danger(OneUnit, kind="danger", rule="6.5.1.12"):
    """6.5.1.12 The enemy's choice of the unit of the firing side on which stray fire falls."""

    def options(self) -> Iterator[Any]:
        return danger_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_danger(self.situation, self.ask, given)

    def legal(self) -> Sequence[str]:
        return list(self.ask.about.get("friends", ()))

    def by_clause(self, clause: Clause) -> Iterator[Any]:
        """6.5.1.12 Choose an enemy unit in the most crowded hex, or the one with the weakest armour."""
        if clause.kind != self.kind:
            return
        here = {id: self.view.vehicles[id].hex for id in self.ask.about["friends"] if id in self.view.vehicles}
        hexes = list(here.values())
        if clause.word == "weakest":
            yield from sorted(here, key=lambda id: armour_of(self.data, self.view.vehicles[id]))[:1]
        else:
            yield from sorted(here, key=lambda id: -hexes.count(here[id]))[:1]


class Primary(OneUnit, kind="primary", rule="6.6.1.1"):
    """6.6.1.1 The choice of the primary attacker among several."""

    def options(self) -> Iterator[Any]:
        return primary_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_primary(self.situation, self.ask, given)

    def legal(self) -> Sequence[str]:
        return list(self.ask.about.get("units", ()))


class CounterBattery(SmallAsk, kind="counter-battery", rule="7.28"):
    """7.28 The choice of the enemy battery at which the counter-battery assets fire."""

    says = ("done", "gb1")

    def options(self) -> Iterator[Any]:
        return counter_battery_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_counter_battery(self.situation, self.ask, given)

    def read_answer(self, reader: Reader, words: Words) -> Any:
        names = tokens(words, "NAME")
        if words.data in ("done", "no"):
            return None
        if words.data != "named" or len(names) != 1:
            return NO_ANSWER
        return one_named(names[0], {id: battery.name for id, battery in self.view.batteries.items()}, "battery")

    def legal(self) -> Sequence[str]:
        return ["done", *self.ask.about.get("targets", ())]


class FormationNext(SmallAsk, kind="formation", rule="7.42.1.1"):
    """7.42.1.1 The choice of the formation that fires or moves next."""

    says = ("g",)

    def options(self) -> Iterator[Any]:
        return formation_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_formation(self.situation, self.ask, given)

    def read_line(self, reader: Reader, line: Line) -> Any:
        """7.42.1.1 A formation by id or name, followed by its platoon; in orders `f` would be read as a step."""
        if squash(line.text) == "default":
            return str(self.ask.silence)
        names = {id: self.formation_named(id) for id in self.ask.about["formations"]}
        return one_named(line.text, names, "formation to choose")

    def formation_named(self, id: str) -> str:
        """7.42 The name of a formation, or of one of its platoons."""
        formation, _, platoon = id.partition(" ")
        row = self.data.scenario.formations.get(formation)
        return f"{row.name if row else formation} {platoon}".strip()

    def legal(self) -> Sequence[str]:
        return list(self.ask.about.get("formations", ()))

    def sentence(self, answer: Any) -> Iterator[str]:
        yield str(answer).replace("_", "-")

    def by_plan(self, plan: AdvancedPlan) -> Iterator[tuple[Any, str]]:
        left = [id for id in plan.formations if id in self.ask.about["formations"]]
        yield from ((id, f"formations {' '.join(plan.formations)}") for id in left[:1])


class Facing(SmallAsk, kind="facing", rule="6.5.2.6.1"):
    """6.5.2.6.1 The facing of units that got out of a vehicle, one line for each."""

    says = ("default", "g1 face 3")

    def options(self) -> Iterator[Any]:
        return facing_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_facing(self.situation, self.ask, given)

    def take(self, text: str) -> Submission:
        said = lines(text)
        if not said:
            raise Unreadable(self.kind, [Objection(RULE, say("send one line"))], self.says)
        reader, found = self.reader(), dict[str, int]()
        for line in said:
            with reader.at(line):
                found |= self.read_line(reader, line)
        raise_all(reader.refusals)
        return Submission(found)

    def read_answer(self, reader: Reader, words: Words) -> Any:
        if words.data != "facing":
            return NO_ANSWER
        name = tokens(words, "NAME")[0]
        ways = [way for tree in words.find_data("face") for way in tokens(tree, "DIRECTION")]
        return {reader.own_unit(name).id: sum(map(direction, ways or tokens(words, "DIRECTION")))}

    def sentence(self, answer: Any) -> Iterator[str]:
        yield from (f"{unit} face {facing}" for unit, facing in answer.items())

    def by_clause(self, clause: Clause) -> Iterator[Any]:
        """6.5.2.6.1 Let each unit face the nearest enemy; if it cannot, it keeps the facing of its vehicle."""
        if clause.kind == self.kind and clause.word == "nearest":
            enemies = enemies_of(self.view, self.seat)
            units = self.ask.about["units"]
            yield {id: facing_to(self.view.vehicles[id], enemies) or way for id, way in units.items()}
