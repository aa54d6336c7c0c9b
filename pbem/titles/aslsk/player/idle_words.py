"""Words in an order that would have no effect: an order that contains such a word is refused, with the reason.

fire_word_objections    the words after `fire`: shell, intensive, once, backblast, no acquisition, anyway, if unbroken
watch_word_objections   the same words in a fire plan, for the units that a line names
leg_objections          the parts of a move that only vehicles, or only Infantry, may use
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from pbem.engine.rules.refusals import Objection
from pbem.engine.text.messages import say
from pbem.titles.aslsk.fire.components import Attack, Component, components
from pbem.titles.aslsk.fire.declaration import ammunition_objections, may_be_directed
from pbem.titles.aslsk.orders import Clause, FireOrder, Leg
from pbem.titles.aslsk.ordnance.to_hit import is_gun, is_ordnance
from pbem.titles.aslsk.player.language import RULE
from pbem.titles.aslsk.situation import Situation

BLASTS: Final = ("baz", "psk")
LAST_SPINE: Final = 5
ONLY_VEHICLES: Final = (
    "start",
    "stop",
    "turn",
    "turret",
    "delay",
    "motion",
    "open",
    "close",
    "device",
    "unbog",
    "fire",
)


def uses_shells(situation: Situation, one: Component) -> bool:
    """3.2.4 Whether a component is a Gun or main armament that rolls To Hit."""
    return not one.ife and (is_gun(situation, one) or situation.is_main(one.weapon))


def kind_of_weapon(situation: Situation, one: Component) -> str:
    return situation.weapon_card(one.weapon).kind if one.weapon is not None and not one.ife else ""


def acquires(situation: Situation, one: Component) -> bool:
    """6.10 Whether a weapon acquires targets: Guns, main armament and mortars do."""
    return uses_shells(situation, one) or kind_of_weapon(situation, one) == "mortar"


def fire_word_objections(situation: Situation, order: FireOrder) -> Iterator[Objection]:
    """6.2, 3.2.4 Object to words of a fire order that mean nothing for the units that it names."""
    firers = components(situation, order.components)
    for one in firers:
        yield from ammunition_objections(situation, one, order.how)
        kind = kind_of_weapon(situation, one)
        if order.intensive and not uses_shells(situation, one):
            yield Objection("3.2.4/intensive-fire", say("{one_} cannot use Intensive Fire", one_=one.id))
        if order.blast and kind not in BLASTS and order.how != "pf":
            yield Objection("4.4.3", say("{one_} has no backblast", one_=one.id))
        if order.how == "pf" and one.weapon is not None:
            yield Objection("4.4.2", say("a Panzerfaust must be fired by one of your units"))
        if order.unmarked and not acquires(situation, one):
            yield Objection("6.10", say("{one_} does not acquire targets", one_=one.id))
    yield from rate_objections(situation, firers, once=order.once)
    shot = Attack(order.components, "", target=next(iter(order.against), ""))
    undirected = [one.id for one in firers if not may_be_directed(situation, one, shot)]
    if order.leaders and undirected:
        yield Objection(
            "3.2.2/leader-direction", say("no leader can direct the fire of {units}", units=", ".join(undirected))
        )
    if order.against and (order.anyway or order.unbroken):
        yield Objection(RULE, say("“anyway” and “if unbroken” are for fire at a hex, not at a vehicle"))


def rate_objections(situation: Situation, firers: Sequence[Component], *, once: bool) -> Iterator[Objection]:
    """1.2.4.1 Object if an order declines a rate of fire that no firer has."""
    if once and firers and not any(one.weapon and situation.weapon_card(one.weapon).rof for one in firers):
        yield Objection("1.2.4.1", say("{one_} has no rate of fire to decline", one_=firers[0].id))


def watch_word_objections(situation: Situation, seat: str, clause: Clause) -> Iterator[Objection]:
    """3.3.3 Object to units in a fire plan that are not the seat's own, and to words that suit none of them."""
    state = situation.state
    named = [*components(situation, clause.units)]
    known = {one.id for one in named if one.unit.seat == seat}
    for id in clause.units:
        piece = state.units.get(id) or state.vehicles.get(id)
        if id not in known and (piece is None or piece.seat != seat):
            yield Objection("3.3.3", say("you have no {id} on the board", id=id))
    on_foot = [id for id in clause.units if id in state.units]
    armour = [id for id in clause.units if id in state.vehicles]
    if clause.do in ("motion", "device") and on_foot:
        yield Objection("3.3.2.1", say("{id} is not a vehicle", id=on_foot[0]))
    if clause.do == "reaction" and armour:
        yield Objection("3.3.4", say("{id} is a vehicle, but this order is for Infantry", id=armour[0]))
    if clause.facing > LAST_SPINE:
        yield Objection("3.3.2.1", say("a facing is a number from 0 to 5"))
    if clause.do == "keep" and clause.number < 1:
        yield Objection("3.3.3", say("say how many units hold their fire, 1 or more"))
    if clause.do == "keep" and clause.number > len(clause.units):
        most = len(clause.units)
        yield Objection("3.3.3", say("“keep” can hold back at most as many units as it names: {most}", most=most))
    if clause.do in ("sff", "fpf"):
        yield from second_fire_objections(situation, clause, named)
    if clause.vehicles and clause.infantry:
        yield Objection(
            "3.3.3", say("a mover is either a vehicle or Infantry: write only one of the two words, or neither")
        )
    for id in clause.leaders:
        leader = state.units.get(id)
        if leader is None or leader.seat != seat or not situation.is_leader(leader):
            yield Objection("3.2.2/leader-direction", say("{id} is not one of your leaders", id=id))
    if clause.do != "fire" or not known or len(known) < len(clause.units):
        return
    if clause.pf and not on_foot:
        yield Objection("4.4.2", say("a Panzerfaust must be fired by one of your units"))
    if clause.unmarked and not any(acquires(situation, one) for one in named):
        yield Objection("6.10", say("{one_} does not acquire targets", one_=named[0].id))
    refused = [[*ammunition_objections(situation, one, clause.how)] for one in named]
    if all(refused):
        yield from refused[0]
    if clause.intensive and not any(uses_shells(situation, one) for one in named):
        yield Objection("3.2.4/intensive-fire", say("{one_} cannot use Intensive Fire", one_=named[0].id))
    yield from rate_objections(situation, named, once=clause.once)
    if (clause.hit or clause.kill) and not any(rolls_to_hit(situation, one) for one in named):
        yield Objection(
            "3.2.4", say("{one_} never rolls To Hit: use “chance” instead of “hit” or “kill”", one_=named[0].id)
        )


def rolls_to_hit(situation: Situation, one: Component) -> bool:
    """3.2.4 Whether a component rolls To Hit against vehicles; for a unit, whether any of its weapons does."""
    arms = [Component(weapon.id, one.unit, weapon) for weapon in situation.weapons(one.unit)]
    return any(is_ordnance(situation, arm, "vehicle") for arm in ([one] if one.weapon is not None else arms))


def second_fire_objections(situation: Situation, clause: Clause, named: Sequence[Component]) -> Iterator[Objection]:
    """3.3.3/sff, 4.4 Object to weapons in a second-fire line, which must name units, and to ordnance."""
    for one in named:
        if is_ordnance(situation, one):
            yield Objection("4.4", say("{one_} cannot fire again under a fire marker", one_=one.id))
        elif one.weapon is not None:
            yield Objection(
                f"3.3.3/{clause.do}", say("name {unit}, the unit that fires {one_}", unit=one.unit.id, one_=one.id)
            )


def leg_objections(legs: Sequence[Leg], *, vehicle: bool) -> Iterator[Objection]:
    """3.3.1, 3.3.2 Object to parts of a move that only vehicles, or only Infantry, can carry out."""
    for leg in legs:
        if vehicle and leg.cover:
            yield Objection("1.1.1.5", say("only Infantry can use “cover” to enter {hex}", hex=leg.hex))
        elif not vehicle and leg.do in ONLY_VEHICLES:
            yield Objection("3.3.2", say("only a vehicle can carry out the order “{do}”", do=leg.do))
        elif not vehicle and (leg.whole or leg.extra):
            yield Objection("3.3.2", say("“whole” and “for” are for vehicles, not for Infantry"))
