"""The class ``MemoryProfile``, on the model of the example."""

from __future__ import annotations

import json
import os
import pickle
import sys

import pytest

import memprof
import python_model


def test_the_total_is_that_of_rust(model):
    """``cargo xtask python`` runs the example in Rust on the same file first."""
    folded = os.environ.get("MEMPROF_FOLDED_BY_RUST")
    if folded is None:
        pytest.skip("MEMPROF_FOLDED_BY_RUST does not name the folded stacks of the example in Rust")
    with open(folded) as file:
        rust = file.read()
    profile = model.memory_profile("model")
    assert profile.to_folded() == rust
    assert profile.total_bytes == sum(int(line.rsplit(" ", 1)[1]) for line in rust.splitlines())


def test_leaves_add_up_to_the_total(model):
    profile = model.memory_profile()
    assert profile.is_exact
    assert sum(leaf.bytes for leaf in profile.leaves()) == profile.total_bytes
    assert profile.name == "Model"
    assert profile.bytes_at("columns") == sum(
        leaf.bytes for leaf in profile.leaves() if leaf.path.startswith("Model;columns;")
    )
    assert profile.bytes_at("nothing") is None
    assert profile.devices() == [("cpu", profile.total_bytes)]


def test_the_largest_paths_come_first(model):
    top = model.memory_profile().top(3)
    assert len(top) == 3
    assert [bytes for _, bytes in top] == sorted((bytes for _, bytes in top), reverse=True)


def test_sizeof_is_the_object_and_what_it_owns(model):
    inline = object.__sizeof__(model)
    profile = model.memory_profile()
    assert sys.getsizeof(model) > profile.total_bytes
    # The difference is the header of the object and PyO3's own fields.
    assert sys.getsizeof(model) - profile.total_bytes < inline
    assert inline < 1000


def test_text_has_the_tree_and_the_report(model):
    profile = model.memory_profile()
    assert "├─ columns" in str(profile)
    assert profile.tree(depth=1).count("\n") < str(profile).count("\n")
    assert "exact" in repr(profile)
    assert "B inline" in profile.report()


def test_json_dictionary_and_pickle_have_the_same_profile(model):
    profile = model.memory_profile()
    assert profile.to_dict() == json.loads(profile.to_json())
    copy = pickle.loads(pickle.dumps(profile))
    assert type(copy) is python_model.MemoryProfile
    assert copy.to_json() == profile.to_json()
    # Another class, of another extension.
    converted = memprof.MemoryProfile.from_json(profile.to_json())
    assert type(converted) is not type(copy)
    assert str(converted) == str(profile)
    assert pickle.loads(pickle.dumps(converted)).total_bytes == profile.total_bytes


def test_a_difference_has_what_shrank(model):
    before = model.memory_profile()
    model.shrink_to_fit()
    after = model.memory_profile()
    diff = after.diff(before)
    assert diff and diff.change == after.total_bytes - before.total_bytes < 0
    assert sum((now or 0) - (then or 0) for _, then, now in diff.entries()) == diff.change
    assert not after.diff(after)
    assert diff.to_dict()
    assert "<pre>" in diff._repr_html_()


def test_profiles_of_two_extensions_are_compared(model):
    before = memprof.MemoryProfile.from_json(model.memory_profile().to_json())
    model.shrink_to_fit()
    after = model.memory_profile()
    assert memprof.diff(before, after).change == after.diff(before).change < 0
    with pytest.raises(TypeError, match="expected a profile"):
        after.diff("text")


def test_a_folded_profile_has_no_roles():
    profile = memprof.MemoryProfile.from_folded("a;b 10\na;c 20\n")
    assert profile.total_bytes == 30
    assert {leaf.role for leaf in profile.leaves()} == {None}


def test_a_bad_text_is_a_value_error():
    for text in ["", "{", "[]", '{"format": "other"}', "\0", "{" * 100_000]:
        with pytest.raises(ValueError):
            memprof.MemoryProfile.from_json(text)


def test_a_borrowed_object_is_refused_and_not_read(model):
    with pytest.raises(TypeError):
        python_model.Model.memory_profile("no model")
