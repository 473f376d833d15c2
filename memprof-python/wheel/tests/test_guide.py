"""The outputs and numbers that ``docs/python.md`` shows."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy
import pytest

import memprof_rs
import python_model


@pytest.fixture(scope="module")
def guide(root: Path) -> str:
    return (root / "docs/python.md").read_text(encoding="utf-8")


def outputs(page: str) -> list[str]:
    """The blocks of text of a page, which are outputs."""
    return re.findall(r"^```text\n(.*?)\n```$", page, re.DOTALL | re.MULTILINE)


def grouped(number: int) -> str:
    """The number as the guide writes it: ``905,047``."""
    return f"{number:,}"


def row(page: str, tool: str) -> str:
    """The cell with the bytes of a tool, in the table of the guide."""
    (line,) = [line for line in page.splitlines() if line.startswith(f"| {tool} | ")]
    return line.split(" | ")[1]


def test_the_guide_shows_the_tree_of_the_model(guide, model):
    tree = outputs(guide)[0]
    assert model.memory_profile().tree(depth=2).rstrip("\n") == tree


def test_the_guide_has_the_bytes_that_python_returns(guide, model):
    own = row(guide, "`sys.getsizeof`, for the class without memprof")
    assert own == f"{object.__sizeof__(model)}: the header and the fields"
    assert row(guide, "`sys.getsizeof`, with memprof") == grouped(sys.getsizeof(model))
    total = model.memory_profile().total_bytes
    assert row(guide, "`memory_profile()`") == grouped(total)


def test_the_guide_has_the_bytes_that_pympler_returns(guide, model):
    asizeof = pytest.importorskip("pympler.asizeof")
    cell = row(guide, "`pympler.asizeof`")
    assert cell == f"{asizeof.asizeof(model)}, because it does not know the class"


def test_the_guide_has_the_bytes_that_ommx_counts(guide, netlib):
    ommx = pytest.importorskip("ommx.v1")
    folded = ommx.Instance.load_mps(str(netlib)).logical_memory_profile()
    total = sum(int(line.rsplit(" ", 1)[1]) for line in folded.splitlines())
    cell = row(guide, "OMMX 2.9.3, `Instance.logical_memory_profile()` of the same file")
    assert cell == f"{grouped(total)}, for its own types"


def test_the_guide_shows_what_reading_the_model_allocates(guide, netlib):
    with memprof_rs.measure() as measurement:
        model = python_model.Model.read(netlib)
    assert model.variables > 0
    shown = outputs(guide)[1]
    number = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")
    printed = str(measurement).rstrip("\n")
    assert number.sub("", printed) == number.sub("", shown)
    # The path of the file is allocated too, and its length differs between machines.
    for now, then in zip(number.findall(printed), number.findall(shown), strict=True):
        now, then = (float(one.replace(",", "")) for one in (now, then))
        assert now == pytest.approx(then, rel=0.01)


def test_the_guide_shows_leaves_of_an_array(guide, model):
    shown = outputs(guide)[3]
    primal = numpy.zeros(model.variables)
    solution = python_model.Solution(1.0, primal)
    leaves = [f"{leaf['path']} {leaf['bytes']}" for leaf in solution.memory_profile().leaves()]
    assert [line for line in shown.splitlines() if line not in leaves] == []


def test_the_guide_shows_how_a_limit_fails(guide, pytester, netlib):
    pytester.makepyfile(
        f"""
        import pytest
        import python_model

        @pytest.mark.limit_memory("500 KiB")
        def test_read():
            python_model.Model.read({str(netlib)!r})
        """
    )
    ran = pytester.runpytest_subprocess()
    number = re.compile(r"\d+\.\d+ [KM]iB")
    printed = [number.sub("", line) for line in ran.stdout.lines]
    shown = outputs(guide)[2].splitlines()
    assert [line for line in shown[:2] if number.sub("", line) not in printed] == []
    assert any(line.startswith("    - ") for line in printed)


def test_the_tests_of_the_guide_pass(guide, pytester):
    programs = re.findall(r"^```python\n(.*?)^```$", guide, re.DOTALL | re.MULTILINE)
    (tests,) = [program for program in programs if "import extension" in program]
    pytester.makepyfile(extension="from python_model import Vectors as Model", test_extension=tests)
    pytester.runpytest_subprocess().assert_outcomes(passed=3)
