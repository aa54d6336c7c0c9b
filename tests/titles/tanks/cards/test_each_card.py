"""T2.2 Each of the 52 crew and upgrade cards is tested, and every effect shows in a finding.

The card is aboard a1, a tank of its country (attack 5 in all four); b1 is a Panzer IV (attack 4, defence 1) 5000 to
the east of it, or 1600 where close range matters. Dice are scripted in the order attack, defence, criticals.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest
from support.rules import assert_rule
from titles.tanks.builders import a_table, a_tank, packaged, run_movement, run_step, shoot

from pbem.engine.rules.refusals import Refusal
from pbem.titles.tanks.cards.crew_and_upgrades import usable
from pbem.titles.tanks.command.phase import command_phase, destroy, repair
from pbem.titles.tanks.data_set import Effect, Fielded, Platoon
from pbem.titles.tanks.movement.moves import allowance, carry_out, early_moves
from pbem.titles.tanks.phases.forms import show_cards
from pbem.titles.tanks.phases.initiative import announce, initiative_uses
from pbem.titles.tanks.player.orders import Move, MoveOrder
from pbem.titles.tanks.setup.platoon import platoon_objections
from pbem.titles.tanks.shooting.phase import suffer

Check = Callable[[str], None]
CARRIERS = {"us": "sherman-76", "uk": "comet", "germany": "panther", "ussr": "t-34-85", "global": "sherman-76"}
RULES = {"moving": "T1.1", "shooting": "T1.2"}


def carrier(card: str) -> str:
    return CARRIERS[packaged().cards[card].country]


def model_of(card: str):
    return packaged().models[carrier(card)]


def duel(card: str, *more, close=False, dice=(), b=None, **a):
    """Put a1 with the card and b1 nose to nose; the dice that matter are followed by ones."""
    own = a_tank("a1", 1000, 5000, 90, carrier(card), cards=[card], **a)
    return a_table(own, a_tank("b1", 2600 if close else 6000, 5000, 270, **(b or {})), *more, dice=[*dice, *[1] * 20])


def shown(table, card: str) -> None:
    """T2.4 Check that the card was turned up by its effect."""
    assert_rule(table.findings, "T2.4", inputs={"tank": "a1", "card": card}, result="face-up")


# --- T1.1, T1.2 initiative -----------------------------------------------------------------------------------


def initiative(phase: str, change: int) -> Check:
    """Check the changed initiative; a card that makes it worse is turned up without an order."""

    def check(card: str) -> None:
        table = duel(card)
        answers = {"initiative alpha": [[["a1", card]]]} if change > 0 else {}
        run_step(table, show_cards(table, phase), answers)
        announce(table, phase)
        heights = {"a1": model_of(card).initiative + change, "b1": 5}
        assert_rule(table.findings, RULES[phase], inputs={"initiative": heights})
        shown(table, card)

    return check


def lends(gain: int, phase: str, far: bool) -> Check:
    """Check the initiative lent to a friend 500 to the side, or anywhere on the table."""

    def check(card: str) -> None:
        for y, legal in ((5800, True), (8000, far)):
            table = duel(card, a_tank("a2", 1000, y, 90, "su-85" if carrier(card) == "t-34-85" else "super-pershing"))
            uses = [["a1", card, "a2"]]
            assert (uses[0] in list(initiative_uses(table, "alpha", phase))) is legal
            if legal:
                run_step(table, show_cards(table, phase), {"initiative alpha": [uses]})
                wanted = {"tank": "a2", "from": "a1", "card": card}
                assert_rule(table.findings, RULES[phase], inputs=wanted, result=gain)

    return check


# --- T7.4 the attack -----------------------------------------------------------------------------------------


def attack(more: int, close=False) -> Check:
    def check(card: str) -> None:
        table = duel(card, close=close)
        played = shoot(table, "a1", "b1", {"aim": [[card]]})
        row = {"text": packaged().cards[card].name, "value": more}
        assert_rule(played.findings, "T7.4", inputs={"attack": 5}, modifiers=(row,), result=5 + more)
        shown(table, card)
        if close:
            tank = duel(card).state.tanks["a1"]
            assert usable(table, tank, "aim", {"close": False}) == []

    return check


def rerolls(dice: list[int], after: tuple[int, ...]) -> Check:
    """Check that some dice of the roll 1 1 1 1 4 are rerolled, as fives."""

    def check(card: str) -> None:
        table = duel(card, dice=[1, 1, 1, 1, 4, *[5] * len(dice)], speed=1)
        played = shoot(table, "a1", "b1", {"reroll": [{"by": card, "dice": dice, "keeps": 0}]})
        assert_rule(played.findings, "T2.2", inputs={"tank": "a1", "card": card, "dice": dice}, result="rolled again")
        hits = sum(die > 3 for die in after)
        assert_rule(played.findings, "T7.4", dice=after, result={"hits": hits, "criticals": 0})
        again = usable(table, table.state.tanks["a1"], "reroll", {})
        assert again == []  # once a turn

    return check


def converts(dice: list[int], left: dict[str, int]) -> Check:
    """Check the result of five attack dice after one defence die, which is a one."""

    def check(card: str) -> None:
        table = duel(card, dice=dice)
        played = shoot(table, "a1", "b1", {"convert": [[card]]})
        assert_rule(played.findings, "T2.2", inputs={"tank": "a1", "card": card}, result=left)
        shown(table, card)

    return check


def only_stationary(card: str) -> None:
    """Check that the effect of Oskin's card does not apply after a move."""
    table = duel(card, speed=1)
    about = {"hits": 2, "criticals": 0}
    assert usable(table, table.state.tanks["a1"], "convert", about) == []
    converts([4, 5, 1, 1, 1], {"hits": 0, "criticals": 2})(card)


def extra_critical(card: str) -> None:
    """One critical draws card 1 (Busted Track) and card 27 of those left (Lost Bearings); the second is kept."""
    table = duel(card, dice=[6, 1, 1, 1, 1, 1, 1, 27])
    played = shoot(table, "a1", "b1", {"sharpen": [[card]], "pick": ["lost-bearings"]})
    cards = ["busted-track", "lost-bearings"]
    assert_rule(played.findings, "T2.2", inputs={"tank": "a1", "card": card, "cards": cards}, result="lost-bearings")
    assert_rule(played.findings, "T7.11", inputs={"critical": "lost-bearings"}, result="drawn")


def target_defence(card: str) -> None:
    table = duel(card)
    played = shoot(table, "a1", "b1", {"aim": [[card]]})
    row = {"text": packaged().cards[card].name, "value": -1}
    assert_rule(played.findings, "T7.6", inputs={"defence": 1}, modifiers=(row,), result=0)


def fours_miss(card: str) -> None:
    """Check that three fours miss and one five hits in a roll of seven dice."""
    played = shoot(duel(card, dice=[4, 4, 4, 5]), "a1", "b1", {"aim": [[card]]})
    assert_rule(played.findings, "T7.4", dice=(4, 4, 4, 5, 1, 1, 1), result={"hits": 1, "criticals": 0})


def ones_spoil(card: str) -> None:
    """Check that a single 1 does no harm in a roll of six dice, but that two of them spoil four sixes."""
    for ones, criticals in ((1, 5), (2, 0)):
        dice = [6] * (6 - ones) + [1] * ones
        played = shoot(duel(card, dice=dice), "a1", "b1", {"aim": [[card]]})
        assert_rule(played.findings, "T7.4", dice=tuple(dice), result={"hits": 0, "criticals": criticals})


def keeps_two(card: str) -> None:
    """Check that a Comet that rolls 6 5 1 1 1 keeps two dice and rerolls three."""
    table = duel(card, dice=[6, 5, 1, 1, 1, 4, 4, 4])
    played = shoot(table, "a1", "b1", {"reroll": [{"by": "stationary", "dice": [2, 3, 4], "keeps": 2}]})
    assert_rule(played.findings, "T9.6", inputs={"kept": 2, "dice": [2, 3, 4]}, result="rolled again")
    shown(table, card)


def second_attack(first: list[int], hit: bool) -> Check:
    """Check the second attack: three dice at a tank 800 from the first target after a hit, all five after a miss."""

    def check(card: str) -> None:
        table = duel(card, a_tank("b2", 6000, 5800, 270), dice=first)
        target, number = ("b2", 3) if hit else ("b1", 5)
        played = shoot(table, "a1", "b1", {"again": [target]})
        assert_rule(played.findings, "T7.1", inputs={"shooter": "a1", "target": target}, result="target")
        rolls = [finding.dice for finding in played.findings if finding.rule == "T7.4" and finding.dice]
        assert [len(dice) for dice in rolls] == [5, number]
        shown(table, card)

    return check


def keeps_ammunition(card: str) -> None:
    """Check that Hyper-velocity rounds stay aboard if they hit nothing."""
    table = duel(card)
    table.state.tanks["a1"].cards += a_tank("a9", 0, 0, cards=["hyper-velocity"]).cards
    played = shoot(table, "a1", "b1", {"aim": [["hyper-velocity"]]})
    assert_rule(played.findings, "T2.2", inputs={"tank": "a1", "card": "hyper-velocity"}, result="kept")
    shown(table, card)


def twin_ammunition(card: str) -> None:
    """T4.4 With the card, a tank may carry two rounds of the same kind and fire one a turn; without the
    card it may carry only one."""
    rounds = ("hyper-velocity", "hyper-velocity")
    for crew, legal in (((card,), True), ((), False)):
        tanks = (Fielded(tank="sherman-76", cards=(*crew, *rounds)),)
        found = list(platoon_objections(packaged(), Platoon(country="us", tanks=tanks)))
        assert (not found) is legal
        legal or assert_rule(found, "T4.4")
    table = duel(card)
    table.state.tanks["a1"].cards += a_tank("a9", 0, 0, cards=rounds).cards
    shoot(table, "a1", "b1", {"aim": [["hyper-velocity"]]})
    assert usable(table, table.state.tanks["a1"], "aim", {"close": False}) == []
    table.state.turn += 1
    played = shoot(table, "a1", "b1", {"aim": [["hyper-velocity"]]})
    assert_rule(played.findings, "T2.2", inputs={"card": "hyper-velocity"}, result="discarded")


# --- T7.6 the defence ----------------------------------------------------------------------------------------


def defence(more: int, close=False, **a) -> Check:
    def check(card: str) -> None:
        table = duel(card, close=close, **a)
        played = shoot(table, "b1", "a1", {"ward": [[card]]})
        row = {"text": packaged().cards[card].name, "value": more}
        base = model_of(card).defence
        usual = -1 if close else 0
        rows = [found for found in played.findings if found.rule == "T7.6" and not isinstance(found.result, dict)]
        assert row in [{name: one[name] for name in row} for one in rows[0].modifiers]
        assert_rule(played.findings, "T7.6", inputs={"defence": base}, result=base + usual + more)
        shown(table, card)

    return check


def not_usable(window: str, about: dict, **a) -> Check:
    def check(card: str) -> None:
        table = duel(card, **a)
        assert usable(table, table.state.tanks["a1"], window, about) == []

    return check


def both(*checks: Check) -> Check:
    def check(card: str) -> None:
        for one in checks:
            one(card)

    return check


def lost_when_damaged(card: str) -> None:
    table = duel(card, dice=[5])
    played = shoot(table, "b1", "a1")
    assert_rule(played.findings, "T2.2", inputs={"tank": "a1", "card": card}, result="lost")


def defence_value(card: str) -> None:
    """Check that a T-34/85 (defence 1) has defence 2 while it moves, plus its speed."""
    played = shoot(duel(card, speed=1), "b1", "a1", {"ward": [[card]]})
    assert_rule(played.findings, "T7.6", inputs={"defence": 2}, result=3)
    not_usable("ward", {"close": False})(card)


def saves(speed: int, dice: list[int]) -> Check:
    """Check that each failed defence die is rerolled, as a four."""

    def check(card: str) -> None:
        number = model_of(card).defence + speed
        table = duel(card, dice=[5, 5, 1, 1, *[1] * number, *[4] * len(dice)], speed=speed)
        played = shoot(table, "b1", "a1", {"save": [{"by": card, "dice": dice}]})
        assert_rule(played.findings, "T2.2", inputs={"tank": "a1", "card": card, "dice": dice}, result="rolled again")
        result = {"shooter cancels": len(dice), "target cancels": 0}
        assert_rule(played.findings, "T7.6", inputs={"target": "a1"}, result=result)
        shown(table, card)

    return check


def stops_critical(card: str) -> None:
    table = duel(card, dice=[6])
    played = shoot(table, "b1", "a1", {"stop": [[card]]})
    assert_rule(played.findings, "T2.2", inputs={"tank": "a1", "card": card}, result="discarded")
    assert_rule(played.findings, "T7.11", inputs={"target": "a1", "criticals": 0}, result=0)


def exposes(card: str) -> None:
    """Check that the first of two hits on the carrier becomes a critical, and the other does 1 damage.

    The critical is card 25, Deep Penetration, for 2 damage.
    """
    table = duel(card, dice=[5, 5, 1, 1, 1, 25])
    played = shoot(table, "b1", "a1")
    assert_rule(played.findings, "T7.11", inputs={"target": "a1", "hits": 1, "criticals": 1}, result=1)
    shown(table, card)
    assert table.state.tanks["a1"].damage == 3


def hull(card: str) -> None:
    """Check that a tank with 6 of 6 damage is not destroyed if it has the card."""
    table = duel(card, damage=6)
    run_step(table, destroy(table), {"hold-out": [[card]]})
    shown(table, card)
    assert table.state.tanks["a1"].live
    assert not any(finding.rule == "T8.1" for finding in table.findings)


# --- T5 moves ------------------------------------------------------------------------------------------------


def never_fast(card: str) -> None:
    assert allowance(packaged(), a_tank("a1", 0, 0, model="t-34", cards=[card])) == 2
    assert allowance(packaged(), a_tank("a1", 0, 0, model="t-34")) == 3


def fast(card: str) -> None:
    table = a_table(a_tank("a1", 4500, 8000, cards=[card]))
    carry_out(table, table.state.tanks["a1"], MoveOrder([Move(0)] * 3, use=[card]))
    assert_rule(table.findings, "T9.4", inputs={"tank": "a1"}, result=3)
    assert_rule(table.findings, "T2.2", inputs={"tank": "a1", "card": card}, result="discarded")


def extra_move(card: str) -> None:
    """Check that Richards, at both paces, moves before the Panzer's turn without adding to speed."""
    for pace in ("forms", "tank"):
        table = a_table(
            a_tank("a1", 4500, 8000, 0, "sherman-76", cards=[card]),
            a_tank("b1", 4500, 1000, 180),
            scenario={"pace": pace},
        )
        form = {"movement alpha": [{"early": {"a1": {"way": 0}}}]}
        played = run_movement(table, form)
        first = next(finding for finding in played.findings if finding.rule in ("T5.1", "T5.3"))
        assert (first.rule, first.inputs["tank"]) == ("T5.1", "a1")
        assert_rule(played.findings, "T5.3", inputs={"tank": "a1", "stationary": True}, result=0)
        shown(table, card)


def early_move(friends: int) -> Check:
    """Check that the tank moves before the first turn, as does one friend within an arrow with a card for two.

    Two friends, or a distant one, may not.
    """

    def check(card: str) -> None:
        model = carrier(card)
        tanks = [
            a_tank("a1", 4500, 8000, 0, model, cards=[card]),
            a_tank("a2", 5500, 8000, 0, model),
            a_tank("a3", 3500, 8000, 0, model),
            a_tank("a4", 8500, 8000, 0, model),
        ]
        early = {"early": {tank.id: {"way": 0} for tank in tanks}}
        table = a_table(*tanks, orders={"alpha": early, "bravo": {}})
        early_moves(table, "early_move")
        moved = [finding.inputs["tank"] for finding in table.findings if finding.rule == "T5.1"]
        assert moved == ["a1", "a2", "a3"][: 1 + friends]
        refused = [finding.inputs["tank"] for finding in table.findings if finding.result == "not possible"]
        assert refused == [tank.id for tank in tanks if tank.id not in moved]
        shown(table, card)

    return check


# --- T8.3 repairs --------------------------------------------------------------------------------------------


def cures(*criticals: str) -> Check:
    def check(card: str) -> None:
        for critical in criticals:
            table = duel(card)
            table.state.deck.remove(critical)
            table.state.drawn.append(critical)
            played = run_step(table, suffer(table, table.state.tanks["a1"], critical), {"cure": [[card]]})
            wanted = {"tank": "a1", "critical": critical, "by": card}
            assert_rule(played.findings, "T2.3", inputs=wanted, result="cancelled")
        others = [critical for critical in packaged().criticals if critical not in criticals]
        tank = duel(card).state.tanks["a1"]
        assert not any(usable(table, tank, "cure", {"critical": other}) for other in others)
        assert usable(table, table.state.tanks["a1"], "cure", {"critical": criticals[0]}) == []

    return check


def repairs_again(*criticals: str) -> Check:
    """Check that a repair roll of 1 is followed by a second roll, which is a 4."""

    def check(card: str) -> None:
        for critical in criticals:
            table = duel(card, dice=[1, 4], criticals=[critical])
            table.state.deck.remove(critical)
            played = run_step(table, repair(table, table.state.tanks["a1"], ""), {"mend": [[card]]})
            wanted = {"tank": "a1", "critical": critical}
            assert_rule(played.findings, "T8.3", inputs=wanted, dice=(1,), result="not repaired")
            assert_rule(played.findings, "T8.3", inputs=wanted, dice=(4,), result="repaired")
            shown(table, card)
        lasting = [critical.id for critical in packaged().criticals.values() if critical.repairable]
        others = [critical for critical in lasting if critical not in criticals]
        tank = duel(card).state.tanks["a1"]
        assert not any(usable(table, tank, "mend", {"critical": other}) for other in others)

    return check


def repairs_always(card: str) -> None:
    table = duel(card, dice=[1], criticals=["busted-track"])
    played = run_step(table, repair(table, table.state.tanks["a1"], ""))
    wanted = {"tank": "a1", "critical": "busted-track", "card": card}
    assert_rule(played.findings, "T8.3", inputs=wanted, result="repaired")


def repairs_in_blitzkrieg(card: str) -> None:
    table = duel(card, dice=[4], criticals=["jammed-turret"])
    order = {"a1": {"move": {"way": 90}, "repair": "jammed-turret"}}
    played = run_step(table, command_phase(table), {"command alpha": [order]})
    assert_rule(played.findings, "T9.2", inputs={"tank": "a1"}, result="moves instead of a repair")
    assert_rule(played.findings, "T8.3", inputs={"critical": "jammed-turret"}, dice=(4,), result="repaired")
    shown(table, card)


# --- the table -----------------------------------------------------------------------------------------------

ONE_HIT_BETTER = converts([4, 5, 1, 1, 1], {"hits": 1, "criticals": 1})
CRITICAL_SPLIT = converts([6, 1, 1, 1, 1], {"hits": 2, "criticals": 0})
ONE_DIE = rerolls([0], (5, 1, 1, 1, 4))
MECHANICAL = ("busted-track", "damaged-engine", "jammed-turret")
SHAKEN = ("bailed-out", "shell-shocked", "stunned-crew")
EVERY = tuple(sorted((*MECHANICAL, *SHAKEN, "engine-fire", "injured-crew")))

ROWS: list[tuple[str, str, Check]] = [
    ("aggressive-commander", "shooting", initiative("shooting", 1)),
    ("cunning-commander", "moving", initiative("moving", 1)),
    ("superb-commander", "moving", initiative("moving", 1)),
    ("superb-commander", "shooting", initiative("shooting", 1)),
    ("precise-commander", "reroll_attack", ONE_DIE),
    ("bloodthirsty-gunner", "attack_close", attack(1, close=True)),
    ("dead-eye-gunner", "hits_to_criticals", ONE_HIT_BETTER),
    ("deadly-gunner", "criticals_to_hits", CRITICAL_SPLIT),
    ("sharpshooter", "extra_critical", extra_critical),
    ("aggressive-loader", "shooting", initiative("shooting", 1)),
    ("clever-loader", "keeps_ammo", keeps_ammunition),
    ("resourceful-loader", "twin_ammo", twin_ammunition),
    ("hasty-loader", "shooting", initiative("shooting", 2)),
    ("hasty-loader", "moving", initiative("moving", -1)),
    ("precise-loader", "reroll_attack", ONE_DIE),
    ("cunning-driver", "moving", initiative("moving", 1)),
    ("racing-driver", "moving", initiative("moving", 2)),
    ("racing-driver", "shooting", initiative("shooting", -1)),
    ("coordinator", "shares_shot", lends(2, "shooting", far=True)),
    ("extra-ammunition", "reroll_attack_all", rerolls([0, 1, 2, 3, 4], (5, 5, 5, 5, 5))),
    ("extra-ammunition", "exposes", exposes),
    ("hyper-velocity", "attack", attack(1)),
    ("super-velocity", "attack", attack(2)),
    ("super-velocity", "fours_miss", fours_miss),
    ("tungsten", "attack", attack(1)),
    ("tungsten", "ones_spoil", ones_spoil),
    ("arrowhead", "attack_close", attack(1, close=True)),
    ("improvised-armour", "hull", hull),
    ("improvised-armour", "no_fast", never_fast),
    ("concrete-armour", "cancel_critical", stops_critical),
    ("concrete-armour", "no_fast", never_fast),
    ("sandbags", "reroll_defence_all", saves(2, [0, 1, 2])),
    ("camouflage", "defence", defence(1)),
    ("camouflage", "only_stationary", not_usable("ward", {"close": False}, speed=1)),
    ("camouflage", "lost_when_damaged", lost_when_damaged),
    ("add-on-armour", "moving", initiative("moving", -1)),
    ("add-on-armour", "shooting", initiative("shooting", -1)),
    ("add-on-armour", "no_fast", never_fast),
    ("add-on-armour", "reroll_defence", saves(1, [1])),
    ("supercharger", "fast", fast),
    ("fire-extinguisher", "cures", cures("engine-fire")),
    ("medical-kit", "cures", cures("injured-crew")),
    ("bigger-hammer", "cures", cures(*MECHANICAL)),
    ("tool-kit", "repairs_again", repairs_again(*MECHANICAL)),
    ("liquid-courage", "repairs_again", repairs_again(*SHAKEN)),
    ("richards", "extra_move", extra_move),
    ("oller", "reroll_attack", ONE_DIE),
    ("oller", "extra_critical", extra_critical),
    ("boggs", "attack", attack(1)),
    ("pool", "moving", initiative("moving", 2)),
    ("pool", "shooting", initiative("shooting", 2)),
    ("pool", "hits_to_criticals", ONE_HIT_BETTER),
    ("pool", "cures", cures("injured-crew")),
    ("mason", "defence", defence(1)),
    ("mason", "repairs_again", repairs_again(*EVERY)),
    ("irwin", "shooting", initiative("shooting", 2)),
    ("irwin", "criticals_to_hits", CRITICAL_SPLIT),
    ("radley-walters", "target_defence", target_defence),
    ("radley-walters", "hits_to_criticals", ONE_HIT_BETTER),
    ("ekins", "keep_dice", keeps_two),
    ("harris", "moving", initiative("moving", 1)),
    ("harris", "shooting", initiative("shooting", 1)),
    ("harris", "extra_critical", extra_critical),
    ("woll", "second_attack", second_attack([5], hit=True)),
    ("baeke", "attack_close", attack(1, close=True)),
    ("baeke", "early_move", early_move(0)),
    ("barkmann", "second_attack", second_attack([1], hit=False)),
    ("barkmann", "repairs_in_blitzkrieg", repairs_in_blitzkrieg),
    ("biermeyer", "moving", initiative("moving", 2)),
    ("biermeyer", "defence_close", both(defence(1, close=True), not_usable("ward", {"close": False}))),
    ("rettemeier", "shooting", initiative("shooting", 2)),
    ("rettemeier", "reroll_attack", ONE_DIE),
    ("wittmann", "moving", initiative("moving", 1)),
    ("wittmann", "shooting", initiative("shooting", 1)),
    ("wittmann", "attack", attack(1)),
    ("wittmann", "repairs_again", repairs_again("bailed-out", "stunned-crew")),
    ("oskin", "shooting", initiative("shooting", 2)),
    ("oskin", "hits_to_criticals", converts([4, 5, 4, 1, 1], {"hits": 1, "criticals": 2})),
    ("oskin", "only_stationary", only_stationary),
    ("kolobanov", "moving", initiative("moving", 3)),
    ("kolobanov", "early_move", early_move(1)),
    ("storozhenko", "moving", initiative("moving", 2)),
    ("storozhenko", "shooting", initiative("shooting", 2)),
    ("storozhenko", "lends", both(lends(1, "moving", far=False), lends(1, "shooting", far=False))),
    ("oktyabrskaya", "defence_value", defence_value),
    ("oktyabrskaya", "repairs_always", repairs_always),
    ("krysov", "moving", initiative("moving", 2)),
    ("krysov", "shooting", initiative("shooting", 2)),
    ("krysov", "reroll_defence_per_move", saves(2, [0, 1])),
]


@pytest.mark.parametrize("card, effect, check", ROWS, ids=[f"{card}-{effect}" for card, effect, _ in ROWS])
def test_T2_2_each_effect_of_each_card(card, effect, check):
    check(card)


def test_T2_2_the_table_has_every_effect_of_all_52_cards():
    said = {
        (card.id, name)
        for card in packaged().cards.values()
        for name in Effect.__struct_fields__
        if getattr(card.effect, name) != getattr(Effect(), name)
    }
    assert len(packaged().cards) == 52
    assert {(card, effect) for card, effect, _ in ROWS} == said


def test_T2_2_krysov_saves_one_die_for_each_move_and_no_more():
    """At speed 1 Krysov may reroll one defence die, but not two."""
    with pytest.raises(Refusal) as refused:
        saves(1, [0, 1])("krysov")
    assert_rule(refused.value, "T2.2", why="at most 1 of the dice can be rerolled")
