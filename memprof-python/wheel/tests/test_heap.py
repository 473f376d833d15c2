"""What extensions allocate."""

from __future__ import annotations

import pytest

import memprof_rs
import python_model


def test_extensions_are_found_by_their_attribute():
    assert [extension.module for extension in memprof_rs.extensions()] == ["python_model"]


def test_a_measurement_has_what_a_model_allocates(netlib):
    with memprof_rs.measure() as measurement:
        model = python_model.Model.read(netlib)
    (change,) = measurement.changes
    assert change.live_bytes == model.memory_profile().total_bytes - inline(model)
    assert change.live_bytes <= change.peak_bytes_high
    _, exact = memprof_rs.peak(python_model.Model.read, netlib)
    for bounds in [measurement, change]:
        assert bounds.peak_bytes_low <= exact.peak_bytes <= bounds.peak_bytes_high
    assert "python_model: peak " in str(measurement)
    assert repr(measurement) == f"<Measurement: {measurement}>"


def test_a_measurement_that_was_not_started_has_no_figures():
    measurement = memprof_rs.measure()
    for figure in ["changes", "peak_bytes_low", "peak_bytes_high"]:
        with pytest.raises(RuntimeError, match="not started"):
            getattr(measurement, figure)
    assert "not started" in repr(measurement)


def inline(model: python_model.Model) -> int:
    """The bytes of the value that are in the Python object."""
    profile = model.memory_profile()
    return profile.total_bytes - (model.__sizeof__() - object.__sizeof__(model))


def test_a_peak_is_exact_and_comes_with_the_result(netlib):
    calls = [memprof_rs.peak(python_model.Model.read, path=netlib) for _ in range(3)]
    (memory,) = {memory for _, memory in calls}
    model = calls[0][0]
    assert memory.live_bytes == model.memory_profile().total_bytes - inline(model)
    assert memory.peak_bytes >= memory.live_bytes > 0
    assert memory.allocated_blocks > memory.freed_blocks > 0
    (extension,) = memprof_rs.extensions()
    assert extension.peak(python_model.Model.read, netlib)[1] == memory


def test_an_exception_of_the_function_is_raised():
    def fail() -> None:
        raise KeyError("reason")

    with pytest.raises(KeyError, match="reason"):
        memprof_rs.peak(fail)


def test_a_fixture_limits_the_peak_of_a_test(pytester, netlib):
    pytester.makepyfile(
        f"""
        import python_model

        def test_small(memprof_peak):
            python_model.Model.read({str(netlib)!r})
            assert memprof_peak.peak_bytes_high < 10_000_000

        def test_large(memprof_peak):
            python_model.Model.read({str(netlib)!r})
            assert memprof_peak.peak_bytes_high < 10_000
        """
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=1, failed=1)
    pytester.makepyfile("def test_nothing(memprof_peak): pass")
    pytester.runpytest_subprocess().assert_outcomes(skipped=1)


def test_a_marker_limits_the_peak_of_a_test(pytester, netlib):
    pytester.makepyfile(
        f"""
        import pytest
        import python_model

        @pytest.mark.limit_memory("24 MB")
        def test_small():
            python_model.Model.read({str(netlib)!r})

        @pytest.mark.limit_memory("100 KiB")
        def test_large():
            python_model.Model.read({str(netlib)!r})

        @pytest.mark.limit_memory("940 KiB")
        def test_close():
            python_model.Model.read({str(netlib)!r})

        @pytest.mark.limit_memory("928 KiB", current_thread_only=True)
        def test_large_on_its_thread():
            python_model.Model.read({str(netlib)!r})

        @pytest.mark.limit_memory("930 KiB", current_thread_only=True)
        @pytest.mark.parametrize("number", [1, 2])
        def test_small_on_its_thread(number):
            python_model.Model.read({str(netlib)!r})

        @pytest.mark.limit_memory("1 B")
        def test_fails_by_itself():
            raise ValueError("reason")

        @pytest.mark.limit_memory("1 Mib")
        def test_mistyped():
            pass
        """
    )
    ran = pytester.runpytest_subprocess("--strict-markers", "-p", "no:cacheprovider")
    ran.assert_outcomes(passed=3, failed=5)
    ran.stdout.fnmatch_lines(
        [
            "Test was limited to 100.0 KiB but allocated * KiB to * KiB at its peak",
            "Largest call sites by allocated bytes, estimated from samples:",
            "    - *: *",
            "Test was limited to 940.0 KiB but may have allocated * KiB to * KiB at its peak",
            "*current_thread_only=True*",
            "Test was limited to 928.0 KiB but allocated 928.9 KiB at its peak",
            "*ValueError: reason",
            'limit_memory: "1 Mib" is not an amount of memory: unknown unit "Mib", did you mean "MiB"?',
        ]
    )


def test_a_limit_without_an_extension_fails(pytester):
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.limit_memory("24 MB")
        def test_nothing(): pass
        """
    )
    ran = pytester.runpytest_subprocess()
    ran.assert_outcomes(failed=1)
    ran.stdout.fnmatch_lines(["*the peak is unknown: no imported extension has memprof's allocator"])


def test_a_session_records_an_extension(netlib, tmp_path):
    with memprof_rs.session(tmp_path / "recordings", interval=0.5) as session:
        model = python_model.Model.read(netlib)
        session.checkpoint("after_load")
        with pytest.raises(RuntimeError, match="already has a session"):
            memprof_rs.session().__enter__()
    start, after_load, end = session.recording().snapshots.to_list()
    assert after_load["name"] == "after_load"
    owned = model.memory_profile().total_bytes - inline(model)
    # The session itself frees a few bytes of its beginning.
    assert abs(after_load["live_bytes"] - start["live_bytes"] - owned) < 10_000
    assert session.path == str(next((tmp_path / "recordings").glob("*.json")))
    with pytest.raises(RuntimeError, match="does not run"):
        session.checkpoint("late")


def test_a_session_refuses_settings_that_are_wrong(tmp_path):
    for interval in [-1.0, 0.0, float("nan"), 1e9]:
        with pytest.raises(ValueError):
            memprof_rs.session(tmp_path, interval=interval).__enter__()
    with pytest.raises(LookupError, match="nothing"):
        memprof_rs.session(module="nothing").__enter__()
    with pytest.raises(RuntimeError, match="no recording yet"):
        memprof_rs.session(tmp_path).recording()
