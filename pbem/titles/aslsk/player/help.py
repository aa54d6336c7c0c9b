"""The order language and standing orders on one screen each, and the briefing."""

from __future__ import annotations

from typing import Final

from pbem.engine.text.messages import Message, Name, Several, prose, say, several, term
from pbem.titles.aslsk.cards.scenario import Goal
from pbem.titles.aslsk.data_set import AslskData
from pbem.titles.aslsk.player.standing_orders import STOCK

HELP: Final = say(
    """\
One order per line; # starts a comment. Units and weapons go by their ids, hexes by their names.

Set-up          gs1+gw1 gs2 gl1 at K5            gs1 holds weapon gw1
                gc1+gg1 at K7 face 3 hidden | gt1 at K9 face 0 turret 1 exposed
Rally           rally gs1 by gl1 | no rally gs2 | self rally gs3 | keep dm gs4 | drop dm gs4
                gs1 recover gw1 | no repair gw1 | repair gt1ma | give gw1 to gs2
                destroy gw1: a unit destroys its own weapon in the Prep or Defensive Fire Phase
Fire            gs1 gw1 gs2 fire K5 or K6 with gl1 if unbroken
                a unit's id stands for its own firepower, a weapon's id for the weapon; `once` declines further shots;
                `later gs1 fire K5` in the first exchange orders Advancing (or Final) Fire in advance
                gg1 fire against rt1 or rt2 ap | heat | apcr | apds | he, gg1 fire K5 area | smoke | wp | intensive
                gs1 fire against rt1 pf (Panzerfaust, also at a unit that mans a weapon) | backblast
                gg1ife fire K5 (direct fire); fire K5 anyway
                gg1 face K9, gt1ma face K9: turn without firing; fire K5 no acquisition
Move            gl1 gs1 gs2 move F4 F5 F6 | gs1 move assault E6 | gs1 move double D4 D5 D6 D7 | gs1 move cover F5
                gs1 move smoke F4 by gs1, F4 F5 | gs1 move F4, recover gw1 | gs1 move place gw2 in F5 | gs1 move off
                gc1 move push gg1 to F5 face 2
Drive           gt1 move K5 K6 K7 | gt1 move K5, turn 2, turret 3, stop, wait 2 | gt1 move whole K5; K5 for 2
                gt1 move open, K5 K6, fire gt1ma gt1cmg against rt1 ap, device, motion | gt1 move unbog
                a vehicle starts, turns and stops by itself; facings are 0 east, 1 north-east and so on to 5
                branches: ; if gl1 hurt stop ; if residual F6 4 via G6 ; if no smoke F4 stop ; if leader lost go
                          ; if enemy within 2 stop ; after gs3 in E6 unhurt
Fire plan       gs1 gw1 watch F4 or F5 within 6 column 8 drm -1 with gl1 | all watch if clear chance 25
                hold all until 3 | keep 1 of gs1 gs2 until 2 | sff gs1 column 4 | fpf all
                gg1 watch vehicles kill 20 hit 40 intensive | gs1 watch infantry | gs1 watch vehicles within 2 pf
                gg1 watch F5 wp | gf1 watch within 1
                motion gt1 within 4 | device gt1 within 6 | reaction all
A window        gs1 fire at F5 with gl1 | gg1 fire against rt1 ap | gs1 gl1 reacts | gt1 motion | gt1 device | pass
Rout            gs1 rout K6 K7 | gs1 crawl K6 | gs1 stay | gs1 rout K6 with gl1
                no interdiction gg1: this weapon keeps its acquired target instead
Advance         gs1 gl1 advance K5 | gs1 advance K5 if empty | give gw1 to gs2 | drop gw1
                detonate gw2, with the Advancing Fire lines: a placed charge explodes then, otherwise before all fire
                gt1 open | gt1 close: hatches in the Advance Phase; gs1 move place gw2 in F5 on rt1: a charge on AFV
Close combat    combat K5 gs1 gl1 against rs1 rs2 | combat K5 gs1 gl1 against rt1 | combat K5 gt1 sn | combat K5 none
                combat K5 gt1cmg against rs1: one machine gun of a vehicle attacks separately
                stack gl1 with gs2 | stack gl1 alone: the leader attacks and defends with gs2, or alone; otherwise
                leaders fight with the units they attack with, the best leader with the strongest squad
"""
)

STANDING_ORDERS: Final = several(
    [
        say(
            """\
Standing orders answer for you until you replace them; the first line that applies is used. Without any, and without a
fire plan for the player turn, your units fire by the stock orders at the end of this page.

all watch within 6 column 4      units fire at movers within 6 hexes on column 4 or better
gs1 gw1 watch F4 or F5 drm -1    named units, named hexes, a total DRM of -1 or better
hold all until 3                 no unit fires before a mover is within 3 hexes
keep 1 of gs1 gs2 until 2        one of them holds its fire until a mover is within 2 hexes
gg1 watch vehicles kill 20       a Gun fires at vehicles if it has a chance of 20% or more to destroy them
gs1 watch vehicles within 2 pf   Panzerfausts; `infantry` instead of `vehicles` saves the shot for Infantry
gg1 watch F4 wp                  ammunition or target type: he, ap, heat, apcr, apds, wp, area
gf1 watch within 1               flamethrowers fire at Infantry only if they are named
motion gt1 within 4 face 2       a vehicle tries to get into Motion, and turns; `device gt1` makes smoke
reaction all                     CC Reaction Fire at vehicles in their hex
all watch if clear               only units that seem to see the mover: no woods, building or hill in between
all watch chance 25              attacks with a chance of 25% or more for a morale check or worse
sff all column 4 | fpf gs1       allow Subsequent First Fire and Final Protective Fire
rout crawl | rout run | rout stay
combat all | combat concentrate | combat spread | combat none

Stock orders
"""
        ),
        "\n".join((*STOCK, "")),
    ],
    "joined",
)


def briefing(data: AslskData, seat: str) -> Several:
    """1.3 Describe the situation, the length of the match and its victory conditions."""
    scenario = data.scenario
    names = {side.id: side.name for side in scenario.sides}
    goals = several(
        (say("{side} must {goal}", side=names[goal.side], goal=goal_words(data, goal)) for goal in scenario.victory),
        "clauses",
    )
    sides = {goal.side for goal in scenario.victory}
    rest = [name for id, name in names.items() if id not in sides]
    victory = [say("Victory: {goals}.", goals=goals)]
    if len(rest) == 1:
        victory.append(say("Otherwise {side} wins.", side=rest[0]))
    turns = say("{turns} turns.", turns=scenario.turns)
    if scenario.half_turn:
        turns = say("{turns} turns (the last only for the side that moves first).", turns=scenario.turns)
    first = say("First to move: {side}.", side=names[scenario.first])
    length, ends = several([turns, first], "sentences"), several(victory, "sentences")
    return several([scenario.name, prose(scenario.text), "", length, ends], "lines")


def building_words(data: AslskData, id: str) -> Message:
    """1.3 Describe a building: its name without the letter of its board, and its hexes."""
    hexes = data.ground.building_hexes(id)
    board = hexes[0].rstrip("0123456789").rstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
    if id in hexes:
        return say("{hex}", hex=id)
    return say("the {building} ({hexes})", building=id.removeprefix(board), hexes=" ".join(hexes))


def goal_words(data: AslskData, goal: Goal) -> Message:
    """1.3 Describe the victory conditions of a side."""
    places = several((*(building_words(data, id) for id in goal.buildings), *goal.hexes), "unit")
    if goal.kind == "control":
        if goal.number == len(goal.buildings) + len(goal.hexes):
            return say("control {places}", places=places)
        return say("control {number} of {places}", number=goal.number, places=places)
    if goal.kind == "exit":
        return say("exit {number} points over the {edge} edge", number=goal.number, edge=edge_word(str(goal.edge)))
    if goal.margin:
        return say("inflict {number} casualty points more than it suffers", number=goal.margin)
    return say("inflict {number} casualty points", number=goal.number)


EDGES: Final = {
    "north": term("edge", "north"),
    "east": term("edge", "east"),
    "south": term("edge", "south"),
    "west": term("edge", "west"),
}


def edge_word(edge: str) -> Message | Name:
    """A map edge in words."""
    return EDGES.get(edge) or Name(edge)
