"""Findings put into words."""

from __future__ import annotations

from titles.panzer.builders import a_board, a_table, a_vehicle, run_step, shoot
from titles.panzer.playing import play

from pbem.engine.play.resolve import always_asked
from pbem.engine.rules.findings import Finding
from pbem.engine.text.sentences import plain
from pbem.titles.panzer.bots.bot import reckless_bot
from pbem.titles.panzer.command.initiative import initiative_phase
from pbem.titles.panzer.fire.direct_fire import direct_fire_step
from pbem.titles.panzer.state import Command
from pbem.titles.panzer.telling.basic_sentences import TELLERS
from pbem.titles.panzer.telling.sentences import tell, tell_tree, teller_of


def the_worked_example() -> list[Finding]:
    """L1056-1079: a Crusader on Short Halt in the open fires at a IIIJ in a medium grove at range 3, and rolls 12."""
    board = a_board("......\n......\n...m..\n......")
    table = a_table(
        a_vehicle("b1", "A1", "crusader1", facing=3, command=Command.SHORT_HALT),
        a_vehicle("g1", "D3", "pz3j", facing=6, command=Command.FIRE),
        board=board,
        dice=[12],
        sides=("british", "german"),
    )
    return run_step(table, direct_fire_step(table, side="british"), {"fire": [shoot("g1", "b1"), None]}).findings


def test_l1056_a_group_of_fire_is_told_with_modifiers_dice_and_effect() -> None:
    fired = next(finding for finding in the_worked_example() if finding.rule == "4.4.1")
    assert str(tell(fired)) == (
        "4.4.1 b1 fires at g1: b1 range 3 (S), net -7 (target in medium cover -3, Short Halt -4), "
        "21 or less; rolled 12: hit, front armour 11, penetration 12: damaged."
    )


def test_l1056_the_hit_roll_is_told_by_itself() -> None:
    lines = [line for finding in the_worked_example() for line in tell_tree(finding)]
    assert "    4.4.3.2.3 Hit roll: S, net -7: 21 or less; rolled 12: hit." in lines
    assert "    4.4.3.2.2 Net modifier -7 (target in medium cover -3, Short Halt -4)." in lines
    assert "    4.4.3.2.6 Penetration minus armour is +1: damaged." in lines
    assert "  4.2.1 b1 reveals Short Halt." in lines


def test_4_3_1_the_initiative_is_told_whether_the_winner_chooses_or_not() -> None:
    """A-18: initiative is reported even if a scenario takes the choice away from the winner."""
    for winner in ("chooses", "first"):
        table = a_table(sides=("german", "soviet"), dice=[41, 73], scenario={"initiative_winner": winner})
        (found,) = run_step(table, initiative_phase(table)).findings
        assert "the Soviet side is First Player (German roll 41, Soviet roll 73; the Soviet side wins)" in str(
            tell(found)
        )


def test_every_finding_of_whole_matches_is_told_by_its_own_teller() -> None:
    """No finding falls back to plain data because its wording function expects something else."""
    match = play("crossroads", "2016", "told", reckless_bot)
    match.findings += play("duel", "2024", "told", reckless_bot, waits=always_asked).findings
    told = 0
    for finding in everything(match.findings):
        sentence = str(tell(finding))
        assert sentence.endswith(".")
        assert "None" not in sentence
        assert "{" not in sentence
        teller_of(finding.rule)(finding)
        told += 1
    assert told > 1000


def everything(findings: tuple[Finding, ...] | list[Finding]) -> list[Finding]:
    return [found for finding in findings for found in (finding, *everything(finding.children))]


def test_the_findings_at_the_top_of_a_report_have_tellers() -> None:
    match = play("crossroads", "2024", "top", reckless_bot)
    untold = {finding.rule for finding in match.findings if teller_of(finding.rule) is plain}
    assert untold == set()


def test_an_old_finding_that_lacks_a_word_is_still_told() -> None:
    assert str(tell(Finding("4.5.1.1.8", result="no-move"))) == "4.5.1.1.8 By this rule: no-move."


def test_unknown_rules_are_told_plainly() -> None:
    finding = Finding("9.9", inputs={"unit": "g1", "seen_by": ["b1", "b2"]}, dice=(7,), result=True)
    assert str(tell(finding)) == "9.9 Unit g1, seen by b1 and b2, rolled 7: yes."
    assert "9.9" not in TELLERS


def test_automatic_answers_are_told_in_the_order_language() -> None:
    why = {"source": "doctrine", "clause": "fire: best", "passed": []}
    inputs = {"kind": "fire", "subject": "", "rule": "4.4.1", **why}
    finding = Finding("pbem/answered", inputs=inputs, result={"target": "b1", "firers": [["g1", 0, "ap"]]})
    assert str(tell(finding)) == "fire: g1 fire b1 with 1 ap, by your standing orders (“fire: best”)."


def test_ids_stay_as_players_write_them() -> None:
    finding = Finding("4.1.5", inputs={"vehicle": "g1", "marker": "fire"})
    assert str(tell(finding)) == "4.1.5 g1 loses its Spot/Fire marker."


def test_the_end_of_a_match_names_winner_level_and_points() -> None:
    none = {"eliminated": 0, "exited": 0}
    points = tuple(
        Finding("3.6/victory-points", inputs={"side": side, "objectives": vp, **none}, result=vp)
        for side, vp in (("german", 8), ("british", 2))
    )
    finding = Finding("4.6.2", inputs={"turn": 4, "level": "a clear victory"}, result="german", children=points)
    assert (
        str(tell(finding)) == "4.6.2 The match is over: the German side wins a clear victory (German 8, British 2)."
    )
    assert str(tell(points[0])) == "3.6 The German side has 8 points (objectives 8, eliminated 0, exited 0)."
