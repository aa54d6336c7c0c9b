"""The film of a turn: its page with the summary first, its data for scripts, and the turn drawn on the map."""

from __future__ import annotations

from typing import Any

import msgspec
from flask import Blueprint, g, jsonify, render_template, request, url_for
from flask.typing import ResponseReturnValue

from pbem.engine.rules.findings import MASTER
from pbem.engine.text.messages import say
from pbem.matches.film import drawing, looks, turns
from pbem.matches.film.scenes import Scene
from pbem.matches.film.turns import Film
from pbem.matches.history.replay import findings_of, record_of
from pbem.matches.rulings import precedents
from pbem.matches.views import numbered_report
from pbem.web.http.inputs import LookSchema, read_form
from pbem.web.http.pictures import picture_of, words_of
from pbem.web.http.speech import translator
from pbem.web.http.stored import page as stored_page
from pbem.web.http.stored import send, store
from pbem.web.http.viewer import Look, look, not_found, signed_in, the_server
from pbem.web.http.visitor_limits import limit_rate
from pbem.web.pages.match.page import draft_fates, streams_of
from pbem.web.pages.match.stories import Sentence, story, to_dispute

bp = Blueprint("film", __name__, url_prefix="/matches/<match>")


@bp.get("/turns/<int:turn>")
def page(match: str, turn: int) -> ResponseReturnValue:
    """A turn: its summary, the map with the whole turn on it, and what happened scene by scene."""
    return stored_page(lambda: streams_of(look(match)), lambda: show(match, turn), precedents.newest(the_server()))


def show(match: str, turn: int) -> str:
    film, now = film_of(match, turn)
    then = look(match, after=film.exchanges[-1])
    return render_template(
        "web/turn.html",
        look=then,
        film=film,
        name=now.position.record.created.name,
        words=words_of(then),
        eyes_of=eyes_of(now),
        solid_side=drawing.solid_side(film),
        over=now.over,
        draft_fates=draft_fates(now, film),
        **beside(now, turn),
    )


def eyes_of(now: Look) -> dict[str, Any]:
    """The viewpoint as a parameter for addresses; empty before the end of the match."""
    return {"as": now.viewer} if now.over and now.viewer != MASTER else {}


@bp.get("/turns/<int:turn>/scenes/<int:number>")
def scene(match: str, turn: int, number: int) -> ResponseReturnValue:
    """The rules and dice of one scene; the page of the turn fetches them when a reader unfolds them."""
    return stored_page(
        lambda: streams_of(look(match)), lambda: show_scene(match, turn, number), precedents.newest(the_server())
    )


def show_scene(match: str, turn: int, number: int) -> str:
    film, now = film_of(match, turn)
    found = next((one for one in film.scenes if one.number == number), None) or not_found(
        say("No scene has this number.")
    )
    told = sentences(match, film.viewer, found)
    return render_template(
        "web/scene.html",
        look=look(match, after=film.exchanges[-1]),
        film=film,
        scene=found,
        name=now.position.record.created.name,
        sentences=told,
        places=to_dispute([one.told for one in told]),
        eyes_of=eyes_of(now),
    )


def film_of(match: str, turn: int) -> tuple[Film, Look]:
    """The film of a turn for the current viewer."""
    now = look(match)
    film = turns.film(the_server(), match, now.viewer, turn, addressed=now.is_own)
    return film or not_found(say("No turn has this number.")), now


def sentences(match: str, viewer: str, scene: Scene) -> list[Sentence]:
    """The full sentences behind a scene, with rules and dice."""
    by_spot: dict[tuple[int, int], Sentence] = {}
    record = record_of(the_server(), match)
    for exchange in dict.fromkeys(spot.exchange for spot in scene.told):
        told = numbered_report(the_server(), match, viewer, exchange)
        trunk, entry = iter(story(told.told, told.rolls)), record.exchange(exchange)
        sentence = next(trunk, None)
        for index, finding in enumerate(findings_of(the_server(), entry, viewer) if entry is not None else ()):
            if sentence is not None and sentence.told.finding == finding:  # repeated passes are reported once
                by_spot[exchange, index] = sentence
                sentence = next(trunk, None)
    spots = [(spot.exchange, spot.index) for spot in scene.told]
    return [by_spot[spot] for spot in spots if spot in by_spot]


def beside(now: Look, turn: int) -> dict[str, str]:
    """The addresses of the turns before and after this one, from the same viewpoint."""
    numbers = [number for number in turns.turns(now.position.record) if number >= 0]
    eyes = eyes_of(now)
    place = numbers.index(turn)
    near = (("previous", numbers[:place][-1:]), ("following", numbers[place + 1 :][:1]))
    return {
        name: url_for("film.page", match=now.match, turn=number, **eyes) for name, found in near for number in found
    }


@bp.get("/turns/<int:turn>/film.json")
def data(match: str, turn: int) -> ResponseReturnValue:
    """The film as data, each scene with its drawing."""
    film, _ = film_of(match, turn)
    found, after = turns.as_data(film, translator()), look(match, after=film.exchanges[-1])
    picture, rules = picture_of(after), after.position.rules
    marks = drawing.marks_by_scene(picture.plain.decode(), film, rules, translator()) if picture is not None else {}
    for scene in found["scenes"]:
        scene["marks"] = marks.get(scene["number"], "")
    return send(store(msgspec.json.encode(found)), "application/json")


@bp.get("/turns/<int:turn>/map.svg")
def draw_turn(match: str, turn: int) -> ResponseReturnValue:
    """The map after a turn, with the whole turn drawn on it; with `before`, the map when the turn began.

    With `marks`, return only the drawing on top; with `plain`, only the map.
    """
    film, _ = film_of(match, turn)
    if "before" in request.args and film.exchanges[0] > 1:
        earlier = picture_of(look(match, after=earlier_than(look(match), film.exchanges[0])))
        return send(earlier or not_found(say("This title has no map.")), "image/svg+xml")
    after = look(match, after=film.exchanges[-1])
    picture = picture_of(after) or not_found(say("This title has no map."))
    if "plain" in request.args:
        return send(picture, "image/svg+xml")
    map_alone, rules = picture.plain.decode(), after.position.rules
    if "marks" in request.args:
        marks = drawing.marks_of_turn(map_alone, film, rules, translator())
        return send(store(f'<svg xmlns="http://www.w3.org/2000/svg">{marks}</svg>'.encode()), "image/svg+xml")
    return send(store(drawing.drawn_turn(map_alone, film, rules, translator()).encode()), "image/svg+xml")


def earlier_than(now: Look, exchange: int) -> int:
    """The exchange that was resolved before the given one."""
    return max(entry.exchange for entry in now.position.record.resolved if entry.exchange < exchange)


@bp.get("/turns/<int:turn>/look")
@signed_in
def last_look(match: str, turn: int) -> ResponseReturnValue:
    """The last scene of a turn that the account has watched; 0 if it has watched none."""
    seen = looks.scenes_seen(the_server(), match, g.account.id, look(match).viewer, turn)
    response = jsonify(scene=seen)
    response.headers["Cache-Control"] = "private, no-store"
    return response


@bp.post("/turns/<int:turn>/look")
@limit_rate("checks")
@signed_in
def note_look(match: str, turn: int) -> ResponseReturnValue:
    """Note up to which scene the account has watched a turn."""
    film, now = film_of(match, turn)
    scene = min(read_form(LookSchema())["scene"], len(film.scenes))
    looks.note(the_server(), match, g.account.id, now.viewer, turn, scene)
    return jsonify(scene=scene)
