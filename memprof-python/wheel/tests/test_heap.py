"""What extensions allocate."""

from __future__ import annotations

import memprof
import python_model


def test_extensions_are_found_by_their_attribute():
    assert [extension.module for extension in memprof.extensions()] == ["python_model"]


def test_a_measurement_has_what_a_model_allocates(netlib):
    with memprof.measure() as measurement:
        model = python_model.Model.read(netlib)
    (change,) = measurement.changes
    assert change.live_bytes == model.memory_profile().total_bytes - inline(model)
    assert change.peak_bytes + change.peak_error_bytes >= change.live_bytes
    assert measurement.peak_bytes == change.peak_bytes + change.peak_error_bytes
    assert "python_model: peak " in str(measurement)


def inline(model: python_model.Model) -> int:
    """The bytes of the value that are in the Python object."""
    profile = model.memory_profile()
    return profile.total_bytes - (model.__sizeof__() - object.__sizeof__(model))


def test_an_exact_peak_is_repeatable(netlib):
    measurement = memprof.measure()
    peaks = {measurement.exact_peak(lambda: python_model.Model.read(netlib)) for _ in range(3)}
    assert len(peaks) == 1
    assert peaks.pop() >= python_model.Model.read(netlib).memory_profile().total_bytes - 1000


def test_an_exception_of_the_function_is_raised():
    def fail() -> None:
        raise KeyError("reason")

    try:
        memprof.measure().exact_peak(fail)
    except KeyError as error:
        assert error.args == ("reason",)
    else:
        raise AssertionError("no exception")


def test_a_fixture_limits_the_peak_of_a_test(pytester, netlib):
    pytester.makepyfile(
        f"""
        import python_model

        def test_small(memprof_peak):
            python_model.Model.read({str(netlib)!r})
            assert memprof_peak.peak_bytes < 10_000_000
            assert memprof_peak.exact_peak(lambda: None) == 0

        def test_large(memprof_peak):
            python_model.Model.read({str(netlib)!r})
            assert memprof_peak.peak_bytes < 10_000
        """
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=1, failed=1)
    pytester.makepyfile("def test_nothing(memprof_peak): pass")
    pytester.runpytest_subprocess().assert_outcomes(skipped=1)
