"""For pytest: the marker ``limit_memory`` and the fixture ``memprof_peak``."""

from __future__ import annotations

import functools
import typing

import pytest

from ._heap import NO_EXTENSION, Measurement, extensions, only_extension
from ._memprof import budget, shown

_MARKER = (
    "limit_memory(limit, current_thread_only=False): fail the test if the Rust code of extensions"
    " allocates more at its peak, such as '24 MB'. With current_thread_only, the peak is exact."
)
#: The number of call sites in the message of a failure.
_SITES = 5


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", _MARKER)


@pytest.fixture
def memprof_peak() -> typing.Iterator[Measurement]:
    """Measures what extensions allocate during the test.

    ``memprof_peak.peak_bytes_high`` is an upper bound for all threads. Extensions must be imported
    before the test begins. Without one, the test is skipped.
    """
    if not extensions():
        pytest.skip(NO_EXTENSION)
    with Measurement() as measurement:
        yield measurement


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> typing.Generator[None, object, object]:
    """Measures a test with the marker ``limit_memory``."""
    marker = pyfuncitem.get_closest_marker("limit_memory")
    if marker is None:
        return (yield)
    limit, current_thread_only = _arguments(*marker.args, **marker.kwargs)
    # Sampled, so that a failure can name call sites.
    measurement = Measurement("sampled")
    with measurement:
        exact = _exact_peak(pyfuncitem) if current_thread_only else None
        result = yield
        sites = measurement.sites()
    low, high = exact[0] if exact else _bounds(measurement)
    if high > limit:
        pytest.fail(_message(limit, low, high, sites), pytrace=False)
    return result


def _arguments(limit: str | int, current_thread_only: bool = False) -> tuple[int, bool]:
    """Reads the arguments of the marker."""
    try:
        return (limit if isinstance(limit, int) else budget(limit)), current_thread_only
    except ValueError as error:
        pytest.fail(f"limit_memory: {error}", pytrace=False)


def _bounds(measurement: Measurement) -> tuple[int, int]:
    """Returns the bounds of the peak, and fails a test whose peak is unknown."""
    try:
        return measurement.peak_bytes_low, measurement.peak_bytes_high
    except RuntimeError as error:
        pytest.fail(f"limit_memory: the peak is unknown: {error}", pytrace=False)


def _exact_peak(item: pytest.Function) -> list[tuple[int, int]]:
    """Makes the test measure its thread, and returns where it puts the bounds of the peak."""
    found: list[tuple[int, int]] = []
    function = item.obj

    @functools.wraps(function)
    def measured(*args: typing.Any, **kwargs: typing.Any) -> typing.Any:
        result, memory = only_extension().peak(function, *args, **kwargs)
        found.append((memory.peak_bytes, memory.peak_bytes))
        return result

    item.obj = measured
    return found


def _message(limit: int, low: int, high: int, sites: list[tuple[str, float]]) -> str:
    """Returns the text of a failure, which has the form of memray's."""
    exceeds = "allocated" if low > limit else "may have allocated"
    amount = shown(low) if low == high else f"{shown(low)} to {shown(high)}"
    lines = [f"Test was limited to {shown(limit)} but {exceeds} {amount} at its peak"]
    if low <= limit:
        lines.append("The peak of all threads has an error; current_thread_only=True has none")
    if sites:
        lines.append("Largest call sites by allocated bytes, estimated from samples:")
        lines += [f"    - {shown(round(size))}: {place}" for place, size in sites[:_SITES]]
    return "\n".join(lines)
