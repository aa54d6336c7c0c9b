"""Findings of the advanced game put into words."""

from __future__ import annotations

from functools import cache

import pytest
from titles.panzer.playing import begin, turns

from pbem.engine.play.bots import random_bot
from pbem.engine.play.resolve import always_asked
from pbem.engine.rules.findings import Finding
from pbem.engine.rules.happenings import Shot
from pbem.engine.text.messages import Message, fields_of
from pbem.engine.text.sentences import plain as plainly
from pbem.titles.panzer.rules_in_use import optional_rules
from pbem.titles.panzer.telling.sentences import optional_rule, tell, tell_tree, teller_of
from pbem.titles.panzer.telling.shown_shots import shots_in
from pbem.titles.panzer.telling.words.phrases import PHRASES


@cache
def told(scenario: str, edition: str, seed: str) -> tuple[Finding, ...]:
    """Return all findings of two turns between bots that make random legal choices."""
    match = begin(scenario, edition, seed, waits=always_asked)
    bots = {seat: random_bot(f"{seed}{seat}", most=30) for seat in match.rules.seats}
    for _ in turns(match, bots):
        if match.run.state.turn > 2:
            break
    return tuple(everything(match.findings))


def everything(findings: tuple[Finding, ...] | list[Finding]) -> list[Finding]:
    return [found for finding in findings for found in (finding, *everything(finding.children))]


@pytest.mark.parametrize(("scenario", "edition"), [("desert", "2024"), ("delay", "2016")])
def test_every_finding_of_a_match_is_told_by_its_own_teller(scenario: str, edition: str) -> None:
    """No finding falls back to plain data, whether for lack of a wording function or because it fails."""
    findings = told(scenario, edition, "told")
    assert len(findings) > 500
    for finding in findings:
        said = teller_of(finding.rule)(finding)
        sentence = str(tell(finding))
        assert said and sentence.endswith(".") and "None" not in sentence and "{" not in sentence
    plain = {finding.rule for finding in findings if teller_of(finding.rule)(finding) == plainly(finding)}
    assert plain <= {"3.2"}, "told plainly"


def test_every_phrase_names_words_that_a_finding_can_have() -> None:
    for phrases in PHRASES.values():
        for phrase in phrases.values():
            for one in (phrase,) if isinstance(phrase, Message) else phrase:
                assert one.text == one.text.strip() and one.text.endswith(".")
                assert all(field.isidentifier() for field in fields_of(one.text))


def a_roll(unit: str, result: str, effect: str, total: int = 54) -> Finding:
    inputs = {"unit": unit, "factor": 4, "defence": 1, "net": -10, "total": total, "no_effect": 38, "suppressed": 66}
    row = {"text": "Overwatch Adjust", "value": -10}
    below = Finding("6.5.4.4.3", inputs={"unit": unit}, result=effect)
    return Finding("6.5.4.4", inputs=inputs, modifiers=(row,), dice=(64,), result=result, children=(below,))


def test_6_5_4_fire_is_told_with_factor_defence_modifiers_total_and_effect() -> None:
    roll = a_roll("s1", "suppressed", "suppressed")
    shot = Finding("6.5.4", inputs={"firer": "g1", "target": "s1"}, result="suppressed", children=(roll,))
    late = Finding("4.4.1/declare-per-target", inputs={"firer": "g2", "target": "s1"}, result="too-late")
    fired = Finding("4.4.2", inputs={"side": "german", "target": "s1", "firers": ["g1", "g2"]}, children=(shot, late))
    assert str(tell(fired)) == (
        "4.4.2 g1 and g2 fire at s1 on overwatch: g1 GP 4 against 1, net -10 (Overwatch Adjust -10), total 54: "
        "suppressed; g2 too late, the target is gone."
    )


def test_6_6_1_2_hand_to_hand_combat_names_the_winner_and_every_round() -> None:
    rounds = tuple(
        Finding(
            "6.6.1.2.1",
            inputs={"primary": "g1", "target": "b1", "attacker": attacker, "defender": defender},
            dice=(attacker, defender),
            result="attacker" if attacker > defender else "defender",
        )
        for attacker, defender in ((33, 55), (67, 41))
    )
    fought = Finding(
        "6.6.1.2", inputs={"primary": "g1", "others": ["g2"], "target": "b1"}, result="attacker", children=rounds
    )
    assert tell_tree(fought)[:2] == [
        "6.6.1.2 g1 and g2 fight b1 hand to hand (33 to 55, 67 to 41): g1 wins.",
        "  6.6.1.2.1 g1 33, b1 55 (rolled 33 and 55): the defender wins the round.",
    ]


def test_answers_given_on_behalf_are_told_in_words() -> None:
    why = {"source": "default", "clause": "", "passed": []}
    answer = {"target": "b1", "firers": [["g1", 0, "ap:APCR"]]}
    finding = Finding("pbem/answered", inputs={"kind": "fire", "subject": "", "rule": "4.4.1", **why}, result=answer)
    assert str(tell(finding)) == "fire: g1 fire b1 with 1 apcr, by the rules' default."


def test_7_0_optional_rules_are_told_under_their_titles() -> None:
    first = {row.rule: row for row in reversed(optional_rules().values())}
    for row in first.values():
        finding = Finding(f"{row.rule}/detail", inputs={"unit": "g1", "range": 3}, dice=(7,), result="lost")
        assert str(optional_rule(finding)) == f"{row.text}, g1: Range 3, rolled 7: lost."


def test_what_an_older_release_found_is_still_told() -> None:
    assert str(tell(Finding("6.8.2", result="full-cover"))) == "6.8.2 By this rule: full-cover."
    assert str(tell(Finding("6.6.1.2.1", result="attacker"))) == "6.6.1.2.1 By this rule: attacker."


def test_6_5_1_6_smoke_is_not_told_as_high_explosive_nor_light_as_smoke() -> None:
    """6.5.1.6 covers GP and smoke, and another paragraph illumination, so each is worded by its own."""
    assert str(tell(Finding("6.5.1.6.1"))).endswith("GP and smoke missions can use any sheaf.")
    assert str(tell(Finding("6.5.1.6.2"))).endswith("Illumination always uses a closed sheaf.")


def test_6_6_1_1_a_combined_attack_is_shown_for_each_attacker():
    """All attackers share the primary attacker's roll; units that have left the map by then are not shown."""
    roll = Finding("6.6.1.2", inputs={"hit_number": 40}, dice=(33,))
    inputs = {"primary": "g1", "others": ["g2", "g3"], "target": "s1"}
    places = {"g1": "C4", "g2": "C4", "s1": "C5"}
    shots = list(shots_in(Finding("6.6.1.2", inputs=inputs, children=(roll,), result="attacker"), places.get))
    assert shots == [Shot(who, "s1", "C4", "C5", 40, (33,), "attacker") for who in ("g1", "g2")]


def test_6_7_3_an_attack_on_several_units_is_shown_with_its_effect_on_its_target():
    """The result shown for the whole attack is the worst one among all units in and around the hex."""
    rolls = (a_roll("s1", "none", "none"), a_roll("s2", "effective", "ko"))
    strafed = Finding("6.7.3.2", inputs={"firer": "ju1"}, result="ko", children=rolls)
    attack = Finding("6.7.3", inputs={"aircraft": "ju1", "target": "s1"}, result="ko", children=(strafed,))
    (shot,) = shots_in(attack, {"ju1": "C4", "s1": "C5", "s2": "C5"}.get)
    assert (shot.at, shot.rolled, shot.result) == ("s1", (64,), "none")


def test_4_4_3_2_3_a_shot_that_cannot_hit_is_shown_although_no_die_is_rolled():
    missed = Finding("6.5.2", inputs={"firer": "g1", "weapon": "gun", "target": "s1"}, result="miss")
    fire = Finding(
        "4.4.1", inputs={"side": "german", "target": "s1", "firers": ["g1"]}, result="miss", children=(missed,)
    )
    assert list(shots_in(fire, {"g1": "C4", "s1": "C9"}.get)) == [Shot("g1", "s1", "C4", "C9", result="miss")]


def test_6_1_4_3_10_smoke_is_shown_as_a_shot_into_its_hex_even_where_there_is_smoke_already():
    laid = Finding("6.1.4.3.10", inputs={"firer": "g1", "hex": "C7"}, result="smoke")
    fired = Finding(
        "6.1.4.3.10", inputs={"firer": "g1", "weapon": "gun", "hex": "C7"}, result="smoke", children=(laid,)
    )
    assert list(shots_in(fired, {"g1": "C4"}.get)) == [Shot("g1", "", "C4", "C7", result="smoke")]


def test_7_22_smoke_that_infantry_throws_is_shown_in_its_own_hex():
    how = Finding("7.22.1", inputs={"unit": "g1", "hex": "C4"}, result="smoke")
    thrown = Finding("7.22", inputs={"firer": "g1"}, result="smoke", children=(how,))
    assert list(shots_in(thrown, {"g1": "C4"}.get)) == [Shot("g1", "", "C4", "C4", result="smoke")]
    assert list(shots_in(Finding("7.22", inputs={"firer": "g1"}, result="no-smoke"), {"g1": "C4"}.get)) == []


def test_6_6_9_the_angle_at_which_a_hull_down_position_gives_no_protection_is_a_direction():
    """6.6.9: the result is the direction in which the position is open, not a number of covered sides."""
    inputs = {"unit": "g1", "facing": 3, "backed": False}
    said = str(tell(Finding("6.6.9/protected-angles", inputs=inputs, result=6)))
    assert said == "6.6.9 The hull-down position of g1, facing 3, gives no protection from direction 6."
