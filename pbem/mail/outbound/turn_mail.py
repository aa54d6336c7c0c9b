"""A turn as an email: the summary and scenes of the page, within the limits of phones and mail programs.

Teller        reports a turn within a given number of scenes and lines
fitting       the longest version with which the whole email has at most 60 lines and 5 KB
positions     every known unit with its place, for `positions.txt`
record        every rule, die and signature, for `record-turn-4.txt`
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache

import msgspec

from pbem.engine.rules.title import Rules, Stand
from pbem.engine.text.messages import ENGLISH, Message, Name, Several, Translator, Value, named, say, say_n, several
from pbem.mail.outbound.wording import full_sentence
from pbem.matches.film.scenes import Scene
from pbem.matches.film.summary import Fate, Loss
from pbem.matches.film.turns import Film
from pbem.matches.views import Report

MOST_LINES = 60
MOST_BYTES = 5000
MOST_FORM = 20
"""The most orders in a form within the email; a longer form, or one with many comments, is attached as `orders.txt`.
"""
MOST_WITH_REMARKS = 36
WIDTH = 76
MOST_OF_A_SCENE = 6
STEPS = (
    (25, 25, MOST_OF_A_SCENE),
    *((25, 25, 2), (20, 20, 2), (20, 9, 2), (16, 6, 2), (12, 6, 2)),
    *((scenes, 0, 1) for scenes in range(25, -1, -1)),
)
"""The limits on scenes, on lines of places and on lines of each scene in an email, tried in this order: places are
cut first, because `positions.txt` lists them all.
"""
LEAST_STORY = 6
"""A form is included in the email only if it leaves room for this many scenes; otherwise it is attached."""
MOST_STORY = 8
MOST_ORDERS = 12
MOST_UNITS = 12
MOST_LOST = 12


class TurnMail(msgspec.Struct, frozen=True):
    """The report on a turn. `positions` lists every known unit; `lines` may leave some out."""

    turn: int
    headline: Value
    lines: list[str]
    positions: list[str]
    all_told: bool


class Teller:
    """Reports a turn in ever shorter versions; text that two versions share is worded only once."""

    def __init__(self, film: Film, rules: Rules, speak: Translator = ENGLISH) -> None:
        self.film, self.speak = film, speak
        self.positions = list(positions(film, rules, speak))
        self._situation = list(section(speak(say("THE SITUATION")), list(situation(film, speak))))
        self._results = list(section("", list(results(film, speak))))
        self._places = places_by_side(film, rules, speak)
        self._fate = cache(lambda index: wrap_lines("  ", speak(_fate(film.summary.fates[index]))))
        self._scene = cache(lambda index, most: scene_lines(film, index, most, speak))

    def within(self, room: int, places_room: int, of_a_scene: int) -> TurnMail:
        """Report the turn within this many scenes, lines of places and lines of each scene."""
        places, complete = within_room(*self._places, places_room, self.speak)
        title = self.speak(say("POSITIONS"))
        if places and not places_room:
            title, places = "", [f"{title:<15}{places[0].strip()}"]
        happened = say("WHAT HAPPENED (numbered by turn and scene, as in the film and in disputes)")
        lines = [
            *self._situation,
            *self._results,
            *section(self.speak(say("YOUR ORDERS")), list(orders(self.film, room, self._fate, self.speak))),
            *section(self.speak(happened), list(story(self.film, room, of_a_scene, self._scene, self.speak))),
            *section(title, places),
        ]
        return TurnMail(self.film.turn, self.film.summary.headline, lines, self.positions, complete)


def fitting(teller: Teller, render: Callable[[TurnMail], str], least: int = 0) -> str:
    """Return the fullest text within the limits that includes at least this many scenes, or otherwise the shortest.

    The rest of the email does not shrink with the turn. So a version that is too long together with the rest of
    a fuller email is not rendered.
    """
    rooms = [(number, *rooms) for number, rooms in enumerate(STEPS) if rooms[0] >= least]
    text, around = "", (0, 0)
    for number, *room in rooms:
        turn = teller.within(*room)
        lines, size = size_of("\n".join(turn.lines))
        if number < rooms[-1][0] and is_too_large(around[0] + lines, around[1] + size):
            continue
        text = render(turn)
        if not is_beyond(text):
            break
        whole = size_of(text)
        around = whole[0] - lines, whole[1] - size
    return text


def size_of(text: str) -> tuple[int, int]:
    """Return the number of lines and of bytes in a text."""
    return len(text.splitlines()), len(text.encode())


def is_too_large(lines: int, size: int) -> bool:
    return lines > MOST_LINES or size > MOST_BYTES


def is_beyond(text: str) -> bool:
    """Whether an email is longer than a phone shows at once, or larger than mail programs show uncut."""
    return is_too_large(*size_of(text))


def section(title: str, lines: Sequence[str]) -> Iterator[str]:
    if lines:
        yield from ([title] if title else [])
        yield from lines
        yield ""


def situation(film: Film, speak: Translator) -> Iterator[str]:
    """Return the opening of the report in the title's own words."""
    for line in film.summary.story[:MOST_STORY]:
        yield from wrap_lines("  ", speak(line))


def results(film: Film, speak: Translator) -> Iterator[str]:
    """The score, losses and objectives."""
    summary = film.summary
    if summary.scores:
        sides = {score.side: speak(named("seat", summary.name(score.side))) for score in summary.scores}
        points = [f"{sides[score.side]} {score.after} ({score.change:+d})" for score in summary.scores]
        yield f"{speak(say('SCORE')):<15}{', '.join(points)}"
    yield from wrap_lines(f"{speak(say('YOU DESTROYED')):<15}", speak(losses(summary.destroyed)))
    yield from wrap_lines(f"{speak(say('YOU LOST')):<15}", speak(losses(summary.lost)))
    told = summary.held if summary.story else (*summary.captures, *summary.held)  # the situation tells of captures
    if told:
        yield from whole_sentences(f"{speak(say('OBJECTIVES')):<15}", told, 3, speak)


def losses(lost: Sequence[Loss]) -> Value:
    """The losses: up to three units are listed with name and place, and more as a count with the first ids."""
    if len(lost) <= 3:
        return several(map(_loss, lost), "unit") if lost else say("nothing")
    ids = several((loss.unit for loss in lost[:MOST_LOST]), "unit")
    if len(lost) <= MOST_LOST:
        return say("{count}: {units}", count=len(lost), units=ids)
    return say("{count}: {units} and {more} more", count=len(lost), units=ids, more=len(lost) - MOST_LOST)


def _loss(loss: Loss) -> Message:
    if not str(loss.where):
        return say("{unit} ({name})", unit=loss.unit, name=loss.name)
    return say("{unit} ({name}) {where}", unit=loss.unit, name=loss.name, where=loss.where)


def orders(film: Film, room: int, tell: Callable[[int], list[str]], speak: Translator) -> Iterator[str]:
    """Each order with its outcome; if there are many orders, only those that failed."""
    fates = film.summary.fates
    shown = [index for index, fate in enumerate(fates) if fate.failed or len(fates) <= MOST_ORDERS]
    if len(fates) > MOST_ORDERS:
        counts = {"given": len(fates), "done": len(fates) - len(film.summary.failed), "spare": 0}
        if spare := len(film.summary.needless):
            counts |= {"done": counts["done"] - spare, "spare": spare}
            yield f"  {speak(say('{given} given, {done} carried out, {spare} not needed', **counts))}"
        else:
            yield f"  {speak(say('{given} given, {done} carried out', given=counts['given'], done=counts['done']))}"
    most = max(room // 2, 4)
    for index in shown[:most]:
        yield from tell(index)
    if len(shown) > most:
        yield f"  {speak(say('and {more} more in the record', more=len(shown) - most))}"


def _fate(fate: Fate) -> Message:
    order = Name(shorten_order(fate.order))
    if fate.needless:
        return say("{order}: not needed ({fate})", order=order, fate=fate.fate)
    if fate.failed and fate.done is not None:
        return say("{order}: {done}; the rest FAILED ({fate})", order=order, done=fate.done, fate=fate.fate)
    if fate.failed:
        return say("{order}: FAILED ({fate})", order=order, fate=fate.fate)
    return say("{order}: {fate}", order=order, fate=fate.fate)


def shorten_order(order: str) -> str:
    return textwrap.shorten(order, 40, placeholder=" ...")


def story(
    film: Film, room: int, of_a_scene: int, tell: Callable[[int, int], list[str]], speak: Translator
) -> Iterator[str]:
    """A few lines for each scene or, if there are too many, for those that matter most, and the number of others."""
    scenes = film.scenes
    kept = set(sorted(range(len(scenes)), key=lambda index: importance(scenes[index]))[:room])
    for index in sorted(kept):
        yield from tell(index, of_a_scene)
    left = [scene for index, scene in enumerate(scenes) if index not in kept]
    battles = sum(scene.kind == "battle" for scene in left)
    if battles:
        more = say(
            "and {more} more scenes in the film, including battles: {battles}", more=len(left), battles=battles
        )
        yield f"  {speak(more)}"
    elif left:
        yield f"  {speak(say_n('and {n} more scene in the film', 'and {n} more scenes in the film', n=len(left)))}"


def importance(scene: Scene) -> tuple[bool, int, int]:
    """The sort key of a scene: battles come first, and the largest of them before the others."""
    if scene.kind == "battle":
        return False, -len(scene.units), -scene.weight
    return True, -scene.weight, 0


def scene_lines(film: Film, index: int, most: int, speak: Translator) -> list[str]:
    """Return a scene's first sentence, and as many of its others as fit in this many lines."""
    scene = film.scenes[index]
    if scene.say is None:
        return []
    told = scene.say.items if isinstance(scene.say, Several) and scene.say.style == "sentences" else (scene.say,)
    return whole_sentences(f"  {f'{film.turn}.{scene.number}':<5} ", told, most, speak)


def whole_sentences(first: str, told: Sequence[Value], most: int, speak: Translator) -> list[str]:
    """Return the first sentence, however long it is, and as many of the others as fit in this many lines."""
    kept = [told[0]]
    lines = wrap_lines(first, speak(told[0]), limit=None)
    for one in told[1:]:
        longer = wrap_lines(first, speak(several([*kept, one], "sentences")), limit=None)
        if len(longer) <= most:
            kept, lines = [*kept, one], longer
    return lines


def wrap_lines(first: str, words: str, limit: int | None = 3) -> list[str]:
    """Wrap text in lines with a hanging indent as wide as `first`."""
    return textwrap.wrap(
        words, WIDTH, initial_indent=first, subsequent_indent=" " * len(first), max_lines=limit, placeholder=" ..."
    )


# Places ------------------------------------------------------------------------------------------------------


def places_of(film: Film, rules: Rules, room: int, speak: Translator) -> tuple[list[str], bool]:
    """The positions of both sides in at most this many lines, and whether they are complete."""
    return within_room(*places_by_side(film, rules, speak), room, speak)


def places_by_side(film: Film, rules: Rules, speak: Translator) -> tuple[list[list[str]], bool]:
    """The positions by side, each unit with its facing or each formation of a large force, and whether all fit."""
    sides = sorted({stand.side for stand in film.after}, key=lambda side: (side != film.summary.mine, side))
    told: list[list[str]] = []
    complete = True
    for side in sides:
        name = speak(say("You")) if side == film.summary.mine else film.summary.name(side)
        known = [stand for stand in film.after if stand.side == side]
        if len(known) <= MOST_UNITS:
            said = "; ".join(stand_in_words(rules, stand, speak) for stand in known)
            told.append(wrap_lines(f"  {name:<8} ", said, limit=8))
        else:
            complete = False
            told.append(list(by_formation(rules, name, known, speak)))
    return told, complete


def within_room(told: list[list[str]], complete: bool, room: int, speak: Translator) -> tuple[list[str], bool]:
    """Return as many of these lines as there is room for; each side gets its share."""
    if sum(map(len, told)) <= room:
        return [line for lines in told for line in lines], complete
    share = room // len(told)
    lines = [line for lines in told for line in (lines if len(lines) <= share else whole_items(lines[:share]))]
    rest = say("and more in positions.txt") if lines else say("in positions.txt")
    return [*lines, f"  {speak(rest)}"], False


def whole_items(lines: list[str]) -> list[str]:
    """Return these lines, without the last unit if its place is cut off."""
    kept, cut, _ = lines[-1].rpartition(";") if lines else ("", "", "")
    return [*lines[:-1], kept] if cut else lines


def where_is(rules: Rules, stand: Stand) -> str | Message:
    return rules.place_in_words(stand.at) if stand.at is not None else say("off the map")


def stand_in_words(rules: Rules, stand: Stand, speak: Translator) -> str:
    """A unit with its place, facing and markers: `ge2 G7 (south-east), damaged`."""
    facing = f" ({speak(rules.facing_in_words(stand.facing))})" if stand.facing is not None else ""
    return ", ".join([f"{stand.id} {speak(where_is(rules, stand))}{facing}", *map(speak, stand.marks[:2])])


def by_formation(rules: Rules, name: str, known: Sequence[Stand], speak: Translator) -> Iterator[str]:
    """The places of each formation, those with the most units first."""
    groups: dict[str, list[Stand]] = {}
    for stand in known:
        groups.setdefault(stand.formation or name, []).append(stand)
    for formation, stands in groups.items():
        where = Counter(speak(rules.place_in_words(stand.at)) for stand in stands if stand.at is not None)
        said = [f"{place} {count}" if count > 1 else place for place, count in where.most_common()]
        yield from wrap_lines(f"  {formation} ({len(stands)}): ", ", ".join(said), limit=1)


def positions(film: Film, rules: Rules, speak: Translator = ENGLISH) -> Iterator[str]:
    """Every known unit, by side and formation."""
    groups: dict[tuple[str, str], list[Stand]] = {}
    for stand in film.after:
        groups.setdefault((stand.side, stand.formation), []).append(stand)
    for (side, formation), stands in groups.items():
        yield f"{film.summary.name(side)}{': ' + formation if formation else ''}"
        for stand in stands:
            facts = [*stand.marks]
            if stand.facing is not None:
                facts.insert(0, say("facing {facing}", facing=rules.facing_in_words(stand.facing)))
            place = speak(where_is(rules, stand))
            yield ", ".join([f"  {stand.id} ({stand.name}) {place}", *map(speak, facts)])
        yield ""


def record(report: Report, speak: Translator = ENGLISH) -> str:
    """Everything in a report, with rules and dice, and the signed line of the log."""
    rolls = several((f"{roll.rule} d{roll.sides}={roll.result}" for roll in report.rolls), "unit")
    open_rolls = (
        say("Public die rolls, in order: {rolls}.", rolls=rolls) if report.rolls else say("Public die rolls: none.")
    )
    lines = [
        speak(
            say(
                "{name}, turn {turn}, exchange {exchange}: each result with its rule and its dice.",
                name=report.name,
                turn=report.turn,
                exchange=report.exchange,
            )
        ),
        speak(say("The number after a sentence gives its turn, scene and sentence; use it in disputes.")),
        "",
        *(f"{full_sentence(one, speak)} [{one.place}]" for one in report.told),
        "",
        *textwrap.wrap(speak(open_rolls), 100),
        "",
        speak(say("Every player of this match gets the same signed line; compare them if you wish:")),
        "",
        f"    log {report.head.event}",
        f"    signature {report.head.signature}",
        f"    server {report.head.server}",
    ]
    return "\n".join(lines) + "\n"
