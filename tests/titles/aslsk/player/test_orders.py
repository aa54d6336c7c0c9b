"""The order language: lines become orders, and orders become the same lines again."""

from __future__ import annotations

import msgspec
import pytest
from support.rules import assert_rule
from titles.aslsk.builders import a_table, moving_in
from titles.aslsk.ground.building import a_ground

from pbem.engine.rules.refusals import Refusal
from pbem.engine.text.forms import form_text
from pbem.titles.aslsk.movement.first_fire_window import Window
from pbem.titles.aslsk.orders import Branch, Clause, FireOrder, Leg, MoveOrder, Orders, RallyOrders
from pbem.titles.aslsk.player.exchanges import Close, Defence, FinalFire, TurnOrders
from pbem.titles.aslsk.player.placing import SetUp, place_units
from pbem.titles.aslsk.player.standing_orders import STOCK, check_standing_orders, clauses_of, stock_orders
from pbem.titles.aslsk.player.wording import area_words
from pbem.titles.aslsk.title import AslskRules

UNITS = {
    "g1": ("548", "K5"), "g2": ("467", "K5"), "gl1": ("g 8-1", "K5"), "g3": ("467", "M5"),
    "r1": ("447", "K8"), "r2": ("447", "N8"),
}  # fmt: skip


def decision(kind, seat="german"):
    table = a_table(UNITS, weapons={"gw1": ("german-mmg", "g2")}, phase="rally")
    return kind(table.situation.data, table.state, kind.make_ask(seat))


def read(kind, *lines):
    asked = decision(kind)
    return asked.decode(asked.read_text("\n".join(lines)).answer)


def refused(kind, *lines):
    with pytest.raises(Refusal) as caught:
        read(kind, *lines)
    return caught.value


def test_a_move_with_smoke_branches_and_a_wait_is_read_and_restated():
    line = "gl1 g1 move smoke K6 by g1, K6; if gl1 hurt stop; if residual K6 4 via L5; after g3 in M5 unhurt"
    orders = read(TurnOrders, line)
    (move,) = orders.moves
    assert move.units == ("gl1", "g1")
    assert move.legs == (Leg("smoke", "K6", by=("g1",)), Leg("enter", "K6"))
    assert move.branches == (
        Branch("hurt", unit="gl1"),
        Branch("residual", hex="K6", number=4, then="via", path=(Leg("enter", "L5"),)),
    )
    assert move.after is not None and move.after.unhurt
    assert list(decision(TurnOrders).sentence(orders)) == [line]


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        (TurnOrders, "g2 gw1 fire at K8 or N8 with gl1 if unbroken once"),
        (TurnOrders, "g3 move assault M6"),
        (TurnOrders, "g3 move double M6 M7 M8"),
        (TurnOrders, "later g3 fire at N8"),
        (TurnOrders, "rally g1 by gl1"),
        (TurnOrders, "give gw1 to g1"),
        (TurnOrders, "none"),
        (Defence, "g1 gw1 watch K8 or K7 within 6 column 4 drm -1 with gl1"),
        (Defence, "hold all until 3"),
        (Defence, "keep 1 of g1 g2 until 2"),
        (Defence, "sff all column 4"),
        (Defence, "motion all within 4 face 3"),
        (FinalFire, "g1 fire at K8"),
        (Close, "g1 gl1 advance K6 if empty"),
        (Close, "g1 crawl K4"),
        (Close, "g1 stay"),
        (Close, "combat K8 g1 gl1 against r1 r2"),
        (Close, "combat K8 none"),
    ],
)
def test_every_kind_of_line_reads_back_as_itself(kind, line):
    assert list(decision(kind).sentence(read(kind, line))) == [line]


@pytest.mark.rule("3.3.1", "3.2", "1.1")
def test_a_refusal_names_every_line_that_cannot_be_carried_out():
    refusal = refused(TurnOrders, "g1 move K7", "g3 fire at C3", "g1 fire at QQ9")
    assert_rule(refusal, "1.1", why="the map has no hex QQ9")
    assert_rule(refusal, "3.3.1", why="K7 is not adjacent to K5")
    assert_rule(refusal, "3.2", why="no enemy is in C3")


@pytest.mark.rule("3.3.1/declaration")
def test_a_unit_moves_once_and_stacks_start_together():
    assert_rule(refused(TurnOrders, "g1 move K6", "g1 move K4"), "3.3.1/declaration", why="g1 can move only once")
    assert_rule(refused(TurnOrders, "g1 g3 move L5"), "3.3.1/declaration")


def test_an_order_for_another_exchange_is_refused():
    assert "cannot be given now" in str(refused(Close, "g1 move K6"))


def test_a_slip_is_answered_with_the_nearest_line():
    assert "g1 move K6" in str(refused(TurnOrders, "g1 mvoe K6"))


def test_standing_orders_are_kept_as_lines_and_compiled():
    kept = check_standing_orders("all watch within 6\nrout crawl  # always")
    assert kept == ["all watch within 6", "rout crawl"]
    first, second = clauses_of(a_ground(), tuple(kept))
    assert (first.do, first.within) == ("fire", 6) and (second.do, second.how) == ("rout", "crawl")
    with pytest.raises(Refusal):
        check_standing_orders(["g1 move K5"])


def in_window(units, plan=(), **more):
    """Return the window of the Soviet defender with a fire plan, after g1 has moved."""
    table = a_table(units, phase="movement", attacker="german", **more)
    moving_in(table, ["g1"])
    table.state.sealed = {"russian": Orders(plan=tuple(plan))}
    return Window(table.situation.data, table.state, Window.make_ask("russian"))


FIELD = {"g1": ("467", "K5"), "r1": ("447", "K8"), "r2": ("447", "K8"), "rl": ("r 8-1", "K8"), "r3": ("447", "N5")}


def test_a_fire_plan_fires_with_the_strongest_stack_and_its_leader():
    attack = in_window(FIELD, [Clause("fire", within=4)]).default()
    assert attack is not None and (attack.components, attack.leaders) == (("r1", "r2"), ("rl",))


@pytest.mark.parametrize(
    "plan",
    [
        [Clause("fire", within=2)],
        [Clause("fire", column=12)],
        [Clause("fire", drm=-4)],
        [Clause("fire", hexes=("A1",))],
        [Clause("fire", squads=2)],
        [Clause("fire", leader=True)],
        [Clause("fire"), Clause("hold", within=2)],
        [Clause("fire", units=("r1",)), Clause("keep", units=("r1",), number=1)],
        [],
    ],
)
def test_a_fire_plan_holds_its_fire_until_its_conditions_are_met(plan):
    assert in_window(FIELD, plan).default() is None


def test_second_fire_and_protective_fire_must_be_allowed():
    marked = {"r1": {"fired": "first"}, "r2": {"fired": "first"}, "r3": {"broken": True}}
    near = {**FIELD, "r1": ("447", "K6"), "r2": ("447", "K6"), "rl": ("r 8-1", "K6")}
    assert in_window(near, [Clause("fire")], states=marked).default() is None
    assert in_window(near, [Clause("fire"), Clause("sff")], states=marked).default() is not None
    final = {id: {**state, "fired": "final"} if "fired" in state else state for id, state in marked.items()}
    assert in_window(near, [Clause("fire"), Clause("sff")], states=final).default() is None
    assert in_window(near, [Clause("fire"), Clause("fpf")], states=final).default() is not None


def test_a_standing_order_answers_where_the_fire_plan_is_silent():
    window = in_window(FIELD)
    clauses = clauses_of(window.data.ground, ("all watch within 4",))
    attack, text = next(window.from_standing_orders(clauses))
    assert attack is not None and attack.components == ("r1", "r2") and text == "all watch within 4"


def test_a_fire_order_names_who_fires_at_what():
    assert read(TurnOrders, "g1 g2 gw1 fire k8").prep == (FireOrder(("g1", "g2", "gw1"), ("K8",)),)
    assert read(TurnOrders, "g1 move k6").moves == (MoveOrder(("g1",), (Leg("enter", "K6"),)),)


@pytest.mark.rule("3.3.1")
def test_3_3_1_a_path_that_jumps_is_refused_with_the_whole_line_that_closes_it():
    refusal = refused(TurnOrders, "gl1 g1 move K7; if gl1 hurt stop")
    assert_rule([refusal], "3.3.1", why="K7 is not adjacent to K5")
    assert refusal.instead == ("gl1 g1 move K6 K7; if gl1 hurt stop",)
    assert refused(TurnOrders, "g3 move A1").instead == ()


def test_3_3_a_form_says_where_and_when_units_off_the_map_enter():
    table = a_table(UNITS | {"g9": ("467", "")}, phase="rally")
    groups = tuple(
        msgspec.structs.replace(group, entry=("A1", "A2"), turn=2) if group.id == "g" else group
        for group in table.data.scenario.groups
    )
    table.data.scenario = msgspec.structs.replace(table.data.scenario, groups=groups)
    for turn, words in (
        (1, "g9 enter the map in turn 2, in A1..A2"),
        (2, "g9 enter the map now, in A1..A2:\n# g9 move A1"),
    ):
        table.state.turn = turn
        form = TurnOrders(table.data, table.state, TurnOrders.make_ask("german")).form()
        assert f"# {words}\n" in form_text(form, AslskRules.comment_width)


def test_areas_are_told_in_blocks():
    hexes = [f"{board}{letter}{row}" for board in "ac" for letter in ("Y", "Z", "AA") for row in range(1, 10)]
    assert area_words([*hexes, "cCC4", "cCC6"]) == "aY1..aAA9 cY1..cAA9 cCC4 cCC6"


def test_a_sign_that_does_not_belong_there_is_named():
    refusal = refused(Defence, "hold all until 5; all watch column 4")
    assert "unexpected “;” after “hold all until 5”" in str(refusal)


def after_prep_fire(kind, seat="german"):
    """Return the decision of the second exchange of `tempo = 4`, which follows rally and Prep Fire."""
    table = a_table(UNITS, phase="prep", tempo=4)
    table.state.sealed["german"] = Orders(
        rally=RallyOrders(no_rally=("g1",)), prep=(FireOrder(("g2", "gw1"), ("K8",)),)
    )
    return kind(table.situation.data, table.state, kind.make_ask(seat))


def test_after_prep_fire_its_orders_are_over_and_are_not_proposed_again():
    asked = after_prep_fire(TurnOrders)
    assert asked.usual() == Orders()
    assert not any(asked.objections(asked.default()))
    assert "fire at K8" not in "\n".join(map(str, asked.form()))


@pytest.mark.parametrize("line", ["g1 fire at K8", "rally g1 by gl1", "self rally g1"])
def test_after_prep_fire_more_of_it_is_refused(line):
    with pytest.raises(Refusal, match="cannot be given now"):
        after_prep_fire(TurnOrders).read_text(line)
    with pytest.raises(Refusal, match="cannot be given now"):
        after_prep_fire(Defence).read_text("rally g1 by gl1")


# --- stock standing orders ---------------------------------------------------------------------------------------


def window(hexes=None, plan=(), **more):
    """Return the window after a Russian squad has entered K8, three hexes from g1, across this terrain."""
    table = a_table(
        {"g1": ("467", "K5"), "r1": ("447", "K8")}, phase="movement", attacker="russian",
        ground=a_ground(hexes or {}), **more,
    )  # fmt: skip
    moving_in(table, ["r1"])
    table.state.sealed["german"] = Orders(plan=plan)
    return Window(table.situation.data, table.state, Window.make_ask("german"))


def answers(window, *lines):
    ground = window.data.ground
    orders = clauses_of(ground, lines) if lines else stock_orders(ground)
    return [answer.components for answer, _ in window.from_standing_orders(orders)]


def test_11_a_seat_without_orders_fires_by_the_stock_ones():
    assert check_standing_orders(list(STOCK)) == list(STOCK)
    assert answers(window()) == [("g1",)]
    assert answers(window({"woods": "K6 K7"})) == [], "what looks blocked is not fired at"
    assert answers(window(states={"g1": {"fired": "first"}})) == [], "2 FP are not worth the marker"


def test_11_a_fire_plan_of_its_own_silences_the_stock_orders_but_not_standing_orders_of_its_own():
    held = (Clause("hold", within=1),)
    assert answers(window(plan=held)) == []
    other = (Clause("fire", units=("g9",)),)
    assert answers(window(plan=other)) == [] and answers(window(plan=other), "all watch") == [("g1",)]


@pytest.mark.rule("11/standing-orders", effect=True)
@pytest.mark.parametrize(
    ("line", "fires"),
    [("chance 20", True), ("chance 90", False), ("if clear", True), ("within 2", False), ("column 4", True)],
)
def test_11_conditions_of_a_watch_line(line, fires):
    assert bool(answers(window(), f"all watch {line}")) == fires


def test_11_intensive_fire_keeps_to_the_range_and_to_hold_fire_lines():
    table = a_table(
        {"g1": ("228", "K5"), "r1": ("447", "K8")}, weapons={"gw1": ("german-75l-at", "g1")}, facings={"gw1": 4},
        phase="movement", attacker="russian",
    )  # fmt: skip
    moving_in(table, ["r1"])
    table.state.weapons["gw1"].fired = "first"
    asked = Window(table.situation.data, table.state, Window.make_ask("german"))
    assert answers(asked, "gw1 watch intensive") == [("gw1",)]
    assert answers(asked, "gw1 watch within 2 intensive") == []
    assert answers(asked, "gw1 watch intensive", "hold all until 2") == []


@pytest.mark.rule("7.2", "3.2.4/covered-arc")
def test_11_g1_a_tank_sets_up_with_its_turret_turned():
    """11 G1: VCA and TCA are chosen at set-up; a vehicle without a turret has only a VCA (7.2)."""
    table = a_table({}, vehicles={"g1": ("german-pz4h", "", 0), "g2": ("german-stug3g", "", 0)}, phase="setup")
    asked = SetUp(table.situation.data, table.state, SetUp.make_ask("german"))
    lines = ["g1 at K5 face 4 turret 5 exposed", "g2 at L5 face 2"]
    answer = asked.decode(asked.read_text("\n".join(lines)).answer)
    assert list(asked.sentence(answer)) == lines
    place_units(table, "german", answer)
    tank, gun = table.state.vehicles["g1"], table.state.vehicles["g2"]
    assert (tank.vca, tank.tca, tank.ce, gun.vca, gun.tca) == (4, 5, True, 2, 2)
    for turret, rule in ((("g2", 3), "7.2"), (("g1", 6), "3.2.4/covered-arc")):
        wrong = msgspec.structs.replace(answer, turrets=dict([turret]))
        assert_rule(list(asked.objections(wrong)), rule)
