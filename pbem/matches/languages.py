"""Languages of readers: a translator for each, with the gettext catalogue that belongs to it.

translator_for      the translator of a language; without a catalogue it speaks English
catalogue_of        the catalogue in `pbem/locales`, compiled by `pbem messages --compile`
"""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations, NullTranslations
from pathlib import Path

from pbem.engine.text.messages import Translator

LOCALES = Path(__file__).parents[1] / "locales"


def catalogue_of(language: str) -> NullTranslations:
    """Return a language's catalogue; an empty one if there is none, so that readers get English."""
    file = LOCALES / f"{language}.mo"
    if not file.is_file():
        return NullTranslations()
    with file.open("rb") as opened:
        return GNUTranslations(opened)


@cache
def translator_for(language: str) -> Translator:
    """Return the translator of a language. Catalogues are read once."""
    return Translator(language, catalogue_of(language))
