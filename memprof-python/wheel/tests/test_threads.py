"""Profiles while other threads run."""

from __future__ import annotations

import threading
import time

import pytest

import python_model


def test_another_thread_runs_during_a_walk():
    vectors = python_model.Vectors(4_000_000)
    vectors.memory_profile()
    counted = 0
    walking = threading.Event()
    done = threading.Event()

    def count() -> None:
        nonlocal counted
        walking.wait()
        while not done.is_set():
            counted += 1

    thread = threading.Thread(target=count)
    thread.start()
    begun = time.thread_time()
    walking.set()
    # A switch interval longer than the test: only a release of the GIL lets the thread run.
    import sys

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1000)
    try:
        profile = vectors.memory_profile()
        during = counted
    finally:
        done.set()
        sys.setswitchinterval(interval)
        thread.join()
    assert profile.total_bytes > 4_000_000 * 24
    assert time.thread_time() > begun
    assert during > 0


def test_profiles_of_many_threads_agree(model):
    expected = model.memory_profile().to_json()
    results: list[str] = []

    def work() -> None:
        for _ in range(20):
            results.append(model.memory_profile().to_json())

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(results) == {expected} and len(results) == 160


def test_a_value_never_changes_during_a_walk(model):
    """A method that changes the value either waits its turn or raises; the profile is one of two."""
    before = model.memory_profile().total_bytes
    refused = 0

    def shrink() -> None:
        nonlocal refused
        for _ in range(200):
            try:
                model.shrink_to_fit()
            except RuntimeError as error:
                assert "borrowed" in str(error)
                refused += 1

    thread = threading.Thread(target=shrink)
    thread.start()
    totals = set()
    while thread.is_alive():
        try:
            totals.add(model.memory_profile().total_bytes)
        except RuntimeError as error:
            assert "borrowed" in str(error)
    thread.join()
    after = model.memory_profile().total_bytes
    assert totals <= {before, after}


def test_a_profile_is_used_by_all_threads(model):
    profile = model.memory_profile()
    texts: list[str] = []
    threads = [threading.Thread(target=lambda: texts.append(str(profile))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(texts) == {str(profile)}


@pytest.mark.skipif("not hasattr(__import__('sys'), '_is_gil_enabled')")
def test_importing_keeps_the_state_of_the_gil():
    import sys

    assert isinstance(sys._is_gil_enabled(), bool)
