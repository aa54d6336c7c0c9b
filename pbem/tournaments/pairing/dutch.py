"""FIDE Dutch, through `py4swiss`: for fields of up to 256 players.

The library gets its input in memory. It implements the edition of the Dutch system that was in force until 31 January
2026. It knows wins, draws and losses only as letters with fixed points; `_Line` and `_Tally` carry our own tenths
instead. Pairs come from the library, sides from `sides`.
"""

from __future__ import annotations

from importlib import metadata

from pbem.tournaments.model import Bye
from pbem.tournaments.pairing.explaining import explain, reasons
from pbem.tournaments.pairing.field import Draw, Field, Game, Impossible, Player, absentees
from pbem.tournaments.pairing.sides import allot

try:  # the library has compiled parts; where it cannot be installed, `large` pairs every field
    from py4swiss.engines.common import PairingError
    from py4swiss.engines.dutch import Engine
    from py4swiss.trf import ParsedTrf
    from py4swiss.trf.codes import PlayerCode
    from py4swiss.trf.results import ColorToken, ResultToken, RoundResult, ScoringPointSystem
    from py4swiss.trf.sections import PlayerSection, XSection

    AVAILABLE = True
except ImportError:  # pragma: no cover
    AVAILABLE = False

EDITION = "FIDE Dutch system, edition in force until 31 January 2026"

if AVAILABLE:
    LETTERS = {
        "pairing": ResultToken.PAIRING_ALLOCATED_BYE,
        "full": ResultToken.FULL_POINT_BYE,
        "half": ResultToken.HALF_POINT_BYE,
        "zero": ResultToken.ZERO_POINT_BYE,
    }
    SIDES = {0: ColorToken.WHITE, 1: ColorToken.BLACK, None: ColorToken.BYE_OR_NOT_PAIRED}

    class _Line(RoundResult):  # type: ignore[misc]
        """A round's result with its points in tenths."""

        tenths: int = 0

    class _Tally(ScoringPointSystem):  # type: ignore[misc]
        """A point system that takes the points from the lines."""

        def get_points_times_ten(self, round_result: RoundResult) -> int:
            assert isinstance(round_result, _Line)
            return round_result.tenths


class Dutch:
    """The pairer for all fields except very large ones, by the FIDE Dutch system."""

    name = "dutch"

    @property
    def version(self) -> str:
        return f"py4swiss {metadata.version('py4swiss')}"

    def pair(self, field: Field) -> Draw:
        """Pair a round by the FIDE Dutch system."""
        players = field.active()
        if not players:
            return Draw((), absentees(field), self.name, self.version)
        if len(players) == 1:
            return _alone(field, players[0], self)
        numbers = {player.seed: player for player in field.players}
        try:
            found = Engine.generate_pairings(_trf(field))
        except PairingError as problem:
            raise Impossible(*explain(field)) from problem
        byes = [Bye(numbers[p.white].number, "pairing", "odd number of players") for p in found if p.black == 0]
        pairs = [_allot_sides(field, numbers[p.white], numbers[p.black]) for p in found if p.black != 0]
        draw = Draw(tuple(pairs), (*byes, *absentees(field)), self.name, self.version)
        return Draw(draw.pairs, draw.byes, draw.engine, draw.version, reasons(field, draw))


def _alone(field: Field, player: Player, pairer: Dutch) -> Draw:
    kind = "zero" if player.had_bye else "pairing"
    bye = Bye(player.number, kind, "no other player is available")  # type: ignore[arg-type]
    return Draw((), (bye, *absentees(field)), pairer.name, pairer.version)


def _allot_sides(field: Field, one: Player, other: Player) -> tuple[int, int]:
    return allot(field, one, other) if field.sided else (one.number, other.number)


def _trf(field: Field) -> ParsedTrf:
    """Convert the field for the library: one section for each player, with seeds as starting numbers."""
    seeds = {player.number: player.seed for player in field.players}
    sections = [_section(field, player, seeds) for player in sorted(field.players, key=lambda p: p.seed)]
    top = field.top_scorers and field.round == field.rounds
    pairs = {(seeds[one], seeds[other]) for one, other in field.forbidden if one in seeds and other in seeds}
    extra = XSection(
        number_of_rounds=field.round if top else field.round + 1,
        zeroed_ids={player.seed for player in field.players if player.absent is not None},
        scoring_point_system=_Tally(),
        forbidden_pairs=pairs,
        accelerations={p.seed: _boosts(field, p) for p in field.players if p.boost},
    )
    return ParsedTrf(player_sections=sections, x_section=extra)


def _boosts(field: Field, player: Player) -> list[int]:
    """Return a player's acceleration points by round: none for past rounds, only for the round to be paired."""
    return [0] * (field.round - 1) + [player.boost]


def _section(field: Field, player: Player, seeds: dict[int, int]) -> PlayerSection:
    lines = [_line(field, player, game, seeds) for game in player.games]
    return PlayerSection(
        code=PlayerCode.PLAYER,
        starting_number=player.seed,
        points_times_ten=player.points,
        rank=player.seed,
        results=lines,
    )


def _line(field: Field, player: Player, game: Game, seeds: dict[int, int]) -> _Line:
    if game.bye is not None:
        return _Line(id=0, color=SIDES[None], result=LETTERS[game.bye], tenths=game.points)
    side = game.side if field.sided else sum(g.played for g in player.games if g.round < game.round) % 2
    opponent = seeds.get(game.opponents[0], 0) if game.opponents else 0
    if not game.played:
        letter = ResultToken.FORFEIT_WIN if game.points > 0 else ResultToken.FORFEIT_LOSS
    else:
        letter = ResultToken.DRAW
    return _Line(id=opponent, color=SIDES[side], result=letter, tenths=game.points)
