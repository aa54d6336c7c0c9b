"""4.2.1 Words that would change nothing: refused, so that every word of an accepted text counts.

once                two lines that say different things about one matter
in_use              words of an optional rule that this match does not use (7.0)
idle_names          names in an order of fire or moves that do not take part
idle_manner         how to move, or when to stop, without a move (4.5.1.1.5, 6.6.4.2)
idle_adjustments    adjustments of units that have nothing to adjust (6.8)
unarmoured          a choice of armour for units without any
unmoving            when to show a Move or Short Halt of units that have none (4.4.3.2.2)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from pbem.engine.rules.refusals import Illegal, Objection, Refusal
from pbem.engine.text.messages import say
from pbem.titles.panzer.fire.turrets import hatch_objections, setting_objections
from pbem.titles.panzer.player.plan import MarchWish
from pbem.titles.panzer.reading.base import ReaderBase
from pbem.titles.panzer.reading.naming import with_line
from pbem.titles.panzer.reading.vocabulary import RULE
from pbem.titles.panzer.sighting.hidden_orders import limit_of

OPTIONAL: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "turret": ("7.8", ("turrets",)),
    "shut": ("7.8.3", ("turrets",)),
    "unshut": ("7.8.3", ("turrets",)),
    "formations": ("7.42", ("staggered_initiative",)),
    "sneak": ("7.2", ("hidden_units",)),
    "reveal": ("7.2", ("hidden_units",)),
    "hide": ("7.2.3", ("hidden_units",)),
    "dummy": ("7.2.3", ("hidden_units",)),
    "pin": ("7.18", ("pinning_fire",)),
    "demolish": ("7.19", ("engineers_and_terrain", "minefields")),
}
"""7.0 The words of optional rules, with the rule cited and the options of which one must be in use."""


class IdleWords(ReaderBase):
    """Refuses words that would change nothing."""

    def once(self, what: str, value: Any) -> None:
        """4.2.1 Refuse a second line that contradicts an earlier one about the same matter."""
        if self.settled.setdefault(what, value) != value:
            raise Illegal(what, [Objection(RULE, say("this contradicts an earlier line or word"))])

    def in_use(self, word: str) -> None:
        """7.0 Refuse a word of an optional rule that this match does not use."""
        rule, options = OPTIONAL.get(word, ("", ()))
        if self.ask.kind != "commands" or not options:
            return
        if not any(self.data.plays(option) for option in options):
            raise Illegal(word, [Objection(rule, say("this match does not use that optional rule"))])
        if word in ("hide", "dummy") and not limit_of(self.data, self.seat):
            raise Illegal(word, [Objection(rule, say("the scenario gives your side no hidden unit counters"))])

    def idle_names(self, takes_part: Callable[[str, str], bool]) -> Iterator[Refusal]:
        """4.4.1, R-11 Refuse names in an order of fire, or of moves, of units without an order to fire or move."""
        for line, kinds, units in self.sequence_lines:
            why = (
                say("the unit has no order to {what}", what=kinds[0])
                if len(kinds) == 1
                else say("the unit has no order to fire or to move")
            )
            for unit in units:
                if not any(takes_part(what, unit) for what in kinds):
                    yield with_line(Illegal(unit, [Objection(RULE, why)]), line)

    def idle_manner(self) -> Iterator[Refusal]:
        """4.5.1.1.5, 6.6.4, R-17 Refuse words on how to move, or when to stop, for units that stay where they are."""
        for id, wish in self.move.items():
            if wish.acts or wish == MarchWish():
                continue
            rule, why = (
                ("6.6.4.2", say("a quickmarch needs a hex to go to"))
                if wish.mode == "quick"
                else ("4.5.1.1.5", say("a move by road needs a hex to go to"))
                if wish.mode == "road"
                else ("4.5.1.1.5", say("the unit is not ordered to go anywhere, so it cannot stop when hit"))
            )
            refusal = Illegal(f"{id} move", [Objection(rule, why)], [f"{id} move"])
            yield with_line(refusal, self.line_of[id]) if id in self.line_of else refusal

    def idle_adjustments(self) -> Iterator[Illegal]:
        """6.8, 7.8 Refuse adjustments that a unit can never make, such as turning a turret that it does not have."""
        units = self.view.vehicles
        for id in (*self.adjust["pivot"], *self.adjust["cover"], *self.adjust["dig"]):
            if units[id].kind == "vehicle":
                why = Objection("6.8", say("only leg units and guns can pivot, take full cover or dig in"))
                yield Illegal(id, [why])
        for id in self.adjust["partial"]:
            if units[id].kind != "vehicle":
                yield Illegal(id, [Objection("6.1.4.1.2", say("only vehicles can be hull down"))])
        for id, offset in self.adjust["turret"].items():
            if found := list(setting_objections(self.data, units[id], offset)):
                yield Illegal(f"{id} turret {offset}", found)
        for id, shut in self.adjust["hatch"].items():
            if found := list(hatch_objections(self.data, units[id])):
                yield Illegal(f"{id} {'shut' if shut else 'unshut'}", found)

    def refuse_armour(self) -> Iterator[Illegal]:
        """4.4.3.2.4 Refuse a choice of armour for units other than vehicles."""
        for unit in self.aspect:
            if unit in self.view.vehicles and self.view.vehicles[unit].kind != "vehicle":
                yield Illegal(f"aspect {unit}", [Objection("4.4.3.2.4", say("only vehicles have armour"))])

    def unmoving(self, takes_part: Callable[[str, str], bool]) -> Iterator[Illegal]:
        """4.4.3.2.2 Refuse an instruction to show the counter of units that are not ordered to move."""
        for id in self.show if self.ask.kind == "commands" else ():
            unit = self.view.vehicles.get(id)
            if unit is not None and not takes_part("move", unit.aboard or id):
                why = say("only a Move or Short Halt can be shown, and {unit} has neither", unit=id)
                yield Illegal(f"show {id}", [Objection("4.4.3.2.2", why)])
