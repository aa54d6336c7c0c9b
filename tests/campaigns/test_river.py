"""The campaign at the river: perimeters become the next set-up areas, refit follows the printed order, and each side
has two players."""

from __future__ import annotations

from functools import cache

import msgspec
import pytest
from campaigns.test_rules import after_orders, begun, refusal_of

from pbem.campaigns import simulate
from pbem.campaigns.battles import battle_data
from pbem.campaigns.rules.file import CampaignError, packaged, read_campaign
from pbem.campaigns.rules.state import Call, Coming, Report
from pbem.engine.play import resolve as engine
from pbem.engine.play.run import Run
from pbem.engine.rules.findings import Finding
from pbem.titles.aslsk.campaign import SMALLEST
from pbem.titles.registry import TITLES

ASLSK = TITLES["aslsk"]
NODES = ("fields", "village", "bridge")


def call_at(run: Run, node: str, ground: dict[str, list[str]] | None = None) -> Call:
    """Call a battle at a node, with all units of both sides."""
    row = run.rules.data.campaign.node(node)
    sent = {side: list(has.units) for side, has in run.state.sides.items()}
    called = Call(row.name, row.scenario, 1, sent, {side: side for side in sent}, node)
    called.ground = ground or {}
    return called


def set_up(run: Run, called: Call) -> Run:
    """Return the match of a battle, set up on both sides by the title's own bot."""
    rules = ASLSK.rules(battle_data(ASLSK, run.rules.data, run.state, called))
    match = Run(rules, rules.setup(()))
    engine.resolve(match, {}, simulate.dice_from(0), engine.by_minds({}))
    while match.asks and match.asks[0].kind == "setup":
        [ask] = match.asks
        view = match.view(ask.seat)
        answer = rules.check(view, ask, rules.bot("0")(rules, view, ask).answer)  # type: ignore[attr-defined]
        engine.resolve(match, {ask.seat: answer}, simulate.dice_from(0), engine.by_minds({}))
    return match


def halves(node: str) -> dict[str, list[str]]:
    """Divide the map between the sides: a third of the columns to the attacker, the rest to the defender."""
    run = begun("river")
    match = set_up(run, call_at(run, node))
    hexes = sorted(match.rules.data.ground.hexes, key=lambda name: match.rules.data.ground.hexes[name].hex)
    ends = (hexes[: len(hexes) // 3], hexes[len(hexes) // 3 :])
    if node == "bridge":  # there the attacker comes from the east
        ends = (hexes[-len(hexes) // 3 :], hexes[: -len(hexes) // 3])
    return dict(zip(("british", "german"), ends, strict=True))


# C3.7 The perimeter ------------------------------------------------------------------------------------------


@cache
def resumed(node: str) -> tuple[dict[str, list[str]], Run]:
    """Return the perimeters left at a node, and a second battle there that is set up from them."""
    held, run = halves(node), begun("river")
    return held, set_up(run, call_at(run, node, held))


@pytest.mark.parametrize("node", NODES)
def test_c3_7_both_sides_set_up_in_their_perimeters_and_apart(node: str) -> None:
    held, match = resumed(node)
    ground = match.rules.data.ground
    placed = [unit for unit in match.state.units.values() if unit.at]
    assert {unit.seat for unit in placed} == {"british", "german"}
    for unit in placed:
        enemy = held["german" if unit.seat == "british" else "british"]
        assert unit.at in held[unit.seat]
        assert not set(ground.neighbours(unit.at)) & set(enemy)


@pytest.mark.parametrize("node", NODES)
def test_c3_7_every_unit_of_both_rosters_is_there_again(node: str) -> None:
    _, match = resumed(node)
    counters = {unit.id for unit in match.state.units.values() if unit.at}
    assert set(match.rules.roster) <= counters  # type: ignore[attr-defined]
    assert len(match.rules.roster) == 20  # type: ignore[attr-defined]
    fates = match.rules.aftermath(match.state)
    assert sum(map(len, fates.values())) == 20


def test_c3_7_a_hex_belongs_to_whoever_is_nearer_with_a_unit_in_good_order() -> None:
    _, match = resumed("fields")
    found = match.rules.perimeter(match.state)
    assert not set(found["british"]) & set(found["german"])
    for unit in match.state.units.values():
        if unit.at and not unit.hidden and match.rules.data.deck.units[unit.card].kind != "leader":
            assert unit.at in found[unit.seat]
    for unit in match.state.units.values():
        if unit.seat == "german":
            unit.hidden = unit.id != "ge1"
    assert len(match.rules.perimeter(match.state)["german"]) < len(found["german"]), "hidden units hold nothing"
    for unit in match.state.units.values():
        unit.hidden = False
    before = len(found["british"])
    for unit in match.state.units.values():  # broken squads hold nothing
        unit.broken = unit.seat == "british" and unit.at != match.state.units["br1"].at
    assert len(match.rules.perimeter(match.state)["british"]) < before
    for unit in match.state.units.values():
        unit.broken = unit.seat == "british"
    assert match.rules.perimeter(match.state) == {}


def test_c3_7_a_perimeter_too_small_for_a_company_leaves_both_sides_as_printed() -> None:
    run = begun("river")
    small = {"british": ["A1", "A2"], "german": [f"R{row}" for row in range(1, 10)]}
    printed = battle_data(ASLSK, run.rules.data, run.state, call_at(run, "fields"))
    assert len(small["german"]) < SMALLEST
    with_ground = battle_data(ASLSK, run.rules.data, run.state, call_at(run, "fields", small))
    assert ASLSK.rules(with_ground).data.scenario == ASLSK.rules(printed).data.scenario


def fought(run: Run, winner: str, ground: dict[str, list[str]]) -> list[Finding]:
    """Report the end of the open battle, with every unit surviving; return the findings."""
    [(number, called)] = run.state.battles.items()
    fates = {side: {id: {"fate": "fit"} for id in ids} for side, ids in called.units.items()}
    report = msgspec.to_builtins(Report(winner, dict.fromkeys(called.units, 5), fates, ground=ground))
    result = engine.resolve(run, {f"battle {number}": report}, simulate.dice_from(1), engine.by_minds({}))
    return list(result.findings)


def orders(run: Run, **texts: str) -> None:
    answers = {
        ask.seat: run.rules.read(run.view(ask.seat), ask, texts.get(ask.seat, "hold")).answer for ask in run.asks
    }
    engine.resolve(run, answers, simulate.dice_from(2), engine.by_minds({}))


def test_c3_7_the_next_battle_at_the_place_begins_from_the_perimeter_and_another_place_does_not() -> None:
    ground = {"british": ["A1", "A2"], "german": ["K1"]}
    run = after_orders("river")
    assert run.state.battles["1"].ground == {}
    findings = fought(run, "german", ground)
    [told] = [str(run.rules.tell(finding)) for finding in findings if finding.rule == "C3.7"]
    assert told == "Ground held at Across the fields: British 2 hexes, German 1 hex."
    orders(run)
    assert run.state.battles["2"].place == "fields" and run.state.battles["2"].ground == ground
    fought(run, "british", ground)
    orders(run)
    assert run.state.battles["3"].place == "village" and run.state.battles["3"].ground == {}


def test_c3_7_everybody_may_know_the_perimeter_and_only_that() -> None:
    run = after_orders("river")
    fought(run, "german", {"british": ["A1"], "german": ["K1"]})
    orders(run)
    for viewer in ("public", "british", "german2"):
        assert run.view(viewer).battles["2"].ground == {"british": ["A1"], "german": ["K1"]}
    assert run.view("public").battles["2"].units == {}


# C5 Refit in printed order -----------------------------------------------------------------------------------


STEPS = {"missing": "C4.5", "repairs": "C5.2", "income": "C5.1", "arrivals": "C5.3"}


def refitted(order: list[str]) -> list[str]:
    """Return the rules of a German refit in the order in which they were applied, in a case where each rule has an
    effect."""
    run = after_orders("river")
    rules = run.rules.data
    rules.campaign = msgspec.structs.replace(rules.campaign, refit=tuple(order))
    first, second = list(run.state.sides["german"].units.values())[:2]
    first.status, second.status, second.until, second.damage = "missing", "repair", 1, 1
    first.battle = second.battle = ""
    called = run.state.battles["1"]
    called.units["german"] = [id for id in called.units["german"] if run.state.sides["german"].units[id].battle]
    run.state.sides["german"].coming.append(Coming("german-447", 1))
    findings = [finding for finding in fought(run, "british", {}) if "german" in (finding.to or ())]
    return [finding.rule for finding in findings if finding.rule in STEPS.values()]


@pytest.mark.parametrize("order", [list(STEPS), list(reversed(STEPS)), ["income", "arrivals"]])
def test_c5_the_refit_follows_the_order_of_the_file(order: list[str]) -> None:
    wanted = [STEPS[step] for step in order]
    assert refitted(order)[: len(wanted)] == wanted


def test_c5_a_step_named_twice_or_unknown_is_a_mistake() -> None:
    for order, said in (('["income", "income"]', "the id is used 2 times"), ('["rest"]', "refit")):
        file = packaged("river").replace(b'["missing", "repairs", "income", "arrivals"]', order.encode())
        with pytest.raises(CampaignError, match=said):
            read_campaign(file)


# C1.3 Two against two ----------------------------------------------------------------------------------------


def test_c1_3_a_second_commander_a_side_leads_the_battles_and_chooses_the_units() -> None:
    run = after_orders("river", british="send b101 b102", british2="send b103 b104")
    called = run.state.battles["1"]
    assert called.commanders == {"british": "british2", "german": "german2"}
    assert called.units["british"] == ["b103", "b104"]
    assert len(called.units["german"]) == 8


def test_c1_3_the_chief_sends_where_the_second_commander_says_nothing() -> None:
    run = after_orders("river", british="send b101 b102")
    assert run.state.battles["1"].units["british"] == ["b101", "b102"]


def test_c1_3_the_chief_may_lead_the_battles_or_give_them_back() -> None:
    run = after_orders("river", british="appoint british to battles")
    assert run.state.battles["1"].commanders["british"] == "british"
    fought(run, "german", {})
    assert run.ask_of("british2") is None
    orders(run, british="appoint british2 to battles")
    assert run.state.battles["2"].commanders["british"] == "british2"


def test_c1_3_the_second_commander_spends_nothing_and_does_not_decide_to_rest() -> None:
    run = begun("river")
    for text in ("idle", "buy british-457", "appoint british2 to battles"):
        assert "only the commander in chief may" in refusal_of(run, "british2", text)
    assert "C1.3" in refusal_of(run, "british", "appoint british2 to fields")


def test_c1_3_a_file_names_a_seat_that_the_side_has() -> None:
    file = packaged("river").replace(b'leads = "british2"', b'leads = "britsh2"')
    with pytest.raises(CampaignError, match="Did you mean british2"):
        read_campaign(file)
