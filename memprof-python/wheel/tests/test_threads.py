"""Profiles while other threads run."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import threading
import time

import pytest

import python_model


def runs_during_a_walk(vectors) -> bool:
    started = threading.Event()
    ran_at = []

    def note_the_time() -> None:
        started.set()
        # Sleeping gives the GIL back; continuing needs it.
        time.sleep(0.001)
        ran_at.append(time.perf_counter())

    thread = threading.Thread(target=note_the_time)
    thread.start()
    started.wait()
    profile = vectors.memory_profile()
    ended = time.perf_counter()
    thread.join()
    assert profile.total_bytes > 4_000_000 * 24
    return ran_at[0] < ended


def test_another_thread_runs_during_a_walk():
    vectors = python_model.Vectors(4_000_000)
    interval = sys.getswitchinterval()
    # Nothing takes the GIL from a thread, so the other one runs only if the walk releases it.
    sys.setswitchinterval(1000)
    try:
        # On a busy machine, the other thread may get no processor during a walk.
        assert any(runs_during_a_walk(vectors) for _ in range(10))
    finally:
        sys.setswitchinterval(interval)


@pytest.mark.skipif(
    not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="the interpreter has a GIL"
)
def test_a_free_threaded_interpreter_stays_free_threaded():
    script = "import sys, memprof_rs, python_model; sys.exit(sys._is_gil_enabled())"
    subprocess.run([sys.executable, "-c", script], check=True)


PROFILES_WHILE_ARRAYS_COME_AND_GO = """
import sys, threading, time
import numpy
import python_model

sys.setswitchinterval(1e-6)
incumbent = python_model.Incumbent()
base = numpy.zeros(100_000)
incumbent.replace(base)
is_over = threading.Event()
errors = []

def profile():
    while not is_over.is_set():
        profile = incumbent.memory_profile()
        # A walk that finds the lock taken is not exact.
        if profile.is_exact and not 800_000 <= profile.total_bytes <= 801_000:
            errors.append(profile)

def replace(first):
    while not is_over.is_set():
        view = base[first:]
        incumbent.replace(view)
        del view

work = [threading.Thread(target=profile) for _ in range(2)]
work += [threading.Thread(target=replace, args=(first,)) for first in range(2)]
for thread in work:
    thread.start()
time.sleep(2)
is_over.set()
for thread in work:
    thread.join()
sys.exit(bool(errors))
"""


def test_profiles_are_right_while_threads_replace_the_arrays():
    command = [sys.executable, "-c", PROFILES_WHILE_ARRAYS_COME_AND_GO]
    subprocess.run(command, check=True, timeout=120)


PROFILES_BEHIND_A_LOCK = """
import sys, threading
import numpy
import python_model

sys.setswitchinterval(1e-6)
incumbent = python_model.Incumbent()
incumbent.replace(numpy.zeros(1000))
is_over = threading.Event()

def profile():
    while not is_over.is_set():
        incumbent.memory_profile()

thread = threading.Thread(target=profile)
thread.start()
for _ in range(20_000):
    incumbent.replace(numpy.zeros(10))
is_over.set()
thread.join()
"""


def test_a_walk_that_holds_a_lock_never_waits_for_the_interpreter():
    """The thread that replaces the array waits for the lock, and has the GIL."""
    command = [sys.executable, "-c", PROFILES_BEHIND_A_LOCK]
    subprocess.run(command, check=True, timeout=120)


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
    """A method that changes the value waits or raises; the profile is that before or after the change."""
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
