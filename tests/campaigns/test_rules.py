"""The rules of campaigns: rosters, carry-over, refit, orders and views."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbem.campaigns import simulate
from pbem.campaigns.rules.decisions import StageOrders
from pbem.campaigns.rules.file import CampaignError, packaged, packaged_names, read_campaign
from pbem.campaigns.rules.roster import Broken, check_report, number_for
from pbem.campaigns.rules.state import Call, CampaignState, Report, Unit
from pbem.campaigns.rules.title import CampaignRules, CampaignTitle
from pbem.engine.play import resolve as engine
from pbem.engine.play.bots import random_bot
from pbem.engine.play.run import Run
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.refusals import Refusal
from pbem.engine.rules.state import from_bytes, in_order
from pbem.titles.registry import TITLES

TITLE = CampaignTitle(TITLES)
NAMES = packaged_names()


def rules_of(name: str = "battlegroup") -> CampaignRules:
    rules = TITLE.rules(TITLE.freeze(name, {}))
    assert isinstance(rules, CampaignRules)
    return rules


def begun(name: str = "battlegroup") -> Run:
    """Return a campaign that waits for its first orders."""
    rules = rules_of(name)
    run = Run(rules, rules.setup(()))
    engine.resolve(run, {}, simulate.dice_from(0), engine.by_minds({}))
    return run


def refusal_of(run: Run, seat: str, text: str) -> str:
    ask = run.ask_of(seat)
    assert ask is not None
    with pytest.raises(Refusal) as refused:
        run.rules.read(run.view(seat), ask, text)
    return str(refused.value)


# C3.6 Attack or rest -----------------------------------------------------------------------------------------


def after_orders(name: str, **texts: str) -> Run:
    """Return a campaign after its first orders; seats that are not named give no orders."""
    run = begun(name)
    answers = {}
    for seat in run.rules.seats:
        ask = run.ask_of(seat)
        assert ask is not None
        answers[seat] = run.rules.read(run.view(seat), ask, texts.get(seat, "hold")).answer
    engine.resolve(run, answers, simulate.dice_from(0), engine.by_minds({}))
    return run


def test_c3_6_both_sides_rest_gain_points_and_meet_at_the_same_place_a_stage_later() -> None:
    before = begun("river").state
    run = after_orders("river", british="idle", german="idle")
    assert not run.state.battles and run.state.turn == 2 and run.state.node == before.node
    rules = rules_of("river")
    gained = {side: has.points - before.sides[side].points for side, has in run.state.sides.items()}
    income = rules.data.campaign.income
    assert gained == dict.fromkeys(rules.data.sides, income.base + 12)


def test_c3_6_if_one_side_attacks_both_fight() -> None:
    before = begun("river").state
    run = after_orders("river", british="attack", german="idle")
    assert list(run.state.battles) == ["1"]
    assert run.state.sides["german"].points == before.sides["german"].points + 12
    assert run.state.sides["british"].points == before.sides["british"].points


def test_c3_6_a_campaign_without_a_figure_for_rest_knows_no_idle_side() -> None:
    assert "C3.6" in refusal_of(begun("battlegroup"), "german", "idle")


# Whole campaigns ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=8, deadline=None)
def test_c2_1_every_unit_is_in_one_place_at_every_step_start(name: str, seed: int) -> None:
    def look(run: Run) -> None:
        assert list(run.rules.flaws(run.state)) == []
        assert in_order(from_bytes(in_order(run.state), CampaignState)) == in_order(run.state)

    bot = dict.fromkeys(rules_of(name).seats, random_bot) if seed % 2 else None
    played = simulate.play(rules_of(name), str(seed), simulate.fast, bots=bot, look=look)
    assert played.state.outcome is not None


@pytest.mark.parametrize("name", NAMES)
def test_a_resumed_campaign_goes_on_like_one_that_was_not(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    once = simulate.play(rules_of(name), "7", simulate.fast)
    monkeypatch.setattr(Run, "strict", True)
    again = simulate.play(rules_of(name), "7", simulate.fast)
    assert in_order(once.state) == in_order(again.state)
    assert msgspec.json.encode(once.findings) == msgspec.json.encode(again.findings)


@pytest.mark.parametrize("name", NAMES)
def test_defaults_and_samples_are_legal_and_every_order_can_be_restated(name: str) -> None:
    def look(run: Run) -> None:
        for ask in run.asks:
            if ask.kind == "battle":
                continue
            view = run.view(ask.seat)
            assert run.rules.check(view, ask, run.rules.default(lambda view=view: view, ask)) is not None
            for option in run.rules.options(view, ask):
                answer = run.rules.check(view, ask, option)
                text = run.rules.restate(ask, engine_submission(answer))
                assert run.rules.read(view, ask, text).answer == answer
            run.rules.read(view, ask, run.rules.form(view, ask))

    simulate.play(rules_of(name), "3", simulate.fast, look=look)


def engine_submission(answer: Any) -> Any:
    from pbem.engine.rules.title import Submission

    return Submission(answer)


@pytest.mark.parametrize("name", NAMES)
def test_c8_1_no_view_tells_of_the_other_side(name: str) -> None:
    """C8.1: Two worlds that differ only in one side's secrets look the same to the other side and to the public."""

    def look(run: Run) -> None:
        one, other = list(run.rules.data.sides)
        changed = from_bytes(in_order(run.state), CampaignState)
        has = changed.sides[other]
        has.points += 17
        has.lost += 1
        has.units = {f"x{id}": msgspec.structs.replace(unit, experience=99) for id, unit in has.units.items()}
        has.coming = []
        for call in changed.battles.values():
            call.units[other] = ["x1"]
            call.commanders[other] = "nobody"
        for viewer in (*run.rules.data.seats_of(one), "public"):
            assert msgspec.json.encode(run.view(viewer)) == msgspec.json.encode(run.rules.view(changed, viewer))

    played = simulate.play(rules_of(name), "5", simulate.fast, look=look)
    enemies = {unit for report in played.reports.values() for unit in report.fates.get("soviet", {})}
    public = [finding for finding in played.findings if finding.to is None]
    said = msgspec.json.encode(public).decode()
    assert not [unit for unit in enemies if f'"{unit}"' in said]
    assert all(set(finding.to) <= set(played.rules.data.seats) for finding in played.findings if finding.to)


@pytest.mark.parametrize("name", NAMES)
def test_every_finding_has_a_sentence(name: str) -> None:
    played = simulate.play(rules_of(name), "11", simulate.fast)
    for finding in played.findings:
        for line in played.rules.tell_tree(finding):
            assert line.strip().endswith(".") and "None" not in line and "{" not in line


# Carry-over --------------------------------------------------------------------------------------------------

CALL = Call(
    "A hill", "meeting", 1, {"german": ["g101"], "soviet": ["s101"]}, {"german": "german", "soviet": "soviet"}
)
FIT: dict[str, int | str] = {"fate": "fit"}


@pytest.mark.parametrize(
    ("fates", "why"),
    [
        ({"german": {}, "soviet": {"s101": FIT}}, "g101 has no fate"),
        ({"german": {"g101": FIT, "g102": FIT}, "soviet": {"s101": FIT}}, "g102 was not sent"),
        ({"german": {"g101": FIT}, "soviet": {"s101": FIT, "g101": FIT}}, "g101 has two fates"),
        ({"german": {"g101": {"fate": "asleep"}}, "soviet": {"s101": FIT}}, "g101 has the fate 'asleep'"),
    ],
)
def test_c4_1_every_unit_that_was_sent_has_one_fate(fates: Any, why: str) -> None:
    with pytest.raises(Broken, match=why):
        check_report(CALL, Report("german", {}, fates))


def after_battle(fate: dict[str, int | str], *, kills: int = 0) -> tuple[Run, Unit | None, list[str]]:
    """Let the first unit meet this fate in a battle; return the campaign, the unit and the sentences that its side
    reads."""
    run = begun()
    answers: dict[str, Any] = {ask.seat: None for ask in run.asks}
    engine.resolve(run, answers, simulate.dice_from(1), engine.by_minds({}))
    call = run.state.battles["1"]
    fates = {side: {id: dict(FIT) for id in ids} for side, ids in call.units.items()}
    fates["german"]["g101"] = fate
    report = Report("german", {"german": 20, "soviet": 3}, fates, {"g101": kills} if kills else {})
    given = {"battle 1": msgspec.to_builtins(report)}
    findings = engine.resolve(run, given, simulate.dice_from(2), engine.by_minds({})).findings
    told = [line for finding in findings for line in run.rules.tell_tree(finding)]  # type: ignore[attr-defined]
    return run, run.state.sides["german"].units.get("g101"), told


def test_c4_3_experience_follows_from_battle_kills_and_victory() -> None:
    _, unit, told = after_battle(dict(FIT), kills=2)
    assert unit is not None and (unit.experience, unit.kills, unit.battles) == (3 + 1 + 2 + 1, 2, 1)
    assert "  Experience 7: 1 for the battle, 2 for 2 kills, 1 for the victory; its grade is now veteran." in told


def test_c4_1_damage_stays_until_it_is_repaired() -> None:
    run, unit, _ = after_battle({"fate": "damaged", "damage": 1})
    assert unit is not None and (unit.damage, unit.status) == (1, "ready")
    text = "repair g101\nsend g102"
    ask = run.ask_of("german")
    assert ask is not None
    answer = run.rules.read(run.view("german"), ask, text).answer
    before = run.state.sides["german"].points
    engine.resolve(run, {"german": answer, "soviet": None}, simulate.dice_from(3), engine.by_minds({}))
    unit = run.state.sides["german"].units["g101"]
    assert (unit.status, unit.until) == ("repair", 3)
    assert run.state.sides["german"].points == before - 10  # 15 % of 61, rounded up


@pytest.mark.parametrize(("score", "decisive"), [((40, 3), True), ((20, 3), True), ((3, 40), False), ((9, 3), False)])
def test_c4_a_victory_is_decisive_by_the_lead_of_its_winner(score: tuple[int, int], decisive: bool) -> None:
    """C4: If a scenario lets the side with fewer points win, the loser's lead does not make the victory decisive."""
    run = after_orders("battlegroup")
    [call] = run.state.battles.values()
    fates = {side: {id: dict(FIT) for id in ids} for side, ids in call.units.items()}
    report = Report("german", dict(zip(("german", "soviet"), score, strict=True)), fates, how="the village is held")
    given = {"battle 1": msgspec.to_builtins(report)}
    findings = engine.resolve(run, given, simulate.dice_from(2), engine.by_minds({})).findings
    [found] = [finding for finding in findings if finding.rule == "C4"]
    assert found.inputs["decisive"] is decisive
    assert "(the village is held)" in str(run.rules.tell(found))


def test_c7_2_a_province_is_taken_by_a_side_not_by_its_chief() -> None:
    rules = rules_of("front")
    inputs = {"province": "ford", "name": "The ford", "before": "german"}
    assert (
        str(rules.tell(Finding("C7.2", inputs=inputs, result="soviet")))
        == "The Soviet side took The ford from the German side."
    )
    moved = Finding("C7.2", inputs={"group": "north", "from": "vodyanoye"}, result="ford")
    assert str(rules.tell(moved)) == "Battlegroup North went from Vodyanoye to The ford."


def test_c2_2_a_number_is_never_given_to_a_second_unit() -> None:
    """C2.2: A lost unit keeps its number, so that each number stands for the history of one unit."""
    own = range(101, 101 + 12)
    numbers = [number_for(4711, count, 113) for count in range(1500)]
    assert len(set(numbers)) == 1500 and not set(numbers) & set(own)
    assert max(numbers[:887]) == 999 < min(numbers[887:]) and numbers[:887] != sorted(numbers[:887])
    assert numbers[:50] != [number_for(4712, count, 113) for count in range(50)]


def test_c2_2_bought_units_have_new_numbers_in_every_campaign() -> None:
    seen = set[str]()
    ever = list[str]()

    def look(run: Run) -> None:
        ids = [id for has in run.state.sides.values() for id in has.units]
        ever.extend(id for id in ids if id not in seen)
        gone.update(seen - set(ids))
        assert not gone & set(ids)
        seen.update(ids)

    gone = set[str]()
    simulate.play(rules_of(), "13", simulate.fast, look=look)
    assert len(ever) > 30


def test_c4_6_a_crew_that_bailed_out_is_replaced_by_beginners() -> None:
    _, unit, told = after_battle({"fate": "damaged", "damage": 2})
    assert unit is not None and unit.experience == 0
    assert "  A new crew takes over: green." in told


@pytest.mark.parametrize("fate", ["lost", "captured"])
def test_c4_1_a_unit_that_is_lost_or_captured_leaves_the_roster(fate: str) -> None:
    run, unit, _ = after_battle({"fate": fate})
    assert unit is None and run.state.sides["german"].lost == 1


def test_c4_4_the_captor_gets_points_and_only_the_captor_is_told() -> None:
    rich, _, _ = after_battle({"fate": "captured"})
    poor, _, _ = after_battle({"fate": "lost"})
    assert rich.state.sides["soviet"].points == poor.state.sides["soviet"].points + 15


def test_c4_5_a_missing_unit_comes_back_or_is_given_up() -> None:
    _, unit, told = after_battle({"fate": "missing"})
    back = [line for line in told if "found its way back" in line]
    gone = [line for line in told if "did not come back" in line]
    assert (unit is not None) == bool(back) and len(back + gone) == 1


# Orders ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("send g999", "you have no unit with that name"),
        ("send g101 g101", "the unit is listed twice in the send line"),
        ("repair g101", "the unit is not damaged"),
        ("buy tiger1", "that is not for sale"),
        ("buy 3 pz4h", "1 to 2 of these"),
        ("buy 2 pz4h", "that costs 122 points, and you have 60"),
        ("assign g101 to north", "you have no battlegroup"),
        ("sned g101", "unexpected “sned” at the beginning"),
    ],
)
def test_c2_orders_that_cannot_be_carried_out_are_refused_with_a_reason(text: str, why: str) -> None:
    assert why in refusal_of(begun(), "german", text)


def test_c2_every_wrong_line_is_named() -> None:
    said = refusal_of(begun(), "german", "send g999\nbuy tiger1\nrepair g101")
    assert "g999" in said and "tiger1" in said and "g101" in said


def test_c5_4_an_army_has_a_greatest_cost() -> None:
    run = begun()
    run.state.sides["german"].points = 10**6
    decision = StageOrders(run.rules.data, run.view("german"), run.ask_of("german"))  # type: ignore[arg-type]
    whys = [
        objection.english for objection in decision.objections(decision.decode({"buy": {"pz4h": 2, "stug3g": 2}}))
    ]
    assert any("an army can cost at most 850" in why for why in whys)


def test_c5_1_income_falls_with_the_lead() -> None:
    run, _, told = after_battle(dict(FIT))
    assert (
        "Income for the German side: 105 points (150 less 15 for each of the 3 points by which it leads); "
        "165 in hand." in told
    )
    assert run.state.sides["soviet"].points == 110 + 150


# The file ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_c0_packaged_campaigns_have_no_mistake(name: str) -> None:
    assert TITLE.check(packaged(name)).name


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('first = "meeting"', 'first = "meting"', "Did you mean meeting?"),
        ("stages = 5", 'stages = "5"', "write a whole number"),
        ("stages = 5", "stagges = 5", "Did you mean stages?"),
        ('letter = "s"', 'letter = "g"', "different letters"),
        ('german = "village"', 'german = "vilage"', "Did you mean village?"),
        ('draw = "meeting"', 'drwa = "meeting"', "Did you mean draw?"),
        ('scenario = "rearguard"', 'scenario = "rearguards"', "Did you mean rearguard?"),
        ('card = "stug3g", count', 'card = "stug3", count', "Did you mean stug3g?"),
        ("from = 0", "from = 2", "begin at experience 0"),
        ('shape = "tree"', 'shape = "bush"', "shape"),
        ("[points]", "[points", "cannot be read as TOML"),
    ],
)
def test_c0_a_mistake_in_a_file_is_explained(old: str, new: str, says: str) -> None:
    content = packaged("battlegroup").decode()
    assert old in content
    with pytest.raises(CampaignError) as refused:
        TITLE.check(content.replace(old, new, 1).encode())
    assert says in str(refused.value)


def test_c0_all_mistakes_are_named_at_once() -> None:
    content = packaged("battlegroup").decode()
    content = content.replace('first = "meeting"', 'first = "x"').replace('letter = "s"', 'letter = "g"')
    with pytest.raises(CampaignError) as refused:
        read_campaign(content.encode())
    assert len(refused.value.mistakes) == 2
