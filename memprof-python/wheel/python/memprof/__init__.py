"""Memory profiles of Rust values, and recordings of Rust programs.

``memprof.open("memory_profile_….json")`` reads a recording, and ``memprof.read_profile`` a profile.
Extension types that use the crate ``memprof-python`` have a method ``memory_profile()``.
"""

from __future__ import annotations

import os
import typing

from ._heap import Extension, HeapChange, Measurement, extensions, measure
from ._memprof import (
    MemoryProfile,
    MemoryProfileDiff,
    MemoryProfileLeaf,
    Page,
    Recording,
    Table,
    page_of_profile as _page_of_profile,
    read_profile,
)

__all__ = [
    "Extension",
    "HeapChange",
    "Measurement",
    "MemoryProfile",
    "MemoryProfileDiff",
    "MemoryProfileLeaf",
    "Page",
    "Profile",
    "Recording",
    "Table",
    "diff",
    "extensions",
    "measure",
    "open",
    "read_profile",
    "show",
]


class Profile(typing.Protocol):
    """A profile of any extension: its class has the method ``to_json``."""

    def to_json(self) -> str: ...


def open(
    path: str | os.PathLike[str], *, symbols: typing.Sequence[str | os.PathLike[str]] = ()
) -> Recording:
    """Reads a recording from a report (``.json``) or a timeline (``.jsonl``).

    ``symbols`` lists further folders with the debug information of the recorded program.
    """
    return Recording.read(path, list(symbols))


def _converted(profile: Profile) -> MemoryProfile:
    """Returns a profile of any extension as an object of this package."""
    if isinstance(profile, MemoryProfile):
        return profile
    return MemoryProfile.from_json(profile.to_json())


def diff(before: Profile, after: Profile) -> MemoryProfileDiff:
    """Returns what changed between two profiles, also of two extensions.

    Each extension has a class of its own, so the profiles are compared by their JSON.
    """
    return _converted(after).diff(before)


def show(
    profile: Profile | Recording, *, title: str | None = None, height: int = 640
) -> Page:
    """Returns the page of a profile or a recording, which a notebook shows in a frame."""
    if isinstance(profile, Recording):
        return profile.show(title=title, height=height)
    return _page_of_profile(profile.to_json(), title=title, height=height)


def load_ipython_extension(shell: typing.Any) -> None:
    """Adds the magic ``%%memprof``, on ``%load_ext memprof``."""
    from .notebook import register

    register(shell)
