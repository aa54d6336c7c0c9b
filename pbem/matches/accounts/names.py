"""Names that readers cannot confuse.

Two names that look the same to a reader have the same skeleton: letters of other alphabets that cannot be told
apart, capitals, accents, spaces, punctuation and invisible characters make no difference.
"""

from __future__ import annotations

import unicodedata

RESERVED = ("public", "master", "game master", "server", "operator", "admin", "administrator", "pbem")
BOT = "bot-"
"""How the id of a bot's account starts. Bots have no address."""
BOTS = ("bot-", "bot ", "bot_", "bot.")

LIKE_LATIN = str.maketrans(
    {
        # Cyrillic
        "а": "a", "в": "b", "е": "e", "ё": "e", "һ": "h", "н": "h", "і": "i", "ї": "i", "ј": "j", "к": "k",
        "м": "m", "о": "o", "р": "p", "с": "c", "т": "t", "у": "y", "х": "x", "ѕ": "s", "ԁ": "d", "ԛ": "q",
        "ԝ": "w", "ӏ": "l", "г": "r", "п": "n", "ь": "b", "з": "3", "ү": "y",
        # Greek
        "α": "a", "β": "b", "γ": "y", "ε": "e", "η": "n", "ι": "i", "κ": "k", "ν": "v", "ο": "o", "ρ": "p",
        "σ": "o", "ς": "c", "τ": "t", "υ": "u", "χ": "x", "ω": "w",
        # Armenian and others
        "օ": "o", "ս": "u", "հ": "h", "ո": "n", "ց": "g", "ı": "i", "ł": "l", "ø": "o", "đ": "d", "ħ": "h",
        # Digits and strokes
        "0": "o", "1": "l", "|": "l", "!": "l", "5": "s", "$": "s", "@": "a", "3": "e", "ǀ": "l",
    }
)  # fmt: skip
PAIRS = (("rn", "m"), ("vv", "w"), ("cl", "d"), ("i", "l"))
"""Characters that look like another one; a capital I is drawn like a small l."""


def visible(text: str) -> str:
    """Return a text as one line, without control characters, direction marks and other invisible characters."""
    kept = (" " if sign.isspace() else sign for sign in text if not _is_unseen(sign))
    return " ".join("".join(kept).split())


def _is_unseen(sign: str) -> bool:
    return unicodedata.category(sign) in ("Cc", "Cf", "Cs", "Co", "Cn") and not sign.isspace()


def look_of(name: str) -> str:
    """Return the same skeleton for all names that look alike."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", visible(name)).casefold())
    bare = "".join(sign for sign in plain.translate(LIKE_LATIN) if not unicodedata.combining(sign))
    for pair, single in PAIRS:
        bare = bare.replace(pair, single)
    letters = "".join(sign for sign in bare if sign.isalnum())
    return letters or bare


def is_reserved(name: str) -> bool:
    """Whether a name looks like a bot's, or like an official of the server."""
    plain = visible(name).casefold().translate(LIKE_LATIN)
    return plain.startswith(BOTS) or look_of(name) in {look_of(word) for word in RESERVED}
