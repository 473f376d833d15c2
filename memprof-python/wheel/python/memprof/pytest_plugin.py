"""The fixture ``memprof_peak`` of pytest."""

from __future__ import annotations

import typing

import pytest

from ._heap import Measurement, extensions


@pytest.fixture
def memprof_peak() -> typing.Iterator[Measurement]:
    """Measures what extensions allocate during the test.

    ``memprof_peak.peak_bytes`` is an upper bound for all threads, and
    ``memprof_peak.exact_peak(function)`` the exact peak of a function on this thread. Extensions must
    be imported before the test begins. Without one, the test is skipped.
    """
    if not extensions():
        pytest.skip("no imported extension has memprof's allocator")
    with Measurement() as measurement:
        yield measurement
