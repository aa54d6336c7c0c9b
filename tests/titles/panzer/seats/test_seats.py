"""Several seats on a side, each with its own formation, in every way that a match can be played."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import pytest
from support.title_contract import TitleContract
from titles.panzer.playing import Match

from pbem.engine.play.bots import Bot
from pbem.engine.play.run import Run
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import PUBLIC, seen_by
from pbem.engine.rules.refusals import Refusal, each
from pbem.engine.rules.title import Rules, Wish
from pbem.titles.panzer.player.plan import STAY, read_plan
from pbem.titles.panzer.seats.rules import SeatedRules
from pbem.titles.panzer.state import Command, PanzerState, Status
from pbem.titles.panzer.telling.watching import pieces
from pbem.titles.panzer.title import Panzer
from pbem.tools.film_checks import fates

PZ, GE = "2nd-panzer-company", "5th-panzergrenadier-company"
TK, MS = "1st-tank-company", "motorised-smg-company"


class TestSeats(TitleContract):
    """The contract tests of every title, with one seat for each company."""

    title = Panzer()
    matches: ClassVar[tuple[tuple[str, Mapping[str, Any]], ...]] = (
        ("desert", {"edition": "2024", "table": "formations"}),
    )
    seeds = (1,)
    most_exchanges = 5

    def bot(self, rules: Rules, seed: object) -> Bot:
        assert isinstance(rules, SeatedRules)
        bots = {seat: rules.bots["steady"](f"{seed}/{seat}") for seat in rules.seats}
        return lambda rules, view, ask: bots[ask.seat](rules, view, ask)

    def board(self, view: Any) -> dict[str, Any]:
        return {id: piece.place for id, piece in pieces(view).items() if piece.place}

    def other_worlds(self, rules: Rules, state: PanzerState, viewer: str) -> Iterator[PanzerState]:
        """4.2.1 Vary the enemy's face-down counters and the enemy's orders, which the viewer cannot know."""
        for unit in state.vehicles.values():
            if unit.face_down and not unit.shown and rules.sides.get(viewer, "") != unit.side:
                unit.command = Command.OVERWATCH
        state.joint = {side: plan for side, plan in state.joint.items() if side == rules.sides.get(viewer, "")}
        yield state

    def wishes(self, rules: Rules, view: Any, ask: Ask) -> Iterator[Wish]:
        if ask.kind == "commands":
            every = tuple(unit for unit in view.vehicles)
            yield Wish(every, "move", goal="M10")
            yield Wish(every, "overwatch")

    def test_every_order_of_a_plan_ends_in_a_happening_or_a_reason(self) -> None:
        for _, stops in self.cases():
            for stop in stops:
                for ask in stop.asks:
                    if ask.kind != "commands":
                        continue
                    told = fates(seen_by(stop.resolution.findings, ask.seat))
                    plan = read_plan((stop.given[ask.seat].answer or {}).get("plan", {}))
                    moving = {unit for unit, wish in plan.move.items() if wish.mode != STAY and wish.acts}
                    assert {*plan.fire, *moving, *plan.assault, *plan.demolish} <= told


# --- one turn by hand ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def rules() -> SeatedRules:
    title = Panzer()
    found = title.rules(title.freeze("collision", {"table": "formations"}))
    assert isinstance(found, SeatedRules)
    return found


@pytest.fixture
def match(rules: SeatedRules) -> Match:
    """Return a match at its first commands, before any seat has placed them."""
    match = Match(rules, "seats", Run(rules, rules.setup(())))
    match.go_on()
    match.go_on()
    match.go_on()
    assert {ask.kind for ask in match.run.asks} == {"commands"}
    return match


def commands(match: Match, *units: str) -> list[str]:
    """Return the units' commands from the findings of their own side, since the turn may have ended."""
    placed = {
        child.inputs["unit"]: child.result
        for finding in match.findings
        if finding.rule == "4.2.1"
        for child in finding.children
    }
    return [placed[unit] for unit in units]


def test_every_formation_has_a_seat_and_the_first_is_the_chief(rules: SeatedRules) -> None:
    assert dict(rules.sides) == {PZ: "german", GE: "german", TK: "soviet", MS: "soviet"}
    assert rules.seating.chief("german") == PZ
    assert "You are the chief" in str(rules.briefing(PZ)) and "With you: 2nd Panzer Company" in str(
        rules.briefing(GE)
    )
    known = Panzer().seat_names
    assert {seat: known[seat] for seat in rules.sides} == dict(rules.seating.names), "as the site and emails say it"


def test_combined_and_battalion_offer_seats_and_duel_does_not() -> None:
    title = Panzer()
    assert "table" in title.choices_for("combined") and "table" not in title.choices_for("duel")
    battalion = title.rules(title.freeze("battalion", {"table": "formations"}))
    assert battalion.seats[:2] == ("panzer-battalion", "italian-and-support-group") and len(battalion.seats) == 4
    with pytest.raises(Refusal, match="no formations"):
        title.freeze("duel", {"table": "formations"})


def test_a_seat_sees_and_is_asked_about_its_own_units_only(match: Match, rules: SeatedRules) -> None:
    view, ask = match.run.view(GE), match.run.ask_of(GE)
    assert ask is not None
    form = rules.form(view, ask)
    assert "ge2 hold" in form and "pz1 hold" not in form
    assert "ge2" in rules.roll_call(view, ask) and "pz1" not in rules.roll_call(view, ask)
    assert [one.id for one in rules.formations(view, GE)] == ["ge"]
    assert rules.read(view, ask, "rest overwatch").answer["commands"].keys() <= set(rules.seating.own(view, GE))


@pytest.mark.rule("6.2.1", effect=True)
def test_6_2_1_a_seat_that_has_lost_all_its_units_is_shown_no_others(match: Match, rules: SeatedRules) -> None:
    view = match.run.view(GE)
    assert [one.id for one in rules.formations(view, GE)] == ["ge"]
    for id in rules.seating.own(view, GE):
        view.vehicles[id].status = Status.ELIMINATED
    assert rules.formations(view, GE) == ()


def test_an_order_for_a_unit_of_another_seat_is_refused_and_says_whose_it_is(
    match: Match, rules: SeatedRules
) -> None:
    ask = match.run.ask_of(GE)
    assert ask is not None
    with pytest.raises(Refusal) as caught:
        rules.read(match.run.view(GE), ask, "pz1 overwatch\nge2 overwatch\nfirst")
    said = [objection.english for one in each(caught.value) for objection in one.objections]
    assert "pz1 is ordered by 2nd Panzer Company, another seat of your side" in said
    assert "only 2nd Panzer Company decides this for your side" in said


def test_a_rider_is_ordered_by_the_seat_of_its_carrier(match: Match, rules: SeatedRules) -> None:
    view = match.run.view(TK)
    assert rules.seating.owner(view, view.vehicles["ms2"]) == TK


def test_both_seats_are_carried_out_and_a_silent_one_costs_its_own_units_only(match: Match) -> None:
    match.order(**{PZ: "pz1 overwatch"})
    assert commands(match, "pz1", "pz2", "ge2") == ["overwatch", "no-command", "no-command"]


def test_the_chief_answers_for_a_silent_seat(match: Match) -> None:
    match.order(**{PZ: "pz1 overwatch\nge2 overwatch"})
    assert commands(match, "pz1", "ge2") == ["overwatch", "overwatch"]


def test_the_chief_does_not_overrule_a_seat_that_has_answered_even_with_nothing(match: Match) -> None:
    match.order(**{PZ: "pz1 overwatch\nge2 move F10", GE: "ge2 hold"})
    assert commands(match, "pz1", "ge2") == ["overwatch", "no-command"]
    told = [f for f in match.findings if f.rule == "pbem/failed"]
    assert {(one.inputs["unit"], str(one.result)) for one in told} >= {
        ("ge2", "the seat that commands the unit has given orders of its own")
    }


def test_moves_of_both_seats_are_one_plan(match: Match) -> None:
    match.order(**{PZ: "pz1 move G8", GE: "ge2 move F10"})
    assert {"pz1", "ge2"} <= set(match.run.state.joint["german"]["move"])
    told = fates(match.findings)
    assert {"pz1", "ge2"} <= told


def test_orders_of_a_side_are_secret_to_the_other_side_and_the_public(match: Match, rules: SeatedRules) -> None:
    match.order(**{PZ: "pz1 move G8", TK: "tk1 overwatch"})
    assert set(rules.view(match.run.state, GE).joint) <= {"german"}
    assert rules.view(match.run.state, PUBLIC).joint == {}
    own = [one for one in seen_by(match.findings, GE) if one.rule == "4.2.1"]
    other = [one for one in seen_by(match.findings, TK) if one.rule == "4.2.1"]
    assert {one.inputs["side"] for one in own} == {"german"} and {one.inputs["side"] for one in other} == {"soviet"}
