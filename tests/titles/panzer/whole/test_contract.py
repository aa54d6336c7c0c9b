"""Panzer fulfils the contract of every title, in both games and both editions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import msgspec
from support.title_contract import Stop, TitleContract, happenings_in

from pbem.engine.geometry.hexes import hex_name
from pbem.engine.play.bots import Bot
from pbem.engine.rules.ask import Ask
from pbem.engine.rules.findings import MASTER, PUBLIC, seen_by
from pbem.engine.rules.happenings import Appear, Fail, Shot
from pbem.engine.rules.title import Rules, Submission, Wish
from pbem.titles.panzer.bots.bot import reckless_bot
from pbem.titles.panzer.player.plan import STAY, read_plan
from pbem.titles.panzer.state import Command, PanzerState
from pbem.titles.panzer.telling.watching import NOTHING, Piece, apply_to_board, pieces
from pbem.titles.panzer.title import Panzer
from pbem.tools.film_checks import FATES, exchange_flaws


def on_map(board: Mapping[str, Piece]) -> dict[str, Any]:
    """Return every piece on the map with its place, facing and markers."""
    return {
        id: (piece.place, piece.facing, {what: now for what, now in piece.marks.items() if now})
        for id, piece in board.items()
        if piece.place
    }


class TestPanzer(TitleContract):
    """The contract tests for a duel and for an advanced match with batteries, aircraft and reinforcements."""

    title = Panzer()
    matches: ClassVar[tuple[tuple[str, Mapping[str, Any]], ...]] = (
        ("duel", {"edition": "2016"}),
        ("desert", {"edition": "2024"}),
        ("delay", {"edition": "2016", "rules": ["hidden_units", "morale"]}),
    )
    seeds = (1,)
    most_exchanges = 8
    may_wait_for_others = frozenset({"6.2.1.1.3/inactive-unarmed"})

    def bot(self, rules: Rules, seed: object) -> Bot:
        return reckless_bot(seed)

    def board(self, view: Any) -> dict[str, Any]:
        return {id: piece.place for id, piece in pieces(view).items() if piece.place}

    def other_worlds(self, rules: Rules, state: PanzerState, viewer: str) -> Iterator[PanzerState]:
        """4.2.1 Return worlds in which the enemy has other face-down counters."""
        if viewer == MASTER:
            return
        other = msgspec.convert(msgspec.to_builtins(state), type(state))
        for unit in other.vehicles.values():
            if unit.face_down and not unit.shown and viewer != unit.side:
                unit.command = Command.OVERWATCH
        yield other

    def wishes(self, rules: Rules, view: Any, ask: Ask) -> Iterator[Wish]:
        units = tuple(unit for formation in rules.formations(view, ask.seat) for unit in formation.units)
        enemy = next((unit for unit in view.vehicles.values() if unit.side != ask.seat and unit.hex), None)
        if ask.kind == "commands" and enemy is not None:
            yield Wish(units, "move", goal=hex_name(enemy.hex))
            yield Wish(units, "move", goal=hex_name(enemy.hex), shape="hex")
            yield Wish(units, "fire", target=enemy.id)
            yield Wish(units, "overwatch")

    def test_every_answer_within_a_turn_is_restated_in_words_that_are_read_as_the_same_answer(self) -> None:
        for rules, stops in self.cases("ask"):
            for stop in stops:
                for ask in stop.asks:
                    view = stop.views[ask.seat]
                    for option, _ in zip(rules.options(view, ask), range(6), strict=False):
                        sealed = Submission(rules.check(view, ask, option))
                        again = rules.read(view, ask, rules.restate(ask, sealed))
                        assert rules.check(view, ask, again.answer) == sealed.answer, (ask, sealed.answer)

    def test_every_order_of_a_plan_ends_in_a_happening_or_a_reason(self) -> None:
        for _, stops in self.cases():
            for stop in stops:
                for seat, said in stop.given.items():
                    findings = seen_by(stop.resolution.findings, seat)
                    told = {getattr(one, "who", "") for one in happenings_in(findings) if isinstance(one, FATES)}
                    plan = read_plan(said.plan)
                    moving = {unit for unit, wish in plan.move.items() if wish.mode != STAY and wish.acts}
                    assert {*plan.fire, *moving, *plan.assault, *plan.demolish} <= told
                    assert all(
                        one.why and one.rule and one.order for one in happenings_in(findings) if isinstance(one, Fail)
                    )

    def test_view_before_and_happenings_give_facing_and_markers_too(self) -> None:
        for rules, stops in self.cases():
            for stop in stops:
                for viewer in (*rules.seats, PUBLIC):
                    board = pieces(stop.views[viewer])
                    for happening in happenings_in(seen_by(stop.resolution.findings, viewer)):
                        apply_to_board(board, happening)
                    assert on_map(board) == on_map(pieces(stop.after[viewer]))

    def test_the_film_of_an_exchange_has_no_flaws(self) -> None:
        for rules, stops in self.cases():
            for stop in stops:
                viewers = (*rules.seats, PUBLIC)
                before, after = ({viewer: views[viewer] for viewer in viewers} for views in (stop.views, stop.after))
                assert list(exchange_flaws(rules, before, after, stop.resolution.findings)) == []

    def test_the_films_of_a_turn_agree_with_its_views_however_often_it_stops(self) -> None:
        """With an ask at every choice, a fight may be shown only after its last one; a turn's end shows all."""
        for rules, stops in self.cases("ask"):
            for viewer in rules.seats:
                board = pieces(stops[0].views[viewer])
                for stop in stops:
                    for happening in happenings_in(seen_by(stop.resolution.findings, viewer)):
                        apply_to_board(board, happening)
                    if is_between_turns(stop):
                        assert on_map(board) == on_map(pieces(stop.after[viewer]))

    def test_shots_name_units_that_their_viewers_know(self) -> None:
        for rules, stops in self.cases():
            for stop in stops:
                for viewer in (*rules.seats, PUBLIC):
                    seen = list(happenings_in(seen_by(stop.resolution.findings, viewer)))
                    known = {*pieces(stop.views[viewer]), *pieces(stop.after[viewer])}
                    known |= {happening.who for happening in seen if isinstance(happening, Appear)}
                    for shot in seen:
                        if isinstance(shot, Shot):
                            assert {shot.who, shot.at} <= known and shot.origin and shot.result

    def test_a_piece_without_a_place_has_no_markers(self) -> None:
        assert not NOTHING.place and not NOTHING.marks


def is_between_turns(stop: Stop) -> bool:
    """4.6.2 Return whether the turn is complete after this exchange."""
    return any(finding.rule == "4.6.2" for finding in stop.resolution.findings)
