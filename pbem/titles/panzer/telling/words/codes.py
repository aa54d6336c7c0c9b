"""Words of findings as readers see them: codes of the record, modifiers, commands and effects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pbem.engine.rules.findings import Finding
from pbem.engine.text.messages import Name, Signed, Value, named, say, several, term
from pbem.engine.text.sentences import YES_OR_NO, data

WORDS: Final = {
    "aboard": term("panzer word", "aboard"),
    "acquired": term("panzer word", "acquired"),
    "not-acquired": term("panzer word", "not acquired"),
    "alley": term("panzer word", "alley"),
    "ap": term("panzer word", "AP"),
    "ap:APCR": term("panzer word", "APCR"),
    "ap:HVAP": term("panzer word", "HVAP"),
    "gp": term("panzer word", "GP"),
    "attached": term("panzer word", "attached"),
    "unattached": term("panzer word", "unattached"),
    "organic": term("panzer word", "organic"),
    "bails-out": term("panzer word", "bails out"),
    "bailed-out": term("panzer word", "bailed out"),
    "barrage_closed": term("panzer word", "a closed barrage"),
    "barrage_open": term("panzer word", "an open barrage"),
    "bhq": term("panzer word", "battalion headquarters"),
    "chq": term("panzer word", "company headquarters"),
    "rhq": term("panzer word", "regimental headquarters"),
    "fo": term("panzer word", "forward observer"),
    "recon": term("panzer word", "reconnaissance unit"),
    "bombs": term("panzer word", "bombs"),
    "rockets": term("panzer word", "rockets"),
    "strafing": term("panzer word", "strafing"),
    "brush": term("panzer word", "brush"),
    "bu": term("panzer word", "brewed up"),
    "ko": term("panzer word", "knocked out"),
    "damaged": term("panzer word", "damaged"),
    "by its owner": term("panzer word", "by its owner"),
    "clear": term("panzer word", "clear ground"),
    "complete": term("panzer word", "complete"),
    "digging": term("panzer word", "digging"),
    "dismounted": term("panzer word", "dismounted"),
    "cross": term("panzer word", "across country"),
    "path": term("panzer word", "by path"),
    "road": term("panzer word", "by road"),
    "dust": term("panzer word", "dust"),
    "east": term("panzer word", "east"),
    "west": term("panzer word", "west"),
    "north": term("panzer word", "north"),
    "south": term("panzer word", "south"),
    "effective": term("panzer word", "effective"),
    "eliminated": term("panzer word", "eliminated"),
    "reduced": term("panzer word", "reduced to a half-squad"),
    "suppressed": term("panzer word", "suppressed"),
    "falling": term("panzer word", "falling"),
    "level": term("panzer word", "level"),
    "rising": term("panzer word", "rising"),
    "fast": term("panzer word", "fast"),
    "slow": term("panzer word", "slow"),
    "high": term("panzer word", "high"),
    "low": term("panzer word", "low"),
    "medium": term("panzer word", "medium"),
    "light": term("panzer word", "light"),
    "heavy": term("panzer word", "heavy"),
    "none": term("panzer word", "none"),
    "full": term("panzer word", "full"),
    "full-cover": term("panzer word", "full cover"),
    "fire": term("panzer word", "Fire"),
    "fire-sa": term("panzer word", "Fire (small arms)"),
    "move": term("panzer word", "Move"),
    "first": term("panzer word", "first"),
    "second": term("panzer word", "second"),
    "front": term("panzer word", "front"),
    "front_side": term("panzer word", "front side"),
    "side": term("panzer word", "side"),
    "side_front": term("panzer word", "side"),
    "rear": term("panzer word", "rear"),
    "rear_side": term("panzer word", "rear side"),
    "gone": term("panzer word", "gone"),
    "off": term("panzer word", "thinning"),
    "on": term("panzer word", "in place"),
    "green": term("panzer word", "green"),
    "regulars": term("panzer word", "regular"),
    "seasoned": term("panzer word", "seasoned"),
    "veteran": term("panzer word", "veteran"),
    "half of its movement": term("panzer word", "half of its movement"),
    "its whole movement": term("panzer word", "its whole movement"),
    "it stays where it is": term("panzer word", "it stays where it is"),
    "the truck's whole movement": term("panzer word", "the truck's whole movement"),
    "hd": term("panzer word", "hull down"),
    "phd": term("panzer word", "partially hull down"),
    "hesitating": term("panzer word", "hesitating"),
    "broken": term("panzer word", "broken"),
    "hill": term("panzer word", "a hill"),
    "hull": term("panzer word", "hull"),
    "turret": term("panzer word", "turret"),
    "whole": term("panzer word", "the whole vehicle"),
    "improved_position": term("panzer word", "an improved position"),
    "hasty_entrenchment": term("panzer word", "a hasty entrenchment"),
    "stone_building": term("panzer word", "a stone building"),
    "wood_building": term("panzer word", "a wood building"),
    "wood": term("panzer word", "wood"),
    "stone": term("panzer word", "stone"),
    "brick": term("panzer word", "brick"),
    "kept": term("panzer word", "kept"),
    "lost": term("panzer word", "lost"),
    "leg": term("panzer word", "leg"),
    "towed": term("panzer word", "towed"),
    "passenger": term("panzer word", "passenger"),
    "limited": term("panzer word", "limited"),
    "loaded": term("panzer word", "loaded"),
    "unloaded": term("panzer word", "unloaded"),
    "no-response": term("panzer word", "no response"),
    "not kept up": term("panzer word", "not continued"),
    "not-observed": term("panzer word", "not observed"),
    "no-smoke": term("panzer word", "no smoke"),
    "one command each": term("panzer word", "one command each"),
    "on the way": term("panzer word", "on the way"),
    "open": term("panzer word", "open"),
    "blocked": term("panzer word", "blocked"),
    "out": term("panzer word", "out"),
    "stays": term("panzer word", "stays"),
    "overrun": term("panzer word", "overrun"),
    "ow": term("panzer word", "overwatch"),
    "short-halt": term("panzer word", "Short Halt"),
    "no-command": term("panzer word", "No Command"),
    "overwatch": term("panzer word", "Overwatch"),
    "small arms": term("panzer word", "small arms"),
    "smoke": term("panzer word", "smoke"),
    "illumination": term("panzer word", "illumination"),
    "spotted with their carrier": term("panzer word", "spotted with their carrier"),
    "spotter_full_cover": term("panzer word", "a spotter in full cover"),
    "target_full_cover": term("panzer word", "a target in full cover"),
    "super_heavy": term("panzer word", "super heavy"),
    "through": term("panzer word", "through"),
    "track": term("panzer word", "track"),
    "the unit's track is hit, so it cannot move or turn": term(
        "panzer word", "the unit's track is hit, so it cannot move or turn"
    ),
    "brew_up_smoke": term("panzer word", "smoke of a burning wreck"),
    "on_fire": term("panzer word", "a burning hex"),
    "wreck": term("panzer word", "a wreck"),
    "building": term("panzer word", "a building"),
    "wall": term("panzer word", "a wall"),
    "defilade": term("panzer word", "a defilade"),
    "close-combat": term("panzer word", "close combat"),
    "hasty_mines": term("panzer word", "hasty mines"),
    "dive": term("panzer word", "dive bombing"),
    "hedge": term("panzer word", "a hedge"),
    "all round": term("panzer word", "all round"),
    "spotted": term("panzer word", "spotted"),
    "spotted-by-firing": term("panzer word", "spotted as it fires"),
    "destroyed": term("panzer word", "destroyed"),
    "miss": term("panzer word", "miss"),
    "hit": term("panzer word", "hit"),
    "no-effect": term("panzer word", "no effect"),
    "no_effect": term("panzer word", "no effect"),
    "no-damage": term("panzer word", "no damage"),
    "responds": term("panzer word", "responds"),
    "left-behind": term("panzer word", "left behind"),
    "spotter_suppressed": term("panzer word", "a suppressed spotter"),
    "KE": term("panzer word", "kinetic energy"),
    "HEAT": term("panzer word", "shaped charge"),
    "Damaged": term("panzer word", "Damaged"),
    "Short Halt": term("panzer word", "Short Halt"),
    "Suppressed": term("panzer word", "Suppressed"),
    "Good": term("panzer word", "Good"),
    "Outstanding": term("panzer word", "Outstanding"),
    "Average": term("panzer word", "Average"),
    "Poor": term("panzer word", "Poor"),
    "attack from low altitude": term("panzer word", "attack from low altitude"),
    "Wood buildings": term("panzer word", "wood buildings"),
    "TF": term("panzer word", "turret front"),
    "TS": term("panzer word", "turret side"),
    "TR": term("panzer word", "turret rear"),
    "HF": term("panzer word", "hull front"),
    "HS": term("panzer word", "hull side"),
    "HR": term("panzer word", "hull rear"),
    "TK": term("panzer word", "track"),
    "DK": term("panzer word", "deck"),
    "attacker": term("panzer word", "attacker"),
    "defender": term("panzer word", "defender"),
    "declared": term("panzer word", "declared"),
    "open-sheaf": term("panzer word", "open sheaf"),
    "closed-sheaf": term("panzer word", "closed sheaf"),
    "attacks": term("panzer word", "attacks"),
    "vehicle": term("panzer word", "vehicle"),
}
GRADE: Final = "force grade "
"""How the record begins the name of this modifier; the grade follows."""
COMMANDS: Final = {
    "fire": term("panzer command", "Fire"),
    "move": term("panzer command", "Move"),
    "short-halt": term("panzer command", "Short Halt"),
    "overwatch": term("panzer command", "Overwatch"),
    "no-command": term("panzer command", "No Command"),
}
EFFECTS: Final = {
    "miss": term("panzer effect", "miss"),
    "too-late": term("panzer effect", "too late, the target is gone"),
    "no-effect": term("panzer effect", "hit, no effect"),
    "damaged": term("panzer effect", "damaged"),
    "ko": term("panzer effect", "knocked out"),
    "bu": term("panzer effect", "brewed up"),
    "none": term("panzer effect", "no effect"),
    "no_damage": term("panzer effect", "hit, no damage"),
    "no-damage": term("panzer effect", "no damage"),
    "suppressed": term("panzer effect", "suppressed"),
    "track": term("panzer effect", "track hit"),
    "track_again": term("panzer effect", "track hit again, no effect"),
    "reduced": term("panzer effect", "reduced to a half-squad"),
    "eliminated": term("panzer effect", "eliminated"),
    "effective": term("panzer effect", "effective"),
    "smoke": term("panzer effect", "smoke"),
    "no-smoke": term("panzer effect", "no smoke ammunition left"),
    "shot-down": term("panzer effect", "shot down"),
    "landed": term("panzer effect", "on target"),
    "illumination": term("panzer effect", "light"),
}


def word(found: Any) -> Value:
    """Plain data as an argument of a message, with a translatable word for each known code."""
    if isinstance(found, bool):
        return YES_OR_NO[found]
    if isinstance(found, str):
        return WORDS.get(found) or data(found.replace("_", " ") if found.isidentifier() else found)
    if isinstance(found, Mapping) and found:
        return several(
            (say("{name} {value}", name=word(name), value=word(one)) for name, one in found.items()), "unit"
        )
    if isinstance(found, list | tuple) and found:
        return several(map(word, found))
    return data(found)


def command(code: str) -> Value:
    return COMMANDS.get(code) or Name(code)


def effect(code: Any) -> Value:
    """4.4.3.2.6, 6.5.4.4 The effect of fire, in words."""
    return EFFECTS.get(code) or word(code) if isinstance(code, str) else word(code)


def rows(finding: Finding) -> Value:
    """Every modifier that applied, in words, with its value."""
    found = [
        say("{modifier} {value}", modifier=modifier(row["text"]), value=Signed(row["value"] * row.get("times", 1)))
        for row in finding.modifiers
        if "text" in row
    ]
    return several(found, "unit") if found else term("modifiers", "none")


def modifier(text: str) -> Value:
    """The name of a modifier from a data file, or of a force grade."""
    if text.startswith(GRADE):
        return say("force grade {grade}", grade=word(text.removeprefix(GRADE)))
    return named("modifier", text)
