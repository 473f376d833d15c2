"""The class ``MemoryProfile``, on the model of the example."""

from __future__ import annotations

import json
import os
import pickle
import sys

import pytest

import memprof_rs
import python_model


def test_the_total_is_that_of_rust(model):
    """``cargo xtask python`` runs the example in Rust on the same file first."""
    folded = os.environ.get("FOLDED_BY_RUST")
    if folded is None:
        pytest.skip("FOLDED_BY_RUST does not name the folded stacks of the example in Rust")
    with open(folded) as file:
        rust = file.read()
    profile = model.memory_profile("model")
    assert profile.to_folded() == rust
    assert profile.total_bytes == sum(int(line.rsplit(" ", 1)[1]) for line in rust.splitlines())


def test_leaves_add_up_to_the_total(model):
    profile = model.memory_profile()
    assert profile.is_exact
    assert sum(leaf["bytes"] for leaf in profile.leaves()) == profile.total_bytes
    assert profile.name == "Model"
    assert profile.bytes_at("columns") == sum(
        leaf["bytes"] for leaf in profile.leaves() if leaf["path"].startswith("Model;columns;")
    )
    assert profile.devices == {"cpu": profile.total_bytes}


def test_every_path_of_a_profile_finds_its_bytes(model):
    profile = model.memory_profile()
    for path, bytes in profile.top(100):
        assert profile.bytes_at(path) >= bytes
        assert profile[path].total_bytes == profile.bytes_at(path)
    for leaf in profile.leaves():
        assert profile.bytes_at(leaf["path"]) >= leaf["bytes"]
    assert profile.bytes_at("Model;columns") == profile.bytes_at("columns")
    assert profile.bytes_at("Model") == profile.bytes_at("") == profile.total_bytes
    for line in profile.to_folded().splitlines():
        path, bytes = line.rsplit(" ", 1)
        assert profile.bytes_at(path) >= int(bytes)


def test_a_path_with_the_name_of_the_root_begins_at_the_root():
    profile = memprof_rs.MemoryProfile.from_folded("a;a;b 1\na;b 2\n")
    assert profile.bytes_at("a;b") == 2
    assert profile.bytes_at("a;a;b") == 1
    assert profile.bytes_at("b") == 2


@pytest.mark.parametrize("path", ["nothing", "Model;columns;nothing", "columns;values;[spares]"])
def test_a_missing_path_is_a_key_error_that_names_the_nearest(model, path):
    profile = model.memory_profile()
    for look_up in [profile.bytes_at, profile.__getitem__]:
        with pytest.raises(KeyError, match="columns"):
            look_up(path)
    assert path not in profile


def test_a_profile_maps_names_to_parts(model):
    profile = model.memory_profile()
    assert len(profile) == len(list(profile)) == len(profile.children())
    for name, child in zip(profile, profile.children(), strict=True):
        assert profile[name] == child
        assert child.name == name
        assert name in profile
    assert sum(child.total_bytes for child in profile.children()) == profile.total_bytes
    assert profile["columns"]["values"].total_bytes == profile.bytes_at("columns;values")
    values = profile["columns;values"]
    assert len(values) == 0 and values
    assert values.tree() in profile["columns"]["values"].tree()


def test_equal_profiles_are_equal(model):
    profile = model.memory_profile()
    assert profile == model.memory_profile() != model.memory_profile("other")
    assert profile != 1
    model.shrink_to_fit()
    assert profile != model.memory_profile()


def test_a_profile_is_saved_once(model, tmp_path):
    profile = model.memory_profile()
    for save, name in [(profile.save, "a.json"), (profile.flamegraph, "a.svg")]:
        path = tmp_path / name
        save(path)
        with pytest.raises(FileExistsError, match=name):
            save(path)
        save(str(path), overwrite=True)
        with pytest.raises(FileNotFoundError, match="nowhere"):
            save(tmp_path / "nowhere" / name)
    assert memprof_rs.read_profile(tmp_path / "a.json") == memprof_rs.MemoryProfile.of(profile)
    assert (tmp_path / "a.svg").read_text().lstrip().startswith("<?xml")


def test_a_report_has_figures_and_recommendations(model):
    report = model.memory_profile().report()
    assert report.total == report.data + report.metadata + report.auxiliary
    assert report.total == model.memory_profile().total_bytes
    assert report.unknown == report.shared_metadata == 0
    assert report.overhead_ratio == report.metadata / report.data
    assert report.metadata_share == report.metadata / report.total
    assert report.auxiliary_ratio == report.auxiliary / report.data
    spare = sum(leaf["bytes"] for leaf in model.memory_profile().leaves() if leaf["kind"] == "[spare]")
    assert report.spare == spare > report.padding > 0
    assert report.allocations == 5500
    advice = report.recommendations[0]
    assert (advice.severity, advice.rule) == ("info", "spare")
    assert advice.savings == 63_360 and not advice.is_upper_bound
    assert "shrink_to_fit" in advice.action and "spare" in str(advice)
    assert model.memory_profile().bytes_at(advice.path) > advice.savings
    assert str(report).startswith("Model: 883.8 KiB")
    folded = memprof_rs.MemoryProfile.from_folded("a;b 10\n").report()
    assert (folded.unknown, folded.overhead_ratio) == (10, None)


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
    total = f"{profile.total_bytes:,}"
    assert repr(profile) == f"<MemoryProfile Model: {total} bytes, exact>"
    assert "B inline" in str(profile.report())


def test_json_dictionary_and_pickle_have_the_same_profile(model):
    profile = model.memory_profile()
    assert profile.to_dict() == json.loads(profile.to_json())
    copy = pickle.loads(pickle.dumps(profile))
    assert type(copy) is python_model.MemoryProfile
    assert copy.to_json() == profile.to_json()
    # Another class, of another extension.
    converted = memprof_rs.MemoryProfile.from_json(profile.to_json())
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
    before = memprof_rs.MemoryProfile.from_json(model.memory_profile().to_json())
    model.shrink_to_fit()
    after = model.memory_profile()
    assert memprof_rs.diff(before, after).change == after.diff(before).change < 0
    for compare in [after.diff, lambda one: memprof_rs.diff(one, after), memprof_rs.show]:
        with pytest.raises(TypeError, match="expected a profile .* not `int`"):
            compare(1)


def test_a_folded_profile_has_no_roles():
    profile = memprof_rs.MemoryProfile.from_folded("a;b 10\na;c 20\n")
    assert profile.total_bytes == 30
    assert {leaf["role"] for leaf in profile.leaves()} == {None}


def test_a_bad_text_is_a_value_error():
    for text in ["", "{", "[]", '{"format": "other"}', "\0", "{" * 100_000]:
        with pytest.raises(ValueError):
            memprof_rs.MemoryProfile.from_json(text)


def test_a_borrowed_object_is_refused_and_not_read(model):
    with pytest.raises(TypeError):
        python_model.Model.memory_profile("no model")
