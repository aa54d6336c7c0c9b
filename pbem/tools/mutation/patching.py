"""Break functions in place: a mutant's code replaces that of functions already loaded.

Loaded               the functions of loaded modules by their code
changed_functions    pairs of code objects, before and after a file was broken; None if more than functions changed
"""

from __future__ import annotations

import functools
import gc
from collections.abc import Iterator
from types import CodeType, FunctionType


class Loaded:
    """The functions that are loaded now, by the file of their code, and the caches that may hold their results."""

    def __init__(self) -> None:
        self.functions: dict[str, list[FunctionType]] = {}
        self.caches: list[functools._lru_cache_wrapper[object]] = []
        gc.unfreeze()  # frozen objects are not listed
        for thing in gc.get_objects():
            if type(thing) is FunctionType:
                self.functions.setdefault(thing.__code__.co_filename, []).append(thing)
            elif type(thing) is functools._lru_cache_wrapper:
                self.caches.append(thing)

    def break_file(self, path: str, whole: str, broken: str) -> bool:
        """Put a broken file's code into the functions of the intact one. Return False if that is not enough."""
        pairs = changed_functions(path, whole, broken)
        if not pairs or any(makes_functions(before) for before, _ in pairs):
            return False  # a decorator has already been applied
        if not all(self.replace(path, before, after) for before, after in pairs):
            return False
        for cache in self.caches:
            cache.cache_clear()
        return True

    def replace(self, path: str, before: CodeType, after: CodeType) -> bool:
        """Replace one code object wherever a function uses it; False if no function does or its closure changes."""
        users = [function for function in self.functions.get(path, ()) if same_place(function.__code__, before)]
        for function in users:
            if function.__code__.co_freevars != after.co_freevars:
                return False
            function.__code__ = after
        return bool(users)


def makes_functions(code: CodeType) -> bool:
    """Whether a function defines others by name."""
    return any(not const.co_name.startswith("<") for const in inner(code))


def same_place(one: CodeType, other: CodeType) -> bool:
    return (one.co_qualname, one.co_firstlineno, one.co_code) == (
        other.co_qualname,
        other.co_firstlineno,
        other.co_code,
    )


def changed_functions(path: str, whole: str, broken: str) -> list[tuple[CodeType, CodeType]] | None:
    """Return the outermost functions with different code, as pairs; None if something outside functions differs."""
    try:
        before, after = compile(whole, path, "exec"), compile(broken, path, "exec")
    except SyntaxError:
        return None
    found: list[tuple[CodeType, CodeType]] = []
    return found if _collect(before, after, found) else None


def _collect(before: CodeType, after: CodeType, found: list[tuple[CodeType, CodeType]]) -> bool:
    """Compare the bodies of modules and classes. Return whether only functions in them differ."""
    if before.co_code != after.co_code or _plain(before) != _plain(after) or before.co_names != after.co_names:
        return False
    for one, other in zip(inner(before), inner(after), strict=True):
        if is_function(one):
            if not _alike(one, other):
                found.append((one, other))
        elif not _collect(one, other, found):
            return False
    return True


def inner(code: CodeType) -> Iterator[CodeType]:
    return (const for const in code.co_consts if isinstance(const, CodeType))


def is_function(code: CodeType) -> bool:
    """Whether code belongs to a function, which has fast locals; the bodies of modules and classes do not."""
    return bool(code.co_flags & 0x2)


def _plain(code: CodeType) -> list[str]:
    """The constants by type and value, so that 1, 1.0 and True differ. Code is compared separately."""
    return ["code" if isinstance(const, CodeType) else repr(const) for const in code.co_consts]


def _alike(one: CodeType, other: CodeType) -> bool:
    """Whether two functions do the same, regardless of their position in the file."""
    if (one.co_code, _plain(one), one.co_names) != (other.co_code, _plain(other), other.co_names):
        return False
    return all(map(_alike, inner(one), inner(other)))
