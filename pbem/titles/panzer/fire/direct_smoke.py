"""6.1.4.3.10 Smoke from direct fire into a hex.

6.1.4.3.10     smoke_objections, lay_smoke
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.geometry.hexes import Hex, distance, hex_name
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Objection
from pbem.engine.rules.table import Table
from pbem.engine.text.messages import say
from pbem.titles.panzer.cards.units import is_engineer
from pbem.titles.panzer.cards.weapons import Armament
from pbem.titles.panzer.fire.gp_modifiers import GpAttack as GpAttack
from pbem.titles.panzer.fire.special_fire import infantry_smoke_objections
from pbem.titles.panzer.sighting.sight import sees
from pbem.titles.panzer.sighting.terrain import (
    place_of,
)
from pbem.titles.panzer.situation import Situation
from pbem.titles.panzer.state import (
    Cloud,
    PanzerState,
    Unit,
)

# --- 6.1.4.3.10 direct smoke -----------------------------------------------------------------------------------


def smoke_objections(situation: Situation, firer: Unit, arm: Armament, hex: Hex) -> Iterator[Objection]:
    """6.1.4.3.10 Reasons other than the field of fire why a weapon cannot fire smoke into a hex."""
    data = situation.data
    rule = "6.1.4.3.10"
    if not data.board.is_on_map(hex):
        yield Objection(rule, say("the map has no such hex"))
        return
    if not data.plays("gp_fire"):
        yield Objection("AG", say("this match does not use GP fire, so there is no smoke"))
        return
    if hex == place_of(firer):
        yield from infantry_smoke_objections(situation, firer)  # 7.22
        return
    if any(unit.side == firer.side for unit in situation.state.on_the_ground(hex)):
        yield Objection(rule, say("there are friendly units in {hex}", hex=hex_name(hex)))
    here = place_of(firer)
    if is_engineer(data, firer) and not arm.smoke:
        if distance(here, hex) != 1:
            yield Objection(rule, say("engineers can only lay smoke in an adjacent hex"))
    elif not arm.smoke:
        yield Objection(rule, say("the unit's {arm} has no smoke ammunition", arm=arm.name))
    elif distance(here, hex) < arm.minimum:
        yield Objection(
            "5.6",
            say(
                "{hex} is nearer than the minimum range of the unit's {arm}, {minimum} hexes",
                hex=hex_name(hex),
                minimum=arm.minimum,
                arm=arm.name,
            ),
        )
    elif distance(here, hex) > arm.reach("smoke"):
        yield Objection(rule, say("{hex} is beyond the unit's GP range", hex=hex_name(hex)))
    if not sees(situation, firer, hex):
        yield Objection(rule, say("the unit has no line of sight to {hex}", hex=hex_name(hex)))


def lay_smoke(table: Table[PanzerState], firer: Unit, hex: Hex) -> Finding:
    """6.1.4.3.10 Lay closed smoke in one hex; it takes effect at the end of the step."""
    id = table.state.new_id("c")
    table.state.clouds[id] = Cloud(id=id, type="smoke", hexes=(hex,), owner=firer.side)
    return Finding("6.1.4.3.10", inputs={"firer": firer.id, "hex": hex_name(hex)}, result="smoke")
