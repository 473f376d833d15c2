"""What the Rust code of imported extensions allocates.

Each extension with memprof's allocator has its own counters. A measurement reads the counters of all
imported extensions, and of those that are imported while it runs.
"""

from __future__ import annotations

import sys
import types
import typing
from dataclasses import dataclass, field

from ._memprof import counted, shown

if typing.TYPE_CHECKING:
    import os

    from ._session import NativeSession

_P = typing.ParamSpec("_P")
_R = typing.TypeVar("_R")

#: The attribute of an extension's module, which ``memprof_python::add_to`` sets.
_ATTRIBUTE = "__memprof__"
#: The version of the attribute's interface that this package reads.
_VERSION = 2


class _Recording(typing.Protocol):
    def close(self) -> None: ...


class _Heap(typing.Protocol):
    VERSION: int

    @property
    def is_installed(self) -> bool: ...
    def record(self, level: str = "counters") -> _Recording: ...
    def reset_peak(self) -> None: ...
    def totals(self) -> dict[str, int]: ...
    def sites(self) -> list[tuple[str, float]]: ...
    def measure(self, function: typing.Any) -> tuple[typing.Any, dict[str, int]]: ...
    def start_session(
        self, output_dir: str | os.PathLike[str] | None = None, interval: float | None = None
    ) -> NativeSession: ...


@dataclass(frozen=True)
class CallMemory:
    """What a call allocated on its thread. All values are exact."""

    #: The peak of the live bytes, above those at the beginning of the call.
    peak_bytes: int
    allocated_bytes: int
    allocated_blocks: int
    freed_bytes: int
    freed_blocks: int

    @property
    def live_bytes(self) -> int:
        """The bytes allocated and not freed; negative if more was freed."""
        return self.allocated_bytes - self.freed_bytes


@dataclass(frozen=True)
class HeapChange:
    """What one extension allocated during a measurement, on all threads."""

    module: str
    allocated_bytes: int
    allocated_blocks: int
    freed_bytes: int
    freed_blocks: int
    #: The peak of the live bytes, above those at the beginning, is at least this high.
    peak_bytes_low: int
    #: The peak is at most this high.
    peak_bytes_high: int

    @property
    def live_bytes(self) -> int:
        """The bytes allocated and not freed; negative if more was freed."""
        return self.allocated_bytes - self.freed_bytes

    def __str__(self) -> str:
        blocks = counted(self.allocated_blocks, "block")
        return (
            f"{self.module}: peak {shown(self.peak_bytes_low)} to {shown(self.peak_bytes_high)},"
            f" allocated {shown(self.allocated_bytes)} in {blocks},"
            f" {shown(self.live_bytes)} still live"
        )


@dataclass(frozen=True)
class Extension:
    """An imported extension module with memprof's allocator."""

    #: The name of the module.
    module: str
    heap: _Heap

    def peak(
        self, function: typing.Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs
    ) -> tuple[_R, CallMemory]:
        """Calls a function. Returns its result, and what it allocated on this thread."""
        result, figures = self.heap.measure(lambda: function(*args, **kwargs))
        return result, CallMemory(**figures)


def extensions() -> list[Extension]:
    """Returns the imported extensions with memprof's allocator.

    Modules are found by their attribute ``__memprof__``. An allocator counts the Rust code of its own
    extension only.
    """
    found: dict[int, Extension] = {}
    # Iterate over a copy, because other threads may import modules during the loop.
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


def only_extension(module: str | None = None) -> Extension:
    """Returns the extension with this name, or the only one."""
    found = extensions()
    if module is not None:
        found = [extension for extension in found if extension.module == module]
        if not found:
            raise LookupError(f"no imported extension with memprof's allocator is named {module!r}")
    if not found:
        raise RuntimeError(NO_EXTENSION)
    if len(found) > 1:
        names = ", ".join(extension.module for extension in found)
        raise RuntimeError(f"several extensions have memprof's allocator: choose one of {names}")
    return found[0]


def peak(
    function: typing.Callable[_P, _R], *args: _P.args, **kwargs: _P.kwargs
) -> tuple[_R, CallMemory]:
    """Calls a function. Returns its result, and what the only extension allocated on this thread.

    All values are exact. If several extensions have memprof's allocator, use ``Extension.peak``.

    >>> model, memory = memprof_rs.peak(python_model.Model.read, "25fv47.mps")
    >>> memory.peak_bytes
    """
    return only_extension().peak(function, *args, **kwargs)


NO_EXTENSION = "no imported extension has memprof's allocator"
_NOT_STARTED = "the measurement was not started: use `with memprof_rs.measure() as measurement:`"

#: The measurements that run, which see extensions that are imported later.
_running: list[Measurement] = []


def extension_imported(heap: _Heap) -> None:
    """Starts counting in an extension that is being imported. ``memprof_python::add_to`` calls this."""
    if heap.VERSION == _VERSION and heap.is_installed:
        for measurement in list(_running):
            measurement._begin(heap)


@dataclass
class _Counting:
    """The counters of one extension during a measurement."""

    heap: _Heap
    recording: _Recording
    before: dict[str, int]
    sites_before: dict[str, float]
    after: dict[str, int] | None = None

    def change(self, module: str) -> HeapChange:
        after = self.heap.totals() if self.after is None else self.after
        live = self.before["live_bytes"]
        names = ["allocated_bytes", "allocated_blocks", "freed_bytes", "freed_blocks"]
        return HeapChange(
            module=module,
            peak_bytes_low=max(after["peak_bytes_low"] - live, 0),
            peak_bytes_high=max(after["peak_bytes_high"] - live, 0),
            **{name: after[name] - self.before[name] for name in names},
        )


@dataclass(repr=False, eq=False)
class Measurement:
    """What extensions allocate between ``start`` and ``stop``; a context manager.

    The counts include all threads. Measurements may overlap, but share one peak: the start of a second
    measurement resets the peak of the first.
    """

    #: What the allocators record: ``counters``, or ``sampled`` for the call sites too.
    level: str = "counters"
    _counting: list[_Counting] | None = field(default=None, init=False)

    def start(self) -> None:
        """Starts counting."""
        self.stop()
        self._counting = []
        for extension in extensions():
            self._begin(extension.heap)
        _running.append(self)

    def stop(self) -> None:
        """Stops the measurement and keeps its results."""
        if self in _running:
            _running.remove(self)
        for counting in self._counting or []:
            if counting.after is None:
                counting.after = counting.heap.totals()
            counting.recording.close()

    def _begin(self, heap: _Heap) -> None:
        if self._counting is not None and all(known.heap is not heap for known in self._counting):
            recording = heap.record(self.level)
            heap.reset_peak()
            sites = dict(heap.sites()) if self.level == "sampled" else {}
            self._counting.append(_Counting(heap, recording, heap.totals(), sites))

    def __enter__(self) -> Measurement:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def changes(self) -> list[HeapChange]:
        """What each extension allocated so far.

        Raises ``RuntimeError`` if the measurement was not started, or found no extension.
        """
        if self._counting is None:
            raise RuntimeError(_NOT_STARTED)
        if not self._counting:
            raise RuntimeError(NO_EXTENSION)
        names = {id(extension.heap): extension.module for extension in extensions()}
        changes = [counting.change(names.get(id(counting.heap), "?")) for counting in self._counting]
        return sorted(changes, key=lambda change: change.module)

    @property
    def peak_bytes_low(self) -> int:
        """The lower bound of the peak: the highest lower bound of an extension."""
        return max(change.peak_bytes_low for change in self.changes)

    @property
    def peak_bytes_high(self) -> int:
        """The upper bound of the peak: the sum of the upper bounds of all extensions."""
        return sum(change.peak_bytes_high for change in self.changes)

    def sites(self) -> list[tuple[str, float]]:
        """The call sites with an estimate of the bytes that each allocated, largest first.

        The measurement must be running, at the level ``sampled``.
        """
        found = [
            (place, allocated - counting.sites_before.get(place, 0.0))
            for counting in self._counting or []
            for place, allocated in counting.heap.sites()
        ]
        found = [site for site in found if site[1] > 0]
        return sorted(found, key=lambda site: site[1], reverse=True)

    def __str__(self) -> str:
        try:
            return "\n".join(map(str, self.changes))
        except RuntimeError as error:
            return str(error)

    def __repr__(self) -> str:
        return f"<Measurement: {self}>"


def measure() -> Measurement:
    """Returns a context manager that measures what extensions allocate.

    >>> with memprof_rs.measure() as measurement:
    ...     model = python_model.Model.read("model.mps")
    >>> print(measurement)
    """
    return Measurement()
