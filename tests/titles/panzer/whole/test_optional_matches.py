"""7.1-7.7, 7.42, 7.52 Whole turns with all these optional rules, without a violated invariant or a leak."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from titles.panzer.playing import Match

from pbem.engine.play.bots import random_bot
from pbem.engine.play.resolve import always_asked
from pbem.engine.play.run import Run
from pbem.engine.rules.findings import PUBLIC, Finding, seen_by
from pbem.engine.rules.state import copy, from_bytes, to_bytes
from pbem.titles.panzer.state import Command, PanzerState
from pbem.titles.panzer.title import Panzer
from pbem.titles.panzer.view import view_of

RULES = (
    "morale",
    "hidden_units",
    "platoon_command",
    "radios",
    "soviet_communications",
    "tank_fright",
    "limited_spotting",
    "staggered_initiative",
    "command_span",
)
COUNTERS = "{german = 24}", "{german = 24, soviet = 3}"
"""The scenario is ready for hidden Germans; here the Soviets have dummies."""


def a_match(scenario: str, edition: str, seed: str, without: tuple[str, ...] = ()) -> Match:
    """Start a match with hidden guns and all these rules."""
    title = Panzer()
    rules = [rule for rule in RULES if rule not in without]
    blobs: dict[str, Any] = dict(title.freeze(scenario, {"edition": edition, "rules": rules}))
    text = blobs["scenario"].decode().replace(*COUNTERS)
    blobs["scenario"] = text.encode()
    bound = title.rules(blobs)
    match = Match(bound, seed, Run(bound, bound.setup(())), waits=always_asked)
    match.go_on()
    return match


def play(match: Match, turns: int) -> Counter[str]:
    """Let bots give any legal answers; check that every default is legal and no state violates an invariant."""
    bot = random_bot(match.seed, most=6)
    kinds: Counter[str] = Counter()
    while match.run.asks and match.run.state.turn <= turns:
        answers: dict[str, Any] = {}
        for ask in match.run.asks:
            kinds[ask.kind] += 1
            view = match.run.view(ask.seat)
            match.rules.check(view, ask, match.rules.default(lambda view=view: view, ask))
            answers[ask.seat] = match.rules.check(view, ask, bot(match.rules, view, ask).answer)
        before, told = hidden_units(match), len(match.findings)
        match.go_on(answers)
        assert list(match.rules.flaws(match.run.state)) == []
        for side in ("german", "soviet"):
            secret = {id for id in before & hidden_units(match) if match.run.state.vehicles[id].side != side}
            assert not secret & words(seen_by(match.findings[told:], side))
    return kinds


def hidden_units(match: Match) -> set[str]:
    return {unit.id for unit in match.run.state.vehicles.values() if unit.hidden}


def words(findings: Any) -> set[str]:
    """Return every word in the findings."""
    if isinstance(findings, str):
        return {findings}
    if isinstance(findings, dict):
        findings = [*findings, *findings.values()]
    if isinstance(findings, Finding):
        findings = [findings.inputs, findings.cell, findings.result, findings.children]
    return {word for one in findings for word in words(one)} if isinstance(findings, list | tuple) else set()


@pytest.mark.parametrize("edition", ["2016", "2024"])
def test_7_0_two_turns_with_all_these_rules_are_played_without_a_flaw_or_a_leak(edition: str) -> None:
    """Every hidden counter might be a dummy, and the enemy's view is the same if it is."""
    match = a_match("delay", edition, f"optional {edition}")
    kinds = play(match, 2)
    assert match.run.state.turn == 3
    assert {"hide", "sneak", "formation", "commands", "fire", "move", "adjust"} <= set(kinds)
    rules = {finding.rule for finding in match.findings}
    assert {"7.0", "7.1", "7.2", "7.7", "7.42", "7.42.1.1", "7.42.2"} <= rules
    for state in match.states:
        assert isinstance(state, PanzerState)
        assert from_bytes(to_bytes(state), PanzerState) == state
        for viewer in (*state.sides, PUBLIC):
            other = another_world(state, viewer)
            assert to_bytes(view_of(state, viewer)) == to_bytes(view_of(other, viewer))


def another_world(state: PanzerState, viewer: str) -> PanzerState:
    """Return the same state, but with different contents under every counter that is not the viewer's."""
    other = copy(state)
    for counter in other.hidden_counters.values():
        if counter.side != viewer:
            counter.units = counter.units[1:] if counter.units else ("somebody",)
    for unit in other.vehicles.values():
        if unit.hidden and unit.side != viewer:
            unit.command, unit.facing, unit.fired = Command.OVERWATCH, 1 + unit.facing % 6, not unit.fired
    return other
