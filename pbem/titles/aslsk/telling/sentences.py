"""Findings in words: one sentence for each rule with words of its own."""

from __future__ import annotations

from typing import Any, Final

from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import Message
from pbem.engine.text.sentences import Teller, Telling, listed, modifiers_of, signed, value
from pbem.titles.aslsk.ground.lattice import SPINES
from pbem.titles.aslsk.telling.vehicles import add_vehicle_sentences
from pbem.titles.aslsk.terms import ALL_TERMS


class AslskTelling(Telling):
    """A failed order is reported in the same words for every rule."""

    def teller_of(self, rule: str) -> Teller:
        usual = super().teller_of(rule)

        def told(finding: Finding) -> Message | str:
            if is_failure(finding):
                return failed_words(finding)
            return see_term(finding) if rule in ALL_TERMS and finding.result is None else usual(finding)

        return told

    def number(self, rule: str) -> str:
        """Definitions are chapter 2 of the book."""
        return "2" if rule.startswith("def/") else super().number(rule)


def see_term(finding: Finding) -> str:
    """A term, list or procedure that a finding rests on: `see “Acquired target”`."""
    usual = finding.rule.partition("/")[2].replace("-", " ")
    return f"see “{LISTS.get(finding.rule, usual)}”"


TELLING: Final = AslskTelling()
add_vehicle_sentences(TELLING)
SHELLS: Final = {"H": "HEAT", "A": "APCR", "D": "APDS"}
LISTS: Final = {
    "1.1.1.1": "Open Ground",
    "1.4": "dice",
    "3.2.3/check-order": "order of checks",
    "3.2.3/random-selection": "random selection",
    "3.2.4/facing-arithmetic": "target facing",
    "3.2.4/known-th-drm": "To Hit DRM",
    "3.2.4/procedure": "hit procedure",
    "3.3.3/window": "the DEFENDER's window",
    "3.8/sequence-infantry": "sequence of close combat",
    "4.3": "demolition charges",
    "4.5": "light mortars",
    "5.1/nationality-chart": "nationality chart",
    "6.0": "ordnance",
    "6.2/apcr-apds": "APCR and APDS",
    "7.0": "vehicles",
    "11/expenditure-order": "order of an expenditure",
    "11/fire-state": "fire markers",
    "11/hidden-information": "hidden information",
    "11/ift-drm": "list of IFT DRM",
    "11/one-tem": "one TEM",
    "11/set-up": "set-up",
}
"""The lists and procedures that findings refer to."""
PHASES: Final = {
    "rally": "Rally Phase",
    "prep": "Prep Fire Phase",
    "movement": "Movement Phase",
    "defensive": "Defensive Fire Phase",
    "advancing": "Advancing Fire Phase",
    "rout": "Rout Phase",
    "advance": "Advance Phase",
    "close_combat": "Close Combat Phase",
}


def failed_words(finding: Finding) -> str:
    """An order that did not come true, for its owner."""
    why = "; ".join(finding.inputs["why"])
    part = "was carried out only in part" if finding.inputs.get("partly") else "was not carried out"
    return f"your order “{finding.inputs['order']}” {part}: {why}"


def is_failure(finding: Finding) -> bool:
    return "order" in finding.inputs and "why" in finding.inputs


def dice_words(finding: Finding) -> str:
    """The dice, and the Final DR if modifiers change it."""
    rolled = sum(finding.dice)
    drm = sum(row["value"] for row in finding.modifiers)
    said = f"rolled {value(list(finding.dice))}"
    return f"{said} with {modifiers_of(finding)}: {rolled + drm}" if finding.modifiers else said


def side(seat: str) -> str:
    """A side as an adjective: `German`."""
    return seat.replace("_", " ").title()


def verb(subjects: list[str], plural: str, singular: str = "") -> str:
    """Subjects with their verb in the right number."""
    return f"{listed(subjects)} {plural if len(subjects) > 1 else singular or plural + 's'}"


def results_words(result: Any) -> str:
    """The results of an attack by unit."""
    if not isinstance(result, dict):
        return str(result)
    groups: dict[str, list[str]] = {}
    for unit, cell in result.items():
        groups.setdefault(cell, []).append(unit)
    return "; ".join(f"{cell} against {listed(units)}" for cell, units in groups.items()) or "no unit is hit"


@TELLING.tells("3.2.2", "3.3.3/sff", "3.3.3/fpf")
def fire(finding: Finding) -> str:
    inputs = finding.inputs
    if inputs.get("nmc"):
        return f"{inputs['unit']} takes the NMC of protective fire (morale {inputs['morale']}): {finding.result}"
    manner = {"3.3.3/sff": " as Subsequent First Fire", "3.3.3/fpf": " as Final Protective Fire"}.get(
        finding.rule, ""
    )
    led = f", directed by {listed(inputs['leaders'])}" if inputs["leaders"] else ""
    cowers = ", cowering" if finding.cell["cowered"] else ""
    blind = f" ({listed(inputs['no_sight'])} without line of sight)" if "no_sight" in inputs else ""
    kept = f"; {listed(inputs['kept_rate'])} may fire again" if "kept_rate" in inputs else ""
    column = finding.cell["used"] or "none"
    return (
        f"{verb(inputs['firers'], 'fire')} at {inputs['at']}{manner}{led}{blind}: {inputs['fp']} FP, "
        f"column {column}{cowers}, {dice_words(finding)}: {results_words(finding.result)}{kept}"
    )


@TELLING.tells("3.2.4")
def ordnance(finding: Finding) -> str:
    inputs = finding.inputs
    led = f", directed by {listed(inputs['leaders'])}" if inputs["leaders"] else ""
    if inputs["no_sight"]:
        return f"{inputs['unit']} fires {inputs['weapon']} at {inputs['at']} without line of sight"
    who = f" {listed(inputs['hit'])}" if inputs["hit"] else ""
    extra = f" ({inputs['how']})" if inputs.get("how") else ""
    extra += " as Intensive Fire" if inputs.get("intensive") else ""
    return (
        f"{inputs['unit']} fires {inputs['weapon']}{extra} at {inputs['at']}{led} ({inputs['number']} or less), "
        f"{dice_words(finding)}: {finding.result}{who}"
    )


@TELLING.tells("3.2.4/itt", "3.2.4/att")
def target_kind(finding: Finding) -> str:
    return f"{finding.result} target at {finding.inputs['range']} hexes"


@TELLING.tells("3.2.4/red-black")
def colour(finding: Finding) -> str:
    return f"{finding.result} To Hit numbers"


@TELLING.tells("3.2.4/th-numbers")
def hit_number(finding: Finding) -> str:
    return f"To Hit {finding.result}"


@TELLING.tells("3.2.4/rof-reduction")
def lowered_rate(finding: Finding) -> str:
    return (
        f"the rate of fire of {finding.inputs['weapon']} is {finding.result} instead of {finding.inputs['printed']}"
    )


@TELLING.tells("3.2.4/vtt")
def at_vehicle(finding: Finding) -> str:
    inputs = finding.inputs
    led = f", directed by {listed(inputs['leaders'])}" if inputs["leaders"] else ""
    told = f"{inputs['unit']} fires {inputs['weapon']} at {inputs['vehicle']} in {inputs['at']}{led}"
    if inputs["no_sight"]:
        return f"{told} without line of sight"
    shell = f" with {SHELLS.get(inputs['how'], inputs['how'])}" if inputs["how"] else ""
    extra = " as Intensive Fire" if inputs["intensive"] else ""
    return f"{told}{shell}{extra} ({inputs['number']} or less), {dice_words(finding)}: {finding.result}"


@TELLING.tells("3.2.4/covered-arc", "3.2.4/ca-change-without-fire")
def faces(finding: Finding) -> str:
    return f"{finding.inputs['weapon']} turns to face {SPINES[finding.result]}"


@TELLING.tells("6.4/loss", "6.4/attack-on-hidden")
def found(finding: Finding) -> str:
    return f"{finding.inputs['unit']} is no longer hidden: {finding.result}"


@TELLING.tells("6.4")
def hidden(finding: Finding) -> str:
    inputs = finding.inputs
    if "seat" in inputs:
        placed = ", ".join(f"{unit} {hex}" for unit, hex in inputs["units"].items())
        return f"you set up in secret: {placed}"
    if finding.result == "goes back":
        return f"{verb(inputs['units'], 'run', 'runs')} into a hidden Gun in {inputs['at']} and goes back"
    return f"{inputs['unit']} with {inputs['weapon'] or 'its Gun'} is found in {inputs['at']}: {inputs['why']}"


@TELLING.tells("6.5")
def pushed(finding: Finding) -> str:
    inputs = finding.inputs
    told = f"push {inputs['weapon']} to {inputs['to']} (M{inputs['number']})"
    return f"{listed(inputs['units'])} {told}, {dice_words(finding)}: it {finding.result}"


@TELLING.tells("6.2")
def shells(finding: Finding) -> str:
    left = "fires the last of its" if finding.result == "the last" else "has no"
    return f"{finding.inputs['weapon']} {left} {finding.inputs['ammunition']} ammunition"


@TELLING.tells("6.2/smoke")
def smoke_shell(finding: Finding) -> str:
    return f"{finding.inputs['weapon']} places smoke in {finding.inputs['at']} ({finding.result.replace('_', ' ')})"


@TELLING.tells("6.7")
def gun_hit(finding: Finding) -> str:
    return f"{finding.inputs['weapon']}: {finding.result}"


@TELLING.tells("3.2.4/effects", "6.1")
def ordnance_effect(finding: Finding) -> str:
    kind = "critical hit" if finding.rule == "6.1" else "hit"
    return f"{kind} on column {finding.cell['used']}, {dice_words(finding)}: {results_words(finding.result)}"


@TELLING.tells("6.10", "6.11")
def acquired(finding: Finding) -> str:
    return f"{finding.inputs['weapon']} has acquired {finding.inputs['at']} ({finding.result})"


@TELLING.tells("3.3.5")
def residual(finding: Finding) -> str:
    if not finding.inputs.get("attack"):
        return f"{finding.result} Residual FP stays in {finding.inputs['at']}"
    return (
        f"Residual FP {finding.cell['column']} in {finding.inputs['at']} attacks {listed(finding.inputs['units'])}, "
        f"{dice_words(finding)}: {results_words(finding.result)}"
    )


@TELLING.tells("3.2.3/nmc", "3.2.3/mc", "3.2.3/llmc", "3.6/interdiction", "6.2/wp")
def check(finding: Finding) -> str:
    inputs = finding.inputs
    if "by" in inputs:
        return f"{listed(inputs['by'])} interdict {inputs['unit']} in {inputs['at']}"
    if "morale" not in inputs:
        return f"{inputs['unit']} is {finding.result}"
    verdicts = {"passed": "passes", "pinned": "passes exactly", "failed": "fails", "disaster": "fails with a 12"}
    return f"{inputs['unit']} {verdicts[finding.result]} (morale {inputs['morale']}), {dice_words(finding)}"


@TELLING.tells("3.2.3/ptc", "3.2.3/lltc")
def pin_check(finding: Finding) -> str:
    inputs = finding.inputs
    done = "passes its pin check" if finding.result == "passed" else "fails its pin check"
    return f"{inputs['unit']} {done} (morale {inputs['morale']}), {dice_words(finding)}"


@TELLING.tells("3.2.3/pin", "3.2.3/kia", "3.2.3/k", "3.2.3/dm-placement")
def state(finding: Finding) -> str:
    words = {"DM": "under DM", "pinned": "pinned"}
    return f"{finding.inputs['unit']} is {words.get(str(finding.result), finding.result)}"


@TELLING.tells("3.2.3/casualty-reduction", "5.1")
def replaced(finding: Finding) -> str:
    if finding.result == "eliminated":
        return f"{finding.inputs['unit']} ({finding.inputs['name']}) is eliminated"
    return f"{finding.inputs['unit']} ({finding.inputs['name']}) becomes a {finding.result}"


@TELLING.tells("3.2.3/wounds")
def wounds(finding: Finding) -> str:
    rolled = f" (rolled {finding.dice[0]})" if finding.dice else ""
    return f"{finding.inputs['unit']} is {finding.result}{rolled}"


@TELLING.tells("3.1/e-self-rally", "3.1/f-rally")
def rally(finding: Finding) -> str:
    inputs = finding.inputs
    led = f" led by {inputs['leader']}" if inputs["leader"] else " by itself"
    words = {"rallied": "rallies", "casualties": "suffers casualties", "still broken": "stays broken"}
    return f"{inputs['unit']} {words[finding.result]}{led} (morale {inputs['morale']}), {dice_words(finding)}"


@TELLING.tells("3.1/h-dm-removal")
def dm(finding: Finding) -> str:
    return f"DM of {finding.inputs['unit']}: {finding.result}"


@TELLING.tells("3.3.1")
def entered(finding: Finding) -> str:
    inputs = finding.inputs
    start = f" from {inputs['from']}" if inputs["from"] else ""
    return f"{verb(inputs['units'], 'move')}{start} to {inputs['to']} ({inputs['mf']} MF)"


@TELLING.tells("3.3.1/declaration")
def declared(finding: Finding) -> str:
    inputs = finding.inputs
    gait = " in Assault Movement" if inputs.get("assault") else " at Double Time" if inputs.get("double") else ""
    place = f" in {inputs['at']}" if inputs["at"] else ""
    if not inputs["units"]:
        return "no unit is left to move"
    if finding.result == "starts to move":
        return f"{verb(inputs['units'], 'start')} to move{gait}{place}"
    return f"{verb(inputs['units'], 'end their move', 'ends its move')}{place}"


@TELLING.tells("3.3.1/smoke-grenades")
def smoke(finding: Finding) -> str:
    inputs = finding.inputs
    needed = f"{finding.dice[0]}, {inputs['exponent']} or less"
    return f"{inputs['unit']} throws smoke at {inputs['at']} ({needed}): {finding.result}"


@TELLING.tells("3.6/rout-movement", "3.6/low-crawl")
def routs(finding: Finding) -> str:
    done = "crawls" if finding.rule == "3.6/low-crawl" else "routs"
    return f"{finding.inputs['unit']} {done} from {finding.inputs['from']} to {finding.inputs['to']}"


@TELLING.tells("3.6/must-rout", "3.6/may-rout", "3.6/leader-rout", "3.3/entry-exit")
def rout_end(finding: Finding) -> str:
    why = " for failure to rout" if finding.rule == "3.6/must-rout" else ""
    words = {"eliminated": f"is eliminated{why}", "stays": "stays where it is", "left the map": "leaves the map"}
    return f"{finding.inputs['unit']} {words.get(str(finding.result), finding.result)}"


@TELLING.tells("3.7")
def advanced(finding: Finding) -> str:
    tired = finding.inputs.get("cx")
    cx = f"; CX: {listed(tired)}" if tired else ""
    return f"{verb(finding.inputs['units'], 'advance')} to {finding.result}{cx}"


@TELLING.tells("3.8/ambush")
def ambush(finding: Finding) -> str:
    finals = ", ".join(f"{side(seat)} {final}" for seat, final in finding.inputs["finals"].items())
    result = "no ambush" if finding.result == "no ambush" else f"the {side(finding.result)} side ambushes"
    return f"ambush in {finding.inputs['at']}: {finals}: {result}"


@TELLING.tells("3.8/attacks")
def combat(finding: Finding) -> str:
    inputs = finding.inputs
    if "odds" not in inputs:
        return f"{inputs['unit']} is {finding.result}"
    return (
        f"{verb(inputs['units'], 'attack')} {listed(inputs['targets'])} in {inputs['at']} at {inputs['odds']} "
        f"(kill number {finding.cell}), {dice_words(finding)}: {finding.result}"
    )


@TELLING.tells("3.8/drm")
def combat_drm(finding: Finding) -> str:
    return f"modifiers {modifiers_of(finding)}: {signed(finding.result)}"


@TELLING.tells("1.2.4.1")
def rate(finding: Finding) -> str:
    return f"{finding.inputs['weapon']} keeps its rate of fire (coloured die {finding.dice[0]})"


@TELLING.tells("1.1.1.10/crest-cost", "1.1.1.3", "1.1.1.5")
def cost_reason(finding: Finding) -> str:
    words = {"doubled": "uphill, the cost is doubled", "road rate": "entered at road rate"}
    return f"{finding.inputs['to']}: {words.get(str(finding.result), finding.result)}"


@TELLING.tells("3.8/field-promotion-in-cc")
def joins(finding: Finding) -> str:
    return f"{finding.inputs['unit']} joins the fight of {listed(finding.inputs['with'])} at once"


@TELLING.tells("5.4")
def inexperienced(finding: Finding) -> str:
    return verb(finding.inputs["units"], "are inexperienced", "is inexperienced")


@TELLING.tells("3.8/end-of-phase")
def unpinned(finding: Finding) -> str:
    return verb(finding.inputs["units"], "are no longer pinned", "is no longer pinned")


@TELLING.tells("3.2.1/declaration")
def wasted(finding: Finding) -> str:
    blind = verb(finding.inputs["firers"], "have", "has")
    return f"{blind} no line of sight to {finding.inputs['at']}: the fire is wasted"


@TELLING.tells("3.8/melee")
def melee(finding: Finding) -> str:
    return f"{finding.result} in {finding.inputs['at']}"


@TELLING.tells("3.0")
def phase(finding: Finding) -> str:
    inputs = finding.inputs
    if "phase" in inputs:
        return f"{PHASES[inputs['phase']]} of the {side(inputs['attacker'])} player turn"
    return f"turn {inputs['turn']}: the {side(inputs['attacker'])} player turn begins"


@TELLING.tells("1.3")
def set_up(finding: Finding) -> str:
    placed = ", ".join(f"{unit} {hex}" for unit, hex in finding.inputs["units"].items())
    return f"{side(finding.inputs['seat'])} set-up: {placed or 'no unit is on the map yet'}"


@TELLING.tells("3.9")
def end(finding: Finding) -> str:
    winner = "a draw" if finding.result == "draw" else f"{side(finding.result)} victory"
    return f"the scenario ends: {winner} ({finding.inputs['why']})"


@TELLING.tells("3.2.2/cowering")
def cowers(finding: Finding) -> str:
    columns = "one column" if finding.result == 1 else f"{finding.result} columns"
    return f"{verb(finding.inputs['firers'], 'cower')}: {columns} to the left"


@TELLING.tells("def/control")
def control(finding: Finding) -> str:
    return f"{finding.result} takes control of {finding.inputs['place']}"


@TELLING.tells("4.0/drop-recover", "3.6/rout-portage", "3.1/d-transfer")
def possession(finding: Finding) -> str:
    done = "drops" if finding.result == "dropped" else "takes over"
    return f"{finding.inputs['unit']} {done} {finding.inputs['weapon']}"


@TELLING.tells("3.1/b-recovery", "3.3.1/recovery")
def recovery(finding: Finding) -> str:
    done = "recovers" if finding.result == "recovered" else "does not recover"
    return f"{finding.inputs['unit']} {done} {finding.inputs['weapon']} (rolled {finding.dice[0]})"


@TELLING.tells("4.1/breakdown", "6.12", "4.0/weapon-destruction", "3.1/c-repair")
def wrecked(finding: Finding) -> str:
    words = {"removed": "is lost for good", "malfunctions": "malfunctions", "unharmed": "is unharmed"}
    rolled = f" (rolled {value(list(finding.dice))})" if finding.dice else ""
    words |= {"repaired": "is repaired", "not repaired": "is not repaired"}
    return f"{finding.inputs['weapon']} {words[str(finding.result)]}{rolled}"


@TELLING.tells("4.3/placement")
def charge(finding: Finding) -> str:
    done = "is set in" if finding.result == "placed" else "is being set in"
    return f"{finding.inputs['weapon']} {done} {finding.inputs['at']}"


@TELLING.tells("4.3/vs-afv")
def set_on_vehicle(finding: Finding) -> str:
    inputs = finding.inputs
    if not finding.dice:
        return f"the charge {inputs['weapon']} misses {inputs['vehicle']}"
    return f"the charge {inputs['weapon']} on {inputs['vehicle']} lies: {finding.result} ({dice_words(finding)})"


@TELLING.tells("4.3/detonation")
def detonation(finding: Finding) -> str:
    if finding.inputs["dud"]:
        return f"the charge {finding.inputs['weapon']} in {finding.inputs['at']} is a dud"
    place = f"{finding.inputs['weapon']} explodes in {finding.inputs['at']}"
    return f"the charge {place}, {dice_words(finding)}: {results_words(finding.result)}"


@TELLING.tells("5.3")
def promoted(finding: Finding) -> str:
    if not finding.dice:
        return f"{finding.inputs['unit']} ({finding.result}) appears in {finding.inputs['at']}"
    made = "no leader emerges" if finding.result == "none" else f"a {finding.result} leader emerges"
    return f"{made} from {finding.inputs['unit']} ({dice_words(finding)})"


@TELLING.tells("3.1/a-reinforcements")
def reinforcements(finding: Finding) -> str:
    return f"{verb(finding.inputs['units'], 'may enter', 'may enter')} in this turn"


@TELLING.tells("3.3.3/status-during-dff")
def no_assault(finding: Finding) -> str:
    return f"{finding.inputs['unit']} is {finding.result}"


@TELLING.tells("4.0/weapon-penalties")
def worn(finding: Finding) -> str:
    return f"{finding.inputs['weapon']} breaks down on {finding.result} instead of {finding.inputs['printed']}"
