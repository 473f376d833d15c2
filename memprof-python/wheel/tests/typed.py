"""A program that uses each part of the package, for ``mypy --strict``."""

from __future__ import annotations

from pathlib import Path

import memprof


def read(path: Path) -> int:
    recording: memprof.Recording = memprof.open(path)
    rows: list[dict[str, object]] = recording.operations.to_list()
    names: list[str] = recording.leaks.column_names
    page: memprof.Page = recording.show(title="run", height=400)
    page.save(path.with_suffix(".html"))
    profile: memprof.MemoryProfile = recording.profile("end", root="model")
    return len(rows) + len(names) + profile.total_bytes


def compare(before: memprof.MemoryProfile, after: memprof.MemoryProfile) -> str:
    diff: memprof.MemoryProfileDiff = memprof.diff(before, after)
    paths: list[tuple[str, int | None, int | None]] = diff.entries()
    largest: list[tuple[str, int]] = after.top(5)
    leaves: list[memprof.MemoryProfileLeaf] = after.leaves()
    role: str | None = leaves[0].role
    return f"{diff.change} {len(paths)} {largest} {role} {after.tree(depth=2)}"


def measure() -> int:
    with memprof.measure() as measurement:
        pass
    changes: list[memprof.HeapChange] = measurement.changes
    return sum(change.live_bytes for change in changes) + measurement.peak_bytes
