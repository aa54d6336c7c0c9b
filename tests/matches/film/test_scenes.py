"""Scenes show fights one at a time and quiet moves together; no event is lost or shown twice."""

from __future__ import annotations

from pbem.engine.rules.findings import Finding, happenings_in
from pbem.engine.rules.happenings import Appear, Area, Battle, Change, Control, Fail, Lose, Move, Reveal, Shot, Vanish
from pbem.engine.rules.title import Rules, Stand
from pbem.matches.film.drawing import Paper, corners_of
from pbem.matches.film.scenes import last_changes, scenes
from pbem.matches.film.summary import Given, Score, fates, headline, losses
from pbem.matches.film.wording import Words

STANDS = {
    unit: Stand(unit, f"Tank {unit}", side, "A1", formation=f"1st of {side}")
    for unit, side in (("a1", "red"), ("a2", "red"), ("b1", "blue"), ("b2", "blue"))
}


class Plain:
    """Rules that only give places their names."""

    is_open = False

    change_in_words = Rules.change_in_words

    def place_in_words(self, at):
        return str(at)

    def facing_in_words(self, facing):
        return "north"


WORDS = Words(Plain(), STANDS, "red")


def found(*shows):
    return Finding("1", shows=shows)


def moved(unit, start, end):
    return found(Move(unit, ((start, 1), (end, 1))))


def cut(*findings):
    return scenes([(2, findings)], STANDS)


def test_moves_of_one_formation_are_one_scene_and_run_together():
    made = cut(moved("a1", "A1", "A2"), moved("b1", "A1", "A3"), moved("a2", "A1", "A2"), moved("a1", "A2", "A3"))
    assert [scene.units for scene in made] == [["a1", "a2"], ["b1"]]
    assert made[0].shows[0] == Move("a1", (("A1", 1), ("A2", 1), ("A3", 1)))


def test_units_that_enter_the_map_and_move_on_are_told_once():
    """A unit enters and moves in one finding: the film shows its entry first, and one sentence tells both."""
    enters = [Appear("a1", "A1"), Move("a1", (("A1", None),)), Appear("a2", "A1"), Move("a2", (("A1", None),))]
    (scene,) = cut(found(*enters), found(Move("a1", (("A1", None), ("B2", None)))))
    assert [type(shown) for shown in scene.shows] == [Appear, Appear, Move, Move]
    assert "arrives" not in str(WORDS.say(scene)) and "a1 to B2" in str(WORDS.say(scene))
    (alone,) = cut(found(*enters[:2]))
    assert str(WORDS.say(alone)) == "a1 (Tank a1) arrives in A1."


def test_a_move_that_is_shot_at_is_cut():
    made = cut(moved("a1", "A1", "A2"), found(Shot("b1", "a1", result="miss")), moved("a1", "A2", "A3"))
    assert [scene.kind for scene in made] == ["move", "fight", "move"]


def test_fire_at_one_target_is_one_fight_with_its_effects():
    made = cut(
        found(Shot("a1", "b1", result="miss")),
        found(Shot("a2", "b1", result="ko"), Lose("b1", "A1", "knocked out")),
        found(Shot("a2", "b2", result="miss")),
    )
    assert [(scene.kind, scene.weight) for scene in made] == [("fight", 3), ("fight", 2)]
    assert str(WORDS.say(made[0])).endswith("b1 (Tank b1) is lost in A1: knocked out.")


def test_fire_at_two_places_is_two_fights():
    made = cut(found(Shot("a1", goal="A2", result="NMC")), found(Shot("b1", goal="A3", result="none")))
    assert [str(WORDS.say(scene)) for scene in made] == [
        "a1 (Tank a1) fires at A2: morale check.",
        "b1 (Tank b1) fires at A3: no effect.",
    ]


def test_a_result_is_said_once_and_units_go_by_the_name_of_their_side():
    (fight,) = cut(found(Shot("a1", "b1", result="damaged"), Change("b1", "damaged")))
    assert str(WORDS.say(fight)) == "a1 (Tank a1) fires at b1 (Tank b1): damaged."
    loose = {unit: Stand(unit, "", "blue", "A1") for unit in ("b1", "b2")}
    said = Words(Plain(), loose, "red", {"blue": "British"}).moves(
        [Move(unit, (("A1", 1), ("A2", 1))) for unit in loose]
    )
    assert str(said) == "2 British units move: b1 to A2, b2 to A2."


def test_hand_to_hand_combat_is_not_told_as_fire():
    (fight,) = cut(found(Shot("a1", "b1", rolled=(27,), result="attacker")))
    assert str(WORDS.say(fight)) == "a1 (Tank a1) attacks b1 (Tank b1): won the hand-to-hand combat (rolled 27)."


def test_a_unit_without_a_facing_that_acts_in_its_place_stays_there():
    (still,) = cut(found(Move("a1", (("A1", None),))))
    assert str(WORDS.say(still)) == "a1 (Tank a1) stays in A1."


def test_many_units_that_come_into_sight_share_a_sentence_and_dust_cuts_no_move():
    (seen,) = scenes([(2, [found(*(Appear(f"u{number}", "A1") for number in range(8)))])], {})
    assert str(WORDS.say(seen)) == (
        "8 units come into sight: u0 in A1, u1 in A1, u2 in A1, u3 in A1, u4 in A1, u5 in A1 and 2 more."
    )
    made = cut(moved("a1", "A1", "A2"), found(Area("dust", ("A1",), "a1")), moved("a2", "A1", "A2"))
    assert [scene.units for scene in made] == [["a1", "a2"]]
    assert Area("dust", ("A1",), "a1") in made[0].shows


def test_every_happening_and_every_sentence_is_in_exactly_one_scene():
    findings = [
        found(),
        moved("a1", "A1", "A2"),
        found(Change("a1", "speed", 2)),
        found(Shot("b1", "a1", result="suppressed"), Change("a1", "suppressed")),
        found(),
        found(Control("A2", "red", "blue")),
        found(Appear("b2", "A1", 1), Fail("a2", "a2 move A9", "no way")),
        found(),
    ]
    made = cut(*findings)
    shown = [shown for scene in made for shown in scene.shows]
    assert sorted(map(repr, shown)) == sorted(repr(one) for one in happenings_in(findings))
    spots = sorted((spot.exchange, spot.index) for scene in made for spot in scene.told)
    assert spots == [(2, index) for index in range(len(findings))]
    assert [scene.number for scene in made] == list(range(1, len(made) + 1))


def test_a_battle_is_one_scene_with_its_retreats_and_advances():
    battle = Battle(("a1", "a2"), "A2", ("b1",), "3:1", (4,), "the defender retreats 1")
    made = cut(
        found(battle),
        found(Change("a1", "disrupted")),
        moved("b1", "A2", "A3"),
        moved("a2", "A1", "A2"),
        found(Control("A2", "red", "blue")),
        moved("b2", "B1", "B2"),
        found(battle),
    )
    assert [scene.kind for scene in made] == ["battle", "move", "battle"]
    said = str(WORDS.say(made[0]))
    assert said.startswith("a1 and a2 attack A2 at 3:1: the defender retreats 1 (rolled 4).")
    assert (
        "Falling back: b1 to A3." in said
        and "Advancing: a2 to A2." in said
        and "The red side captured A2 from the blue side." in said
    )


def test_orders_have_fates():
    happened = [
        (1, Shot("a1", "b1", result="miss", rolled=(75,), needed=50)),
        (2, Fail("a2", "a2 move K5", "b2 was first")),
    ]
    told = list(fates([Given(["a1 fire b1", "a2 move K5"], happened)], WORDS))
    assert [(fate.order, str(fate.fate), fate.failed) for fate in told] == [
        ("a1 fire b1", "missed (rolled 75, needed 50)", False),
        ("a2 move K5", "b2 was first", True),
    ]


def test_an_overwatch_without_a_shot_is_told_and_one_with_a_shot_only_by_its_result():
    shot = (1, Shot("a1", "b1", result="miss"))
    assert [
        (fate.order, str(fate.fate)) for fate in fates([Given(["a1 overwatch", "a2 overwatch"], [shot])], WORDS)
    ] == [
        ("a1 overwatch", "missed"),
        ("a2 overwatch", "did not fire"),
    ]


def test_an_order_about_a_card_or_a_repair_has_no_fate_by_the_shots_of_its_unit():
    happened = [(1, Shot("a1", "b1", result="miss")), (1, Reveal("a1", "card", "Tungsten"))]
    lines = ["a1: use tungsten", "a2: keep sandbags", "a1: reroll always"]
    assert [(fate.order, str(fate.fate)) for fate in fates([Given(lines, happened)], WORDS)] == [
        ("a1: use tungsten", "Tungsten was turned face up"),
        ("a2: keep sandbags", "carried out"),
        ("a1: reroll always", "missed"),
    ]


def test_an_attack_of_several_and_an_order_that_shows_nothing_else_have_fates():
    happened = [(2, Battle(("a1", "a2"), "A2", ("b1",), "3:1", (4,), "the defender retreats 1"))]
    lines = ["attack A2 with a1, a2", "b2 reserve", "b1 hold"]
    assert [(fate.order, str(fate.fate), fate.scene) for fate in fates([Given(lines, happened)], WORDS)] == [
        ("attack A2 with a1, a2", "at 3:1: the defender retreats 1", 2),
        ("b2 reserve", "carried out", 0),
    ]


def test_the_headline_says_who_leads_and_what_it_cost():
    scores = [Score("red", 3, 6), Score("blue", 0, 3)]
    assert str(headline("red", scores, 1, 1)) == "You lead 6 to 3. You destroyed 1 unit and lost 1"
    assert str(headline("red", scores, 1, 0)) == "You lead 6 to 3. You lost 1 unit"
    assert str(headline("red", scores, 0, 2)) == "You lead 6 to 3. You destroyed 2 units"
    assert str(headline("blue", scores, 0, 0)) == "You trail 3 to 6. No units lost"
    assert (
        str(headline("blue", scores, 0, 1, addressed=False))
        == "The red side leads 6 to 3. The blue side destroyed 1 unit"
    )
    assert str(headline("blue", scores, 2, 1, {"blue": "British"}, addressed=False)).endswith(
        ". The British side destroyed 1 unit and lost 2"
    )
    assert str(headline("", scores, 0, 2, addressed=False)) == "The red side leads 6 to 3. 2 units lost"
    assert str(headline("", scores, 0, 2)) == "The red side leads 6 to 3. 2 units lost"


def test_places_are_found_in_the_picture():
    assert list(corners_of("M52 0h52l26 45-26 45h-52l-26-45z"))[:3] == [(52, 0), (104, 0), (130, 45)]
    paper = Paper('<svg data-scale="0.1"><path data-hex="A0" d="M52 0h52l26 45-26 45h-52l-26-45z">')
    assert paper.at("A0") == (78, 45) and paper.at((1000, 50)) == (100, 5)


def test_where_nothing_is_hidden_enemies_arrive():
    open_rules = Plain()
    open_rules.is_open = True
    seen = Appear("b1", "C3")
    assert str(Words(open_rules, STANDS, "red").one(seen)).endswith("arrives in C3.")
    assert str(WORDS.one(seen)).endswith("comes into sight in C3.")


def test_a_fire_group_is_one_attack_with_one_roll():
    group = [Shot(unit, goal="B2", rolled=(1, 2), result="K/2") for unit in ("a1", "a2")]
    (fight,) = cut(found(*group))
    assert str(WORDS.say(fight)) == (
        "a1 (Tank a1) and a2 (Tank a2) fire at B2: casualty reduction and morale check at +2 (rolled 1, 2)."
    )
    (each,) = cut(found(Shot("a1", "b1", rolled=(7,), result="miss"), Shot("a2", "b1", rolled=(7,), result="miss")))
    assert str(WORDS.say(each)).count("fires at") == 2  # each shot at a unit has its own roll


def test_an_order_that_failed_is_quoted_and_names_its_unit():
    (scene,) = cut(found(Fail("a1", "move A2; if broken stop", "it broke")))
    assert str(WORDS.say(scene)) == '"a1 move A2; if broken stop" failed: it broke.'


def test_a_unit_that_is_replaced_is_told_unless_it_only_appears():
    (replaced,) = cut(found(Change("a1", "name", "2-2-7")))
    assert str(WORDS.say(replaced)) == "a1 (Tank a1): name 2-2-7."
    (created,) = cut(found(Appear("ax1", "A1"), Change("ax1", "name", "7-0")))
    assert str(Words(Plain(), STANDS, "red", known=STANDS).say(created)) == "ax1 comes into sight in A1."


def test_the_cause_of_a_loss_is_told_in_words():
    (lost,) = cut(found(Lose("b1", "A1", "combat")))
    assert str(WORDS.say(lost)) == "b1 (Tank b1) is lost in A1: its last step was lost in combat."


def test_a_unit_that_was_intercepted_is_not_lost_where_it_set_out():
    (lost,) = cut(found(Lose("b1", "A1", "interception")))
    assert str(WORDS.say(lost)) == "b1 (Tank b1) is lost on the way from A1: intercepted."
    assert [str(loss.where) for loss in losses([lost], STANDS, WORDS)] == ["on the way from A1"]


def test_of_several_changes_of_a_marker_only_the_last_is_told_and_none_of_a_lost_unit():
    hurt = [Change("b1", "damage", now) for now in (1, 2)]
    (fight,) = cut(found(Shot("a1", "b1", result="hit"), *hurt))
    assert last_changes(fight) == [Change("b1", "damage", 2)]
    (deadly,) = cut(found(Shot("a1", "b1", result="hit"), *hurt, Lose("b1", "A1")))
    assert last_changes(deadly) == [] and "damage" not in str(WORDS.say(deadly))


def test_a_unit_that_is_taken_off_an_open_map_leaves_it():
    """A unit that is removed from a map without hidden units has left it; the unit is not described as
    out of sight."""
    hidden, open_ = Words(Plain(), STANDS, "red"), Words(type("Open", (Plain,), {"is_open": True})(), STANDS, "red")
    assert str(hidden.one(Vanish("b1"))).endswith("goes out of sight.")
    assert str(open_.one(Vanish("b1"))).endswith("leaves the map.")
    many = [Vanish(f"b{number}") for number in range(1, 7)]
    assert "go out of sight: " in str(hidden.crowd(many)) and "leave the map: " in str(open_.crowd(many))


def test_a_barrage_of_a_side_has_the_name_of_the_side() -> None:
    said = Words(Plain(), STANDS, "red", {"blue": "British"}).one(Area("barrage", ("A1",), "blue"))
    assert str(said) == "Barrage by British on A1."
