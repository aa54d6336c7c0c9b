"""Findings in words: one sentence each, with its rule, its modifiers and its dice.

    tell        the sentence for a finding
    tell_tree   the finding and all its children, indented

A finding is worded by the function for its rule, or for the paragraph its rule belongs to (`4.4.1/spot-fire` is part
of 4.4.1). Everything in a finding is data; findings without a special function get a plain wording.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pbem.engine.rules.findings import Finding
from pbem.engine.text.sentences import Telling, listed, modifiers_of, plainly, signed, value
from pbem.titles.panzer.telling.side_names import display_name

TELLING: Final = Telling()
TELLERS: Final = TELLING.tellers
tells, tell, tell_tree, teller_of = TELLING.tells, TELLING.tell, TELLING.tell_tree, TELLING.teller_of

EFFECT: Final = {
    "miss": "miss",
    "too-late": "too late, the target is gone",
    "no-effect": "hit, no effect",
    "damaged": "damaged",
    "ko": "knocked out",
    "bu": "brewed up",
}
COMMAND: Final = {
    "fire": "Fire",
    "move": "Move",
    "short-halt": "Short Halt",
    "overwatch": "Overwatch",
    "no-command": "No Command",
}
STEP: Final = {"f": "drives to", "b": "reverses to", "l": "turns left in", "r": "turns right in"}


def child(finding: Finding, rule: str) -> Finding | None:
    """The child under a rule, if there is one."""
    return next((found for found in finding.children if found.rule == rule), None)


def children(finding: Finding, rule: str) -> Iterator[Finding]:
    return (found for found in finding.children if found.rule == rule)


# --- set-up and spotting -------------------------------------------------------------------------------------


@tells("2.0")
def placed(finding: Finding) -> str:
    inputs = finding.inputs
    if "area" in inputs:
        return f"{inputs['unit']} is placed in {finding.result}, facing {inputs['facing']}"
    if "step" in inputs:
        return f"{inputs['unit']} comes in at {inputs['hex']}, facing {inputs['facing']} ({spent(finding)})"
    return plainly(finding)


@tells("4.0")
def turn_begins(finding: Finding) -> str:
    return f"turn {finding.inputs['turn']} of {finding.inputs['of']}"


@tells("4.1", "4.1.1")
def spotted(finding: Finding) -> str:
    inputs = finding.inputs
    if "by" in inputs:
        limit = f"within {inputs['limit']} hexes"
        rows = f" ({modifiers_of(finding)})" if finding.modifiers else ""
        return f"{inputs['target']} is {finding.result} by {listed(inputs['by'])}, {limit}{rows}"
    if finding.result == "lost":
        return f"{inputs['target']} is spotted no longer"
    if "limit" in inputs:
        seen = "spots" if finding.result else "does not spot"
        return f"{inputs['spotter']} {seen} {inputs['target']}: range {inputs['range']} of {inputs['limit']}"
    return plainly(finding)


@tells("4.1.3")
def spotting_range(finding: Finding) -> str:
    if "target" not in finding.inputs:
        return plainly(finding)
    return f"{finding.inputs['target']} can be spotted within {finding.result} hexes ({modifiers_of(finding)})"


@tells("4.1.4")
def line_of_sight(finding: Finding) -> str:
    return f"the line of sight is {finding.result}" if isinstance(finding.result, str) else plainly(finding)


@tells("4.1.5")
def marker_removed(finding: Finding) -> str:
    return f"{finding.inputs['vehicle']} loses its Spot/{str(finding.inputs['marker']).title()} marker"


# --- commands and initiative ---------------------------------------------------------------------------------


@tells("4.2")
def command_phase(finding: Finding) -> str:
    if finding.rule == "4.2":
        return f"both sides have placed their commands for turn {finding.inputs['turn']}"
    return f"{finding.inputs['unit']} is given {COMMAND[finding.result]}"


@tells("4.2.1")
def commands_placed(finding: Finding) -> str:
    match finding.result:
        case "face-down":
            side, units = display_name(finding.inputs["side"]), finding.inputs["units"]
            return f"the {side} side has {len(units)} counters face down"
        case "revealed":
            return f"{finding.inputs['unit']} reveals {COMMAND[finding.inputs['command']]}"
        case "no-target":
            return f"{finding.inputs['unit']} has no target left and does not fire"
    orders = [f"{found.inputs['unit']} {COMMAND[found.result]}" for found in finding.children]
    return f"your commands: {', '.join(orders) or 'none'}"


@tells("4.3")
def initiative(finding: Finding) -> str:
    determined = child(finding, "4.3.1")
    rolls = f" ({rolls_of(determined)}; the {display_name(determined.result)} side wins)" if determined else ""
    return (
        f"initiative of turn {finding.inputs['turn']}: the {display_name(finding.result)} side is First Player{rolls}"
    )


@tells("4.3.1")
def initiative_rolls(finding: Finding) -> str:
    winner, choice = display_name(finding.inputs["winner"]), finding.inputs["choice"]
    return f"{rolls_of(finding)}: the {winner} side wins and chooses to be {choice}"


def rolls_of(finding: Finding) -> str:
    return ", ".join(f"{display_name(roll.inputs['side'])} roll {roll.result}" for roll in children(finding, "3.1"))


@tells("4.3.2")
def players(finding: Finding) -> str:
    fire, movement = (" then ".join(map(display_name, finding.inputs[what])) for what in ("fire", "movement"))
    return f"fire: {fire}; movement: {movement}"


@tells("3.1")
def own_roll(finding: Finding) -> str:
    side = display_name(finding.inputs["side"])
    return f"{side} roll {finding.dice[0]}" if finding.dice else f"the {side} side is active"


@tells("3.2")
def reading(finding: Finding) -> str:
    return f"tens {finding.inputs['tens']}, units {finding.inputs['units']}: {finding.result}"


# --- fire ----------------------------------------------------------------------------------------------------


@tells("4.4")
def combat_phase(finding: Finding) -> str:
    return f"{display_name(finding.inputs['side'])} direct fire, {finding.inputs['player']} player"


@tells("4.4.1", "4.4.2")
def fire(finding: Finding) -> str:
    inputs = finding.inputs
    if "firers" in inputs:
        how = " on overwatch" if finding.rule == "4.4.2" else ""
        shots = [shot_said(shot) for shot in finding.children if is_shot(shot)]
        verb = "fires" if len(shots) == 1 else "fire"
        return f"{listed(inputs['firers'])} {verb} at {inputs['target']}{how}: {'; '.join(shots)}"
    if is_shot(finding):
        return f"{inputs['firer']} is too late: the target is gone"
    if "firer" in inputs:
        return f"{inputs['firer']} spots {inputs['target']} now"
    if "target" in inputs:
        itself = " on overwatch itself" if finding.result == "fired-on-overwatch" else ""
        return f"{inputs['target']} has fired{itself}"
    if "replaces" in inputs:
        return f"{inputs['unit']} gets a Spot/Fire marker"
    return f"{inputs['unit']} is {finding.result} at once"


def is_shot(finding: Finding) -> bool:
    """4.4.1 A shot of a group, fired or too late."""
    return finding.rule == "4.4.3.2" or finding.result == "too-late"


def shot_said(shot: Finding) -> str:
    """A shot in short: firer, range, modifiers, roll and effect."""
    firer = shot.inputs["firer"]
    if shot.rule != "4.4.3.2":
        return f"{firer} {EFFECT['too-late']}"
    said = [f"{firer} {range_said(shot)}"]
    roll = child(shot, "4.4.3.2.3")
    if roll is not None:
        said.append(roll_said(roll))
    if shot.result in EFFECT and shot.result != "miss":
        said.append(f"{armour_said(shot)}{EFFECT[shot.result]}")
    return ", ".join(said)


def range_said(shot: Finding) -> str:
    distance, factor, net = (child(shot, rule) for rule in ("3.5", "4.4.3.2.1", "4.4.3.2.2"))
    if distance is None or factor is None or net is None:
        return ""
    rows = f" ({modifiers_of(net)})" if net.modifiers else ""
    return f"range {distance.result} ({factor.result}), net {signed(net.result)}{rows}"


def roll_said(roll: Finding) -> str:
    """4.4.3.2.3 The number needed and the roll."""
    if not roll.dice:
        number = roll.inputs.get("hit_number", roll.result)
        return f"{number} or less" if number else "no chance to hit"
    return f"{roll.inputs['hit_number']} or less; rolled {roll.dice[0]}: {roll.result}"


def armour_said(shot: Finding) -> str:
    through = child(shot, "4.4.3.2.5")
    if through is None:
        return ""
    inputs = through.inputs
    return f"{inputs['aspect']} armour {inputs['armour']}, penetration {inputs['penetration']}: "


@tells("4.4.3.2")
def shot(finding: Finding) -> str:
    return f"{finding.inputs['weapon']} at {finding.inputs['target']}: {shot_said(finding)}"


@tells("4.4.3.1")
def field_of_fire(finding: Finding) -> str:
    if "field" not in finding.inputs:
        return plainly(finding)
    bears = "bears" if finding.result else "does not bear"
    return f"the weapon (turret {finding.inputs['turret']}, field {finding.inputs['field']}) {bears}"


@tells("4.4.3.2.1")
def range_factor(finding: Finding) -> str:
    return f"range {finding.inputs['range']} is {finding.result} ({value(finding.inputs['ranges'])})"


@tells("4.4.3.2.2")
def hit_modifiers(finding: Finding) -> str:
    if finding.rule == "4.4.3.2.2":
        return f"net modifier {signed(finding.result)} ({modifiers_of(finding)})"
    if finding.modifiers:
        return modifiers_of(finding)
    if finding.result == "no-effect":
        return f"{finding.inputs['unit']} shows nothing"
    if finding.result in COMMAND:
        return f"{finding.inputs['unit']} shows {COMMAND[finding.result]} and counts as moving"
    return plainly(finding)


@tells("4.4.3.2.3")
def hit_roll(finding: Finding) -> str:
    factor, net = finding.cell or ("", 0)
    return f"hit roll: {factor}, net {signed(finding.inputs.get('net', net))}: {roll_said(finding)}"


@tells("4.4.3.2.4")
def hit_angle(finding: Finding) -> str:
    chosen = f", chosen by {finding.inputs['chosen_by']}" if "chosen_by" in finding.inputs else ""
    return f"the shot meets the {finding.result}{chosen}"


@tells("4.4.3.2.5")
def penetration(finding: Finding) -> str:
    inputs = finding.inputs
    through = "goes through" if finding.result else "does not go through"
    return f"penetration {inputs['penetration']} against {inputs['aspect']} armour {inputs['armour']}: {through}"


@tells("4.4.3.2.6")
def damage(finding: Finding) -> str:
    inputs = finding.inputs
    if "difference" in inputs:
        return f"penetration less armour is {signed(inputs['difference'])}: {EFFECT[finding.result]}"
    if "hex" in inputs:
        kind = "brewed-up" if finding.result.startswith("bu") else "knocked-out"
        return f"{inputs['unit']} is eliminated in {inputs['hex']} and leaves a {kind} wreck"
    if "damaged_before" in inputs:
        twice = ", and was so already" if inputs["damaged_before"] else ""
        return f"{inputs['unit']} is damaged{twice}: {EFFECT[finding.result]}"
    return EFFECT.get(finding.result, str(finding.result))


# --- movement ------------------------------------------------------------------------------------------------


@tells("4.5")
def movement_phase(finding: Finding) -> str:
    if finding.rule == "4.5" and "player" in finding.inputs:
        return f"{display_name(finding.inputs['side'])} movement, {finding.inputs['player']} player"
    if finding.result == "moves":
        return f"{finding.inputs['target']} is moving"
    return f"movement: {' then '.join(finding.inputs['order'])}" if "order" in finding.inputs else plainly(finding)


@tells("4.5.1")
def spot_move(finding: Finding) -> str:
    return f"{finding.inputs['unit']} gets a Spot/Move marker"


@tells("4.5.1.1")
def move(finding: Finding) -> str:
    inputs = finding.inputs
    match finding.result:
        case "unfinished":
            return f"{inputs['unit']} {inputs['order']}: failed, {inputs['why']} ({inputs['by']})"
        case "begins":
            where = f" in {inputs['hex']}" if inputs["hex"] else " from outside the map"
            rate = " at the path or road rate" if inputs["mode"] == "road" else ""
            return f"{inputs['unit']} ({COMMAND[inputs['command']]}) begins to move{where}{rate}"
        case "ends":
            return f"{inputs['unit']} ends its move in {inputs['hex']}, facing {inputs['facing']}"
    why = "; ".join(str(reason.result) for reason in finding.children)
    return (
        f"{inputs['unit']} cannot continue as ordered ({why}): it does {' '.join(finding.result) or 'nothing more'}"
    )


@tells("4.5.1.1.1")
def allowance(finding: Finding) -> str:
    inputs = finding.inputs
    if isinstance(finding.result, dict):
        usable = "/".join(str(finding.result[rate]) for rate in ("cross", "path", "road"))
        return f"{inputs['unit']} moves {inputs['factor']}: {usable} points across country, by path, by road"
    return f"{inputs['unit']} is damaged: {finding.result} of {inputs['left']} movement points are left"


@tells("4.5.1.1.2", "4.5.1.1.3", "4.5.1.1.4", "4.5.1.1.5")
def step(finding: Finding) -> str:
    inputs = finding.inputs
    if "step" in inputs:
        return f"{inputs['unit']} {STEP.get(inputs['step'], inputs['step'])} {inputs['hex']} ({spent(finding)})"
    if "what" in inputs:
        return f"{inputs['what']}: {finding.result}"
    return plainly(finding)


def spent(finding: Finding) -> str:
    points = "1 point" if finding.result == 1 else f"{finding.result} points"
    return f"{points}, {finding.inputs['spent']} of {finding.inputs['allowance']} spent"


@tells("4.5.1.1.7")
def reverse(finding: Finding) -> str:
    return f"in reverse {finding.inputs['times']} times the cost: {finding.result}"


@tells("4.5.1.1.8")
def no_move(finding: Finding) -> str:
    return f"{finding.inputs['unit']} stays in {finding.inputs['hex']}, facing {finding.inputs['facing']}: a no-move"


@tells("4.5.1.1.9")
def leaves(finding: Finding) -> str:
    if "edge" not in finding.inputs:
        return plainly(finding)
    return f"{finding.inputs['unit']} leaves the map by the {finding.inputs['edge']} edge ({spent(finding)})"


@tells("4.5.1.1.10")
def makes_room(finding: Finding) -> str:
    if "what" in finding.inputs or "unit" not in finding.inputs:
        return plainly(finding)
    back = f"goes back to {finding.result}" if finding.result else "goes back off the map"
    return f"{finding.inputs['unit']} cannot stay with an enemy in {finding.inputs['hex']} and {back}"


# --- the end of the turn -------------------------------------------------------------------------------------


@tells("4.6")
def adjustment_phase(finding: Finding) -> str:
    return f"end of turn {finding.inputs['turn']}"


@tells("4.6.1")
def counters(finding: Finding) -> str:
    if finding.result == "revealed":
        turned_up = [found for found in finding.children if "command" not in found.inputs]
        hidden = [f"{found.inputs['unit']} {COMMAND[found.result]}" for found in turned_up]
        return f"counters turned up: {', '.join(hidden) or 'none'}"
    if "command" in finding.inputs:
        command = COMMAND[finding.inputs["command"]]
        return f"{finding.inputs['unit']} has not used its {command} and gets a Spot/{finding.result.title()} marker"
    return f"{finding.inputs['unit']} had {COMMAND[finding.result]}"


@tells("3.6")
def objective(finding: Finding) -> str:
    inputs = finding.inputs
    if "before" in inputs:
        since = "still" if finding.result == inputs["before"] else "now"
        holder = f"held by the {display_name(finding.result)} side" if finding.result else "not held"
        return f"{inputs['objective']} is {since} {holder}"
    if "side" in inputs:
        parts = ", ".join(f"{name} {inputs[name]}" for name in ("objectives", "eliminated", "exited"))
        return f"the {display_name(inputs['side'])} side has {finding.result} points ({parts})"
    start = display_name(inputs["held_at_start"] or "neither")
    end = listed([display_name(side) for side in inputs["held_at_end"] or ["neither"]])
    return f"{inputs['objective']}: there when the turn began: {start}; at its end: {end}"


@tells("4.6.2")
def end_of_turn(finding: Finding) -> str:
    if finding.result == "next-turn":
        return f"turn {finding.inputs['turn']} begins"
    points = ", ".join(f"{display_name(found.inputs['side'])} {found.result}" for found in finding.children)
    level = f", {finding.inputs['level']}" if finding.inputs.get("level") else ""
    end = f"the {display_name(finding.result)} side wins" if finding.result else "a draw"
    return f"the match is over: {end}{level} ({points})"


# --- automatic answers ---------------------------------------------------------------------------------------


SOURCE: Final = {"plan": "your orders", "doctrine": "your standing orders", "default": "the rules' default"}
