"""A program that uses each part of the package, for ``mypy --strict``."""

from __future__ import annotations

from pathlib import Path

import memprof_rs


def read(path: Path) -> int:
    recording: memprof_rs.Recording = memprof_rs.open(path)
    rows: list[dict[str, object]] = recording.operations.to_list()
    names: list[str] = recording.leaks.column_names
    page: memprof_rs.Page = recording.show(title="run", height=400)
    page.save(path.with_suffix(".html"))
    profile: memprof_rs.MemoryProfile = recording.profile("end", root="model")
    return len(rows) + len(names) + profile.total_bytes


def compare(before: memprof_rs.MemoryProfile, after: memprof_rs.MemoryProfile) -> str:
    diff: memprof_rs.MemoryProfileDiff = memprof_rs.diff(before, after)
    paths: list[tuple[str, int | None, int | None]] = diff.entries()
    largest: list[tuple[str, int]] = after.top(5)
    role: str | None = after.leaves()[0]["role"]
    part: memprof_rs.MemoryProfile = after["columns"]
    names: list[str] = list(after)
    children: list[memprof_rs.MemoryProfile] = part.children()
    devices: dict[str, int] = after.devices
    after.save("after.json", overwrite=True)
    after.flamegraph(Path("after.svg"))
    return f"{diff.change} {paths} {largest} {role} {after.tree(depth=2)} {names} {children} {devices}"


def advise(profile: memprof_rs.MemoryProfile) -> list[str]:
    report: memprof_rs.MemoryReport = profile.report()
    ratio: float | None = report.overhead_ratio
    advice: list[memprof_rs.Recommendation] = report.recommendations
    savings: list[int | None] = [one.savings for one in advice]
    return [f"{report.data} {ratio} {savings} {advice[0].action}"]


def measure(text: str) -> int:
    with memprof_rs.measure() as measurement:
        pass
    changes: list[memprof_rs.HeapChange] = measurement.changes
    number: int
    memory: memprof_rs.CallMemory
    number, memory = memprof_rs.peak(int, text, base=10)
    return number + memory.peak_bytes + changes[0].live_bytes + measurement.peak_bytes_high


def record() -> memprof_rs.Recording:
    with memprof_rs.session("recordings", interval=0.5) as session:
        session.checkpoint("after_load")
    path: str | None = session.path
    assert path is not None
    return session.recording()
