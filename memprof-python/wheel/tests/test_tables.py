"""Tables of Arrow, read by three libraries."""

from __future__ import annotations

import duckdb
import polars
import pyarrow
import pytest

import memprof_rs


def test_three_readers_agree_on_the_leaves(model):
    profile = model.memory_profile()
    arrow = pyarrow.table(profile)
    frame = polars.DataFrame(profile)
    total = duckdb.sql("SELECT sum(bytes), count(*) FROM arrow").fetchall()[0]
    leaves = profile.leaves()
    assert arrow.num_rows == frame.height == total[1] == len(leaves)
    assert sum(arrow["bytes"].to_pylist()) == frame["bytes"].sum() == total[0] == profile.total_bytes
    for name in arrow.column_names:
        expected = [leaf[name] for leaf in leaves]
        assert arrow[name].to_pylist() == frame[name].to_list() == expected


def test_pandas_reads_the_leaves(model):
    pandas = pytest.importorskip("pandas")
    profile = model.memory_profile()
    frame: pandas.DataFrame = pyarrow.table(profile).to_pandas()
    assert frame["bytes"].sum() == profile.total_bytes


def test_a_stream_can_be_read_again_and_dropped_unread(model):
    profile = model.memory_profile()
    for _ in range(100):
        profile.__arrow_c_stream__()
    assert pyarrow.table(profile).equals(pyarrow.table(profile))


def test_a_long_table_is_complete():
    text = "".join(f"root;a{n % 7};b{n} {n + 1}\n" for n in range(200_000))
    profile = memprof_rs.MemoryProfile.from_folded(text)
    arrow = pyarrow.table(profile)
    assert arrow.num_rows == 200_000
    assert sum(arrow["bytes"].to_pylist()) == profile.total_bytes == 200_000 * 200_001 // 2


def test_an_empty_profile_has_a_schema():
    arrow = pyarrow.table(memprof_rs.MemoryProfile.from_folded("a 0\n"))
    assert arrow.column_names[:4] == ["path", "name", "kind", "bytes"]
