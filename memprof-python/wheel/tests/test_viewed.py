"""Arrays that a value only views."""

from __future__ import annotations

import sys

import numpy
import pytest

import python_model


def test_a_viewed_array_counts_once_by_its_address():
    array = numpy.zeros(100_000)
    profile = python_model.Solution(1.0, array[:10], array[5:]).memory_profile()
    viewed = [leaf for leaf in profile.leaves() if leaf["bytes"] >= array.nbytes]
    assert [leaf["bytes"] for leaf in viewed] == [array.nbytes]
    assert viewed[0]["path"] == "Solution;primal;[shared];[data]"
    assert profile.externally_held_bytes == array.nbytes
    assert profile.is_exact


def test_two_arrays_count_both():
    first, second = numpy.zeros(1000), numpy.zeros(2000)
    profile = python_model.Solution(1.0, first, second).memory_profile()
    assert profile.externally_held_bytes == 24_000


def test_the_memory_of_an_array_is_always_held_by_python():
    base = numpy.arange(1000.0)
    for arrays in [(numpy.zeros(1000),), (base, base), (base[:10], base[10:]), [numpy.zeros(1000)] * 2]:
        profile = python_model.Solution(1.0, *arrays).memory_profile()
        assert profile.externally_held_bytes == 8000
        assert profile.is_exact
        # The number of Python's handles is unknown.
        assert ", shared\n" in str(profile)


def test_views_of_a_buffer_count_all_of_it_once():
    buffer = bytes(8000)
    arrays = [numpy.frombuffer(buffer, offset=offset) for offset in (0, 800)]
    solution = python_model.Solution(1.0, *arrays)
    profile = solution.memory_profile()
    assert [leaf["bytes"] for leaf in profile.leaves() if leaf["bytes"] >= 800] == [8000]
    assert profile.externally_held_bytes == 8000


def test_a_view_of_a_mapped_file_counts_the_whole_mapping(tmp_path):
    file = tmp_path / "array"
    file.write_bytes(bytes(8000))
    mapped = numpy.memmap(file, dtype="float64", mode="r")
    solution = python_model.Solution(1.0, mapped[10:][10:])
    assert solution.memory_profile().externally_held_bytes == 8000


def test_an_array_behind_a_lock_is_counted():
    incumbent = python_model.Incumbent()
    incumbent.replace(numpy.zeros(1000))
    assert incumbent.memory_profile().externally_held_bytes == 8000
    incumbent.replace(numpy.zeros(2000))
    assert incumbent.memory_profile().externally_held_bytes == 16_000


def test_the_size_of_the_object_leaves_viewed_memory_out():
    array = numpy.zeros(1_000_000)
    assert sys.getsizeof(python_model.Solution(1.0, array)) < 1000


class Tensor:
    """A tensor as a framework with DLPack has it, on a device that this machine lacks."""

    def __init__(self, device, array=None):
        self.array = numpy.zeros((10, 100), dtype="float32") if array is None else array
        self.device = device

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self):
        return self.array.__dlpack__()


@pytest.mark.parametrize(
    ("device", "name"), [((1, 0), "cpu"), ((2, 3), "cuda:3"), ((3, 0), "cpu"), ((8, 0), "metal:0")]
)
def test_a_tensor_counts_on_its_device(device, name):
    tensor = Tensor(device)
    profile = python_model.Solution(1.0, tensor).memory_profile()
    if name == "cpu":
        assert profile.devices["cpu"] > 4000
    else:
        assert profile.devices[name] == 4000
    assert profile.externally_held_bytes == 4000


def test_a_device_without_a_name_is_unknown_and_not_zero():
    profile = python_model.Solution(1.0, Tensor((15, 0))).memory_profile()
    assert not profile.is_exact


def test_two_tensors_of_one_storage_count_once():
    array = numpy.zeros(1000)
    tensors = Tensor((2, 0), array), Tensor((2, 0), array)
    profile = python_model.Solution(1.0, *tensors).memory_profile()
    assert profile.devices["cuda:0"] == 8000


class Parameter(Tensor):
    """A tensor as PyTorch has it, whose gradient is recorded."""

    requires_grad = True

    def __dlpack__(self):
        raise BufferError("Can't export tensors that require gradient, use tensor.detach()")

    def detach(self):
        return Tensor(self.device, self.array)


def test_a_tensor_whose_gradient_is_recorded_counts():
    profile = python_model.Solution(1.0, Parameter((2, 0))).memory_profile()
    assert profile.devices["cuda:0"] == 4000


@pytest.mark.parametrize("value", [1, "text", [1.0], None, object()])
def test_another_object_is_refused(value):
    with pytest.raises(TypeError, match="expected an array"):
        python_model.Solution(1.0, value)
