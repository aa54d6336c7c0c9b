"""2.0, 6.5.1.4, 6.7.1 Decisions before play: starting positions and secret plots.

2.0                   Deploy    `g1 at D5 face 3`, `g2 aboard g1`
6.5.1.4, 6.5.1.11.1   Plot      `register gb1 E7`, `plan gb1 turn 3: E7 closed gp 2`, `load a1 rockets`, `f1 D5`
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.engine.rules.title import Submission
from pbem.engine.text.forms import FormLine
from pbem.engine.text.grammar import Words, lines, parts, tokens
from pbem.titles.panzer.decisions.base import PanzerDecision
from pbem.titles.panzer.player.forms import placing_form, plot_form
from pbem.titles.panzer.player.restating import write_plot
from pbem.titles.panzer.reading.base import one_named
from pbem.titles.panzer.reading.language import parse
from pbem.titles.panzer.reading.naming import DONE, raise_all
from pbem.titles.panzer.reading.reader import Reader
from pbem.titles.panzer.reading.support import pattern_of
from pbem.titles.panzer.reading.vocabulary import direction, tokens_of
from pbem.titles.panzer.setup.deployment import ABOARD, check_deploy, deploy_options
from pbem.titles.panzer.setup.mine_laying import MINE_KINDS
from pbem.titles.panzer.setup.plotting import check_plot, plot_options


class Deploy(PanzerDecision, kind="deploy", rule="2.0"):
    """2.0 The starting positions of a side's units."""

    grade = "order"

    def options(self) -> Iterator[Any]:
        return deploy_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_deploy(self.situation, self.ask, given)

    def take(self, text: str) -> Submission:
        return read_placing(self.reader(), text)

    def sentence(self, answer: Any) -> Iterator[str]:
        yield from (write_placing(unit, place) for unit, place in sorted(answer.items()))

    def form(self) -> Iterator[FormLine]:
        yield from placing_form(self.situation, self.seat, self.ask.about.get("own"))


def read_placing(reader: Reader, text: str) -> Submission:
    """2.0 Read starting positions, in lines such as `g1 at D5 face 3` and `g2 aboard g1`."""
    reader.own = [unit for unit in reader.view.vehicles.values() if unit.side == reader.seat]
    places: dict[str, list[Any]] = {}
    for line in lines(text):
        if line.text == DONE:
            continue  # all others as in the scenario
        with reader.at(line):
            words = parse(line, "full_placing")
            names = tokens(words, "NAME")
            unit = reader.own_unit(names[0])
            facings = [direction(word) for word in tokens_of(words, "face", "DIRECTION")]
            if words.data == "aboard":
                places[unit.id] = [ABOARD, reader.own_unit(names[1]).id]
            else:
                places[unit.id] = [reader.hex(tokens(words, "HEX")[0]), *(facings or [unit.facing])]
    raise_all(reader.refusals)
    return Submission(dict(sorted(places.items())))


def write_placing(unit: str, place: Sequence[Any]) -> str:
    """2.0 One unit's starting position as an order line."""
    return f"{unit} aboard {place[1]}" if place[0] == ABOARD else f"{unit} {place[0]} face {place[1]}"


class PlotInSecret(PanzerDecision, kind="plot", rule="6.5.1.4"):
    """6.5.1.4, 6.5.1.11.1, 6.7.1 Registered points, planned fire, loads of aircraft, features and mines."""

    grade = "order"

    def options(self) -> Iterator[Any]:
        return plot_options(self.situation, self.ask)

    def check(self, given: Any) -> Any:
        return check_plot(self.situation, self.ask, given)

    def take(self, text: str) -> Submission:
        reader = self.reader()
        plot: dict[str, Any] = {"registered": {}, "planned": [], "loads": {}, "features": {}, "mines": {}}
        for line in lines(text):
            with reader.at(line):
                take_plot(reader, plot, parse(line, "plotting"))
        raise_all(reader.refusals)
        return Submission({name: said for name, said in plot.items() if said})

    def sentence(self, answer: Any) -> Iterator[str]:
        yield from write_plot(answer) or ["done"]

    def form(self) -> Iterator[FormLine]:
        yield from plot_form(self.situation, self.seat)


def take_plot(reader: Reader, plot: dict[str, Any], words: Words) -> None:
    """Read one line of a plot."""
    view, seat = reader.view, reader.seat
    batteries = {id: battery.name for id, battery in view.batteries.items() if battery.side == seat}
    names, hexes = tokens(words, "NAME"), tokens(words, "HEX")
    match words.data:
        case "register":
            battery = one_named(names[0], batteries, "battery")
            plot["registered"][battery] = [reader.hex(word) for word in hexes]
            reader.once(f"register {battery}", plot["registered"][battery])
        case "plan":
            battery = one_named(names[0], batteries, "battery")
            turn = int(tokens(words, "NUMBER")[0])
            legs = [leg for tree in parts(words, "planned") for leg in legs_of(reader, tree)]
            plot["planned"].append({"battery": battery, "turn": turn, "legs": legs})
        case "load":
            own = {id: craft.name for id, craft in view.aircraft.items() if craft.side == seat}
            aircraft = one_named(names[0], own, "aircraft")
            plot["loads"][aircraft] = "bombs" if tokens(words, "BOMB") else "rockets"
            reader.once(f"load {aircraft}", plot["loads"][aircraft])
        case "feature":
            own = {id: feature.type for id, feature in view.features.items() if feature.side == seat}
            feature = one_named(names[0], own, "feature of yours")
            facings = [direction(word) for word in tokens_of(words, "face", "DIRECTION")]
            plot["features"][feature] = [reader.hex(hexes[0]), *(facings or [view.features[feature].facing])]
            reader.once(feature, plot["features"][feature])
        case "mines":
            own = dict.fromkeys(reader.ask.about.get("mines", ()), "")
            field = one_named(names[0], own, "minefield whose kind you choose")
            plot["mines"][field] = one_named(names[1], dict.fromkeys(MINE_KINDS, ""), "kind of mines")
            reader.once(field, plot["mines"][field])


def legs_of(reader: Reader, words: Words) -> list[list[Any]]:
    """6.5.1.11.1 One target point of planned fire, repeated for the number of turns given."""
    sheaf, way, type = pattern_of(words)
    times = int("".join(tokens(words, "TIMES")).strip("x") or 1)
    leg = [reader.hex(tokens(words, "HEX")[0]), type or "gp", sheaf or "closed", way]
    return [leg] * min(times, 20)
