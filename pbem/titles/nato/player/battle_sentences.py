"""25-37 Sentences about battles, the theatre, cities and victory."""

from __future__ import annotations

from typing import Any, Final

from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import Message, Name, Signed, Value, agree, fill, pattern, say, several, term
from pbem.engine.text.sentences import data, names
from pbem.titles.nato.cards.charts import result_in_words
from pbem.titles.nato.commands.ceasefire import line_of, proposals
from pbem.titles.nato.map.ground import COUNTRY_NAMES
from pbem.titles.nato.player.movement_sentences import STATES, reasons, rows, tells
from pbem.titles.nato.player.words import factor, side, subject, word
from pbem.titles.nato.state import NatoState

# --- battles ---------------------------------------------------------------------------------------------------


@tells("25.0")
def tell_marked(finding: Finding) -> Message:
    if gone := finding.inputs.get("removed"):
        return say(
            "The battle markers in {hexes} are removed: no target or no attacker is left.",
            hexes=names(gone),
        )
    return say("{side} will attack {hexes}.", side=subject(finding.inputs["side"]), hexes=names(finding.result))


@tells("6.0/battle", "6.0/objective-hex", "27.0")
def fought_over(finding: Finding) -> Message:
    if finding.rule == "27.0":
        return say("The assault is made inside {hex} itself.", hex=finding.result)
    return say("The battle is for {hex}.", hex=finding.result)


@tells("25.1.1")
def tell_committed(finding: Finding) -> Message:
    given, units = finding.inputs, finding.result
    args = {"units": names(units), "objective": given["objective"]}
    if given["support"]:
        return agree(
            "{units} attacks {objective} with Offensive Support from {hq}.",
            "{units} attack {objective} with Offensive Support from {hq}.",
            n=len(units),
            hq=given["support"],
            **args,
        )
    return agree("{units} attacks {objective}.", "{units} attack {objective}.", n=len(units), **args)


@tells("25.6")
def tell_meaning(finding: Finding) -> Message:
    code = str(finding.inputs["result"])
    return say("The result {code} means: {result}.", code=code, result=result_in_words(code))


@tells("25.1.2")
def tell_response(finding: Finding) -> Message:
    given = finding.inputs
    return say(
        "{unit} responds from {start} into {end}.", unit=given["unit"], start=given["from"], end=finding.result
    )


@tells("26.1.5", "26.2.5")
def defending(finding: Finding) -> Message:
    return agree(
        "{units} defends {hex}; the other units in the hex cannot coordinate with it.",
        "{units} defend {hex}; the other units in the hex cannot coordinate with them.",
        n=len(finding.result),
        units=names(finding.result),
        hex=finding.inputs["objective"],
    )


def strengths(found: Any) -> Value:
    """Describe the strength of each unit with its multipliers."""
    said = []
    for row in found:
        if row["factors"]:
            factors = several(map(factor, row["factors"]), "unit")
            said.append(say("{who} {counts} ({factors})", who=row["who"], counts=row["counts"], factors=factors))
        else:
            said.append(say("{who} {counts}", who=row["who"], counts=row["counts"]))
    return several(said) if said else term("nato strength", "no unit")


@tells("25.5.2")
def battle(finding: Finding) -> Message:
    given, (final, die) = finding.inputs, finding.cell
    args = {
        "place": given["place"],
        "attack": given["attack"],
        "attackers": strengths(given["attackers"]),
        "defense": given["defense"],
        "defenders": strengths(given["defenders"]),
        "basic": given["basic"],
        "final": final,
        "die": die,
        "result": finding.result,
    }
    if finding.modifiers:
        return say(
            "Battle for {place}: attack {attack} from {attackers}; defense {defense} from {defenders}; odds {basic}, "
            "shifts {rows}, net {net}, final odds {final}; die {die}: {result}.",
            **args,
            rows=rows(finding),
            net=Signed(given["net"]),
        )
    return say(
        "Battle for {place}: attack {attack} from {attackers}; defense {defense} from {defenders}; odds {basic}, "
        "final odds {final}; die {die}: {result}.",
        **args,
    )


@tells("25.3.4.1", "25.3.4.2", "25.3.4.3", "25.3.4.4", "25.3.4.5", "25.3.4.6", "25.4")
def tell_shift(finding: Finding) -> Message:
    return say("Shift for {shift}: {value}.", shift=word(finding.inputs["shift"]), value=Signed(finding.result))


@tells("25.6.2")
def tell_counterattack(finding: Finding) -> Message:
    given = finding.inputs
    args = {"unit": given["unit"], "target": given["target"], "die": finding.dice[0], "least": given["least"]}
    if finding.result == "disrupted":
        return say("{unit} counterattacks {target} (die {die}, {least} or more needed): disrupted.", **args)
    return say("{unit} counterattacks {target} (die {die}, {least} or more needed): no effect.", **args)


LOSSES: Final = {
    "retreat": pattern("{unit} in {at} loses a step in retreat and is {state}."),
    "given up": pattern("{unit} in {at} loses a step rather than retreat and is {state}."),
    "strike": pattern("{unit} in {at} loses a step to a strike and is {state}."),
    "nuclear strike": pattern("{unit} in {at} loses a step to a nuclear strike and is {state}."),
    "": pattern("{unit} in {at} loses a step and is {state}."),
}


@tells("25.6.3", "25.7", "25.7.4.1", "23.3.2", "21.1.1/loss", "22.2.3/loss")
def step_lost(finding: Finding) -> Message:
    given = finding.inputs
    state = STATES.get(finding.result, finding.result)
    return fill(LOSSES.get(given["why"], LOSSES[""]), {"unit": given["unit"], "at": given["at"], "state": state})


@tells("25.7.2")
def tell_held(finding: Finding) -> Message:
    given = finding.inputs
    return say(
        "The terrain of {objective} reduces the retreat from {before} to {after}.",
        objective=given["objective"],
        before=data(given["result"]),
        after=data(finding.result),
    )


@tells("25.7.3")
def tell_retreat(finding: Finding) -> Message:
    units = finding.inputs["units"]
    return agree(
        "{units} retreats through {path}.",
        "{units} retreat through {path}.",
        n=len(units),
        units=names(units),
        path=" ".join(finding.inputs["path"]),
    )


@tells("25.8.1", "25.8.2")
def tell_advance(finding: Finding) -> Message:
    args = {"unit": finding.inputs["unit"], "start": finding.inputs["from"], "end": finding.result}
    if finding.rule == "25.8.2":
        return say("{unit} exploits from {start} to {end}.", **args)
    return say("{unit} advances from {start} to {end}.", **args)


@tells("25.9.1", "25.9.2")
def broken_through(finding: Finding) -> Message:
    hex = finding.inputs.get("objective", finding.result)
    return say("{side} has broken through in {hex}.", side=subject(finding.inputs["side"]), hex=hex)


# --- theatre -----------------------------------------------------------------------------------------------------


@tells("35.2", "35.2.1", "35.3.1")
def tell_activation(finding: Finding) -> Message:
    return agree(
        "{units} is activated.", "{units} are activated.", n=len(finding.result), units=names(finding.result)
    )


@tells("36")
def withdrawn(finding: Finding) -> Message:
    return say("{unit} is withdrawn from {place}.", unit=finding.inputs["unit"], place=finding.inputs["at"])


@tells("33.3.1")
def reforger(finding: Finding) -> Message:
    return say(
        "The crews of {unit} have arrived at its Reforger site in {hex}.",
        unit=finding.inputs["unit"],
        hex=finding.result,
    )


@tells("33.3.3.1")
def site_struck(finding: Finding) -> Message:
    return say(
        "A strike on the Reforger site of {unit}: die {die}, modifiers {rows}: {result}.",
        unit=finding.inputs["unit"],
        die=finding.dice[0],
        rows=rows(finding),
        result=word(str(finding.result)),
    )


@tells("33.3.2")
def overrun(finding: Finding) -> Message:
    given = finding.inputs
    return say("The Reforger site of {unit} in {hex} is overrun.", unit=given["unit"], hex=given["hex"])


COUNTRIES: Final = {
    "DK": term("country", "Denmark"),
    "WG": term("country", "West Germany"),
    "NL": term("country", "the Netherlands"),
    "BE": term("country", "Belgium"),
    "LU": term("country", "Luxembourg"),
    "FR": term("country", "France"),
    "EG": term("country", "East Germany"),
    "PL": term("country", "Poland"),
    "CS": term("country", "Czechoslovakia"),
}
BY_NAME: Final = {name: COUNTRIES[str(code)] for code, name in COUNTRY_NAMES.items()}


def country(found: object) -> Value:
    return COUNTRIES.get(str(found)) or BY_NAME.get(str(found)) or Name(str(found))


@tells("32.1", "32.3")
def surrender(finding: Finding) -> Message:
    if finding.rule == "32.1":
        return say("The government of {country} surrenders.", country=country(finding.inputs["country"]))
    return say("NATO restores {country}.", country=country(finding.inputs["country"]))


@tells("32.2.1")
def tell_removal(finding: Finding) -> Message:
    given = finding.inputs
    if "hex" in given:
        return say(
            "{unit} takes {city} ({hex}), which stays conquered: its country has surrendered.",
            unit=given["unit"],
            city=given["city"],
            hex=given["hex"],
        )
    return say(
        "The units of {country} leave the war because it has surrendered: {units}.",
        country=country(given["country"]),
        units=names(finding.result),
    )


JOINT_POINTS: Final = {
    "35.3.7": pattern("NATO scores {result} VP for moving slowly to its battle positions."),
    "34.3.3": pattern("NATO scores {result} VP for chemical warfare."),
    "37.6.1": pattern("NATO scores {result} VP for forward defense."),
    "34.3.1": pattern("NATO scores {result} VP for Warsaw Pact cities in its hands."),
}


@tells(*JOINT_POINTS)
def joint_points(finding: Finding) -> Message:
    return fill(JOINT_POINTS[finding.rule], {"result": data(finding.result)})


@tells("35.8.1", "35.8.2.4")
def shares(finding: Finding) -> Message:
    said = []
    for seat, share in finding.result.items():
        has = [say("{number} {kind}", number=number, kind=word(kind)) for kind, number in share.items() if number]
        said.append(say("{seat} {share}", seat=seat, share=several(has) if has else term("value", "nothing")))
    return say("Shares of {side}: {said}.", side=side(finding.inputs["side"]), said=several(said, "clauses"))


@tells("35.8.4")
def handed_over(finding: Finding) -> Message:
    given = finding.inputs
    if "kind" in given:
        return say(
            "{giver} gives {taker} {number} {kind}; {taker} now has {total}.",
            giver=given["from"],
            taker=given["to"],
            number=given["number"],
            kind=word(given["kind"]),
            total=data(finding.result),
        )
    if finding.result == "returned":
        return say("The loan of {unit} has ended.", unit=given["unit"])
    if given["from"] == finding.result:
        return say("{seat} recalls {unit}.", seat=given["from"], unit=given["unit"])
    args = {"lender": given["from"], "unit": given["unit"], "borrower": finding.result}
    if given["until"]:
        return say("{lender} lends {unit} to {borrower} until turn {turn}.", **args, turn=given["until"])
    return say("{lender} lends {unit} to {borrower}.", **args)


@tells("35.8")
def command(finding: Finding) -> Message:
    given = finding.inputs
    if "unit" in given:
        return say("The order for {unit} is skipped: {reasons}.", unit=given["unit"], reasons=reasons(given["why"]))
    if "kind" in given:
        return say(
            "An order of {seat} ({kind}) is skipped: {reasons}.",
            seat=given["seat"],
            kind=word(given["kind"]),
            reasons=reasons(given["why"]),
        )
    if isinstance(finding.result, dict):
        deputies = several(
            say("{deputy} for {seat}", deputy=deputy, seat=seat) for seat, deputy in finding.result.items()
        )
        return say("{seat} names deputies: {deputies}.", seat=given["seat"], deputies=deputies)
    return say("{seat} sets the order of the seats: {seats}.", seat=given["seat"], seats=names(finding.result))


# --- cities and victory ----------------------------------------------------------------------------------------


@tells("30.2.1", "30.3.2")
def city(finding: Finding) -> Message:
    given = finding.inputs
    args = {"unit": given["unit"], "city": given["city"], "hex": given["hex"]}
    if finding.result == "conquered":
        return say("{unit} conquers {city} ({hex}).", **args)
    return say("{unit} liberates {city} ({hex}).", **args)


LEVELS: Final = {
    "nato marginal": term("nato level", "a marginal victory for NATO"),
    "nato tactical": term("nato level", "a tactical victory for NATO"),
    "nato decisive": term("nato level", "a decisive victory for NATO"),
    "wp marginal": term("nato level", "a marginal victory for the Warsaw Pact"),
    "wp tactical": term("nato level", "a tactical victory for the Warsaw Pact"),
    "wp decisive": term("nato level", "a decisive victory for the Warsaw Pact"),
    "draw draw": term("nato level", "a draw"),
}


def describe_terms(terms: str) -> Message | Value:
    """35.1.2 The terms of a ceasefire in words."""
    number, _, who = terms.partition(" ")
    if number.isdecimal():
        return say("by the points as they are now, with {number} more for {side}", number=number, side=side(who))
    if terms == "points":
        return say("by the points as they are now")
    return LEVELS.get("draw draw" if terms == "draw" else terms) or word(terms)


def describe_proposals(state: NatoState) -> list[Message]:
    """35.1.2 The open ceasefire proposals, with the line that accepts each."""
    return [
        say(
            "{side} proposes a ceasefire: {terms}. The line “{line}” accepts it.",
            side=subject(proposer),
            terms=describe_terms(one.terms),
            line=Name(line_of(one.terms)),
        )
        for proposer, one in sorted(proposals(state).items())
        if state.outcome is None
    ]


@tells("35.1.2")
def ceasefire(finding: Finding) -> Message:
    given = finding.inputs
    if finding.result == "withdrawn":
        return say("{side} withdraws its proposal of a ceasefire.", side=subject(given["side"]))
    if finding.result == "agreed":
        return say(
            "{side} accepts the ceasefire: {terms}.",
            side=subject(given["side"]),
            terms=describe_terms(given["terms"]),
        )
    return say(
        "{side} proposes a ceasefire: {terms}.", side=subject(given["side"]), terms=describe_terms(given["terms"])
    )


@tells("34.0")
def tell_end(finding: Finding) -> Message:
    given = finding.inputs
    return say(
        "The Warsaw Pact has {wp} points, NATO {nato}; margin {margin}: {level}.",
        wp=given["wp"],
        nato=given["nato"],
        margin=Signed(finding.cell),
        level=LEVELS.get(str(finding.result)) or word(str(finding.result)),
    )


@tells("34.1.1", "34.1.2.1", "34.1.2.2", "34.1.2.3")
def automatic(finding: Finding) -> Message:
    if finding.result:
        return say(
            "The match is decided on turn {turn}: {side} wins.",
            turn=finding.inputs["turn"],
            side=side(finding.result),
        )
    return say(
        "The match is decided on turn {turn}: both sides reach their goal, so it is a draw.",
        turn=finding.inputs["turn"],
    )
