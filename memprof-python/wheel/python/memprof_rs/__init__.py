"""The memory of Rust extensions: profiles of their values, and what they allocate.

Classes of an extension that uses the crate ``memprof-python`` have a method ``memory_profile()``.
``memprof_rs.measure()`` measures what extensions allocate, ``memprof_rs.session()`` records it, and
``memprof_rs.open("memory_profile_….json")`` reads a recording. Python's own objects are not measured.
"""

from __future__ import annotations

import os
import typing

from ._heap import CallMemory, Extension, HeapChange, Measurement, extensions, measure, peak
from ._memprof import (
    MemoryProfile,
    MemoryProfileDiff,
    MemoryReport,
    Page,
    Recommendation,
    Recording,
    Table,
    page_of_profile as _page_of_profile,
    read_profile,
)
from ._session import Session, session

__all__ = [
    "CallMemory",
    "Extension",
    "HeapChange",
    "Measurement",
    "MemoryProfile",
    "MemoryProfileDiff",
    "MemoryReport",
    "Page",
    "Profile",
    "Recommendation",
    "Recording",
    "Session",
    "Table",
    "diff",
    "extensions",
    "measure",
    "open",
    "peak",
    "read_profile",
    "session",
    "show",
]


class Profile(typing.Protocol):
    """A profile of any extension: an object with the method ``to_json``."""

    def to_json(self) -> str: ...


def open(
    path: str | os.PathLike[str], *, symbols: typing.Sequence[str | os.PathLike[str]] = ()
) -> Recording:
    """Reads a recording: a document (``.json``), or the timeline of a running program (``.jsonl``).

    ``symbols`` lists additional folders with the debug information of the recorded program.
    """
    return Recording.read(path, list(symbols))


def diff(before: Profile, after: Profile) -> MemoryProfileDiff:
    """Returns what changed between two profiles, which may be from different extensions.

    Each extension has its own class, so the profiles are compared by their JSON.
    """
    return MemoryProfile.of(after).diff(before)


def show(
    profile: Profile | Recording, *, title: str | None = None, height: int = 640
) -> Page:
    """Returns the page of a profile or a recording, which a notebook shows in a frame."""
    if isinstance(profile, Recording):
        return profile.show(title=title, height=height)
    return _page_of_profile(MemoryProfile.of(profile).to_json(), title=title, height=height)


def load_ipython_extension(shell: typing.Any) -> None:
    """Adds the magic ``%%memprof``, on ``%load_ext memprof_rs``."""
    from .notebook import register

    register(shell)
