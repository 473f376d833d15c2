"""The allocators of extensions: what the Rust code of each imported extension allocates."""

from __future__ import annotations

import sys
import types
import typing
from dataclasses import dataclass

#: The attribute of an extension's module, which ``memprof_python::add_to`` sets.
_ATTRIBUTE = "__memprof__"
#: The version of the attribute's interface that this package reads.
_VERSION = 1


class _Recording(typing.Protocol):
    def close(self) -> None: ...


class _Heap(typing.Protocol):
    VERSION: int

    @property
    def is_installed(self) -> bool: ...
    def record(self) -> _Recording: ...
    def reset_peak(self) -> None: ...
    def totals(self) -> dict[str, int]: ...
    def measure(self, function: typing.Any) -> tuple[object, dict[str, int]]: ...


@dataclass(frozen=True)
class Extension:
    """An imported extension module with memprof's allocator."""

    #: The name of the module.
    module: str
    heap: _Heap


@dataclass(frozen=True)
class HeapChange:
    """What one extension allocated during a measurement, on all threads."""

    module: str
    allocated_bytes: int
    allocated_blocks: int
    freed_bytes: int
    freed_blocks: int
    #: The peak of the live bytes, minus the live bytes at the beginning.
    peak_bytes: int
    #: The true peak is at most this much higher than ``peak_bytes``.
    peak_error_bytes: int

    @property
    def live_bytes(self) -> int:
        """The bytes allocated and not freed; negative if more was freed."""
        return self.allocated_bytes - self.freed_bytes


def extensions() -> list[Extension]:
    """Returns the imported extensions with memprof's allocator.

    Modules are found by their attribute ``__memprof__``. An allocator counts the Rust code of its own
    extension only.
    """
    found: dict[int, Extension] = {}
    # A copy, because other threads may import modules meanwhile.
    for name, module in list(sys.modules.items()):
        # Reading `__dict__` never runs the `__getattr__` of a lazy module.
        if not isinstance(module, types.ModuleType):
            continue
        heap = types.ModuleType.__getattribute__(module, "__dict__").get(_ATTRIBUTE)
        if heap is None or getattr(heap, "VERSION", None) != _VERSION:
            continue
        # A package re-exports the attribute of its native module. The shortest name is the public one.
        key = id(heap)
        if heap.is_installed and (key not in found or len(name) < len(found[key].module)):
            found[key] = Extension(name, heap)
    return sorted(found.values(), key=lambda extension: extension.module)


class Measurement:
    """What extensions allocate between ``start`` and ``stop``; a context manager.

    The figures are those of all threads. Measurements may overlap, but share one peak: the start of
    a second one resets the peak of the first.
    """

    def __init__(self) -> None:
        self._extensions = extensions()
        self._recordings: list[_Recording] = []
        self._before: list[dict[str, int]] = []
        self._after: list[dict[str, int]] | None = None

    def start(self) -> None:
        """Begins to count."""
        self._recordings = [extension.heap.record() for extension in self._extensions]
        for extension in self._extensions:
            extension.heap.reset_peak()
        self._before = [extension.heap.totals() for extension in self._extensions]
        self._after = None

    def stop(self) -> None:
        """Ends the measurement. ``changes`` then no longer changes."""
        if self._after is None:
            self._after = [extension.heap.totals() for extension in self._extensions]
        for recording in self._recordings:
            recording.close()

    def __enter__(self) -> Measurement:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def changes(self) -> list[HeapChange]:
        """What each extension has allocated, until now or until ``stop``."""
        after = self._after
        if after is None:
            after = [extension.heap.totals() for extension in self._extensions]
        return [
            _change(extension.module, before, now)
            for extension, before, now in zip(self._extensions, self._before, after)
        ]

    @property
    def peak_bytes(self) -> int:
        """An upper bound of the peak: the sum of each extension's peak and its possible error."""
        return sum(change.peak_bytes + change.peak_error_bytes for change in self.changes)

    def exact_peak(self, function: typing.Callable[[], object]) -> int:
        """Calls a function and returns the exact peak of what it allocated on this thread."""
        if len(self._extensions) != 1:
            names = ", ".join(extension.module for extension in self._extensions) or "none"
            raise RuntimeError(f"an exact peak needs one extension with memprof's allocator: {names}")
        _, figures = self._extensions[0].heap.measure(function)
        return figures["peak_bytes"]

    def __str__(self) -> str:
        if not self._extensions:
            return "no imported extension has memprof's allocator"
        return "\n".join(_line(change) for change in self.changes)


def measure() -> Measurement:
    """Returns a context manager that measures what extensions allocate.

    >>> with memprof.measure() as measurement:
    ...     model = python_model.Model.read("model.mps")
    >>> print(measurement)
    """
    return Measurement()


def _change(module: str, before: dict[str, int], after: dict[str, int]) -> HeapChange:
    def change(name: str) -> int:
        return after[name] - before[name]

    return HeapChange(
        module=module,
        allocated_bytes=change("allocated_bytes"),
        allocated_blocks=change("allocated_blocks"),
        freed_bytes=change("freed_bytes"),
        freed_blocks=change("freed_blocks"),
        peak_bytes=max(after["peak_bytes"] - before["live_bytes"], 0),
        peak_error_bytes=after["peak_error_bytes"],
    )


def _line(change: HeapChange) -> str:
    return (
        f"{change.module}: peak {_size(change.peak_bytes)}"
        f" to {_size(change.peak_bytes + change.peak_error_bytes)},"
        f" allocated {_size(change.allocated_bytes)} in {change.allocated_blocks} blocks,"
        f" {_size(change.live_bytes)} still live"
    )


def _size(count: int) -> str:
    """Returns a number of bytes in IEC units."""
    amount = float(abs(count))
    sign = "-" if count < 0 else ""
    if amount < 1024:
        return f"{count} B"
    for unit in ("KiB", "MiB", "GiB"):
        amount /= 1024
        if amount < 1024:
            return f"{sign}{amount:.1f} {unit}"
    return f"{sign}{amount / 1024:.1f} TiB"
