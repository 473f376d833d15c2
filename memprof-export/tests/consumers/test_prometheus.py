"""Snapshots as metrics. Prometheus' own tool checks them and its client reads them."""

import collections

import pytest
from prometheus_client.parser import text_string_to_metric_families
from recordings import with_calls
from tools import promtool, run


def total(values):
    """Returns the sum of the known values, or `None` if there are none."""
    values = [value for value in values if value is not None]
    return sum(values) if values else None


@with_calls
def test_prometheus(recording):
    session = recording.data
    file = recording.export("prometheus", "prom")
    text = file.read_text(encoding="utf-8")
    run(promtool(), "check", "metrics", input=text)

    sums = collections.defaultdict(float)
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            sums[sample.name] += sample.value

    last = session["snapshots"][-1]
    heap = last["heap"] or {}
    outermost = [row for row in session["summary"]["operations"] if len(row["path"]) == 1]
    sources = last.get("sources", [])
    # The bytes of a root with an incomplete walk are unknown.
    seen = [root for root in last["roots"] if root["state"] in ("profiled", "dropped")]
    devices = last["devices"] if len(seen) == len(last["roots"]) else []
    gauges = [gauge for source in sources for gauge in source.get("gauges", [])]

    def unit(name, parts):
        value = total(gauge["value"] for gauge in gauges if gauge["unit"] == name)
        return None if value is None else value / parts

    expected = {
        "memprof_heap_live_bytes": heap.get("live_bytes"),
        "memprof_heap_allocated_bytes_total": heap.get("allocated_bytes"),
        "memprof_heap_freed_blocks_total": heap.get("freed_blocks"),
        "memprof_process_resident_bytes": last["process"]["rss_bytes"],
        "memprof_process_swap_bytes": last["process"]["swap_bytes"],
        "memprof_root_bytes": total(root["total_bytes"] for root in seen),
        "memprof_device_roots_bytes": total(device["bytes"] for device in devices),
        "memprof_source_bytes": total(source.get("profile", {}).get("total_bytes") for source in sources),
        "memprof_source_figure_bytes": unit("bytes", 1),
        "memprof_source_figure_seconds": unit("ns", 1e9),
        "memprof_source_figure_celsius": unit("celsius", 1),
        "memprof_source_figure_watts": unit("milliwatts", 1e3),
        "memprof_operation_calls_total": total(row["calls"] for row in outermost),
        "memprof_operation_allocated_bytes_total": total(row["allocated_bytes"] for row in outermost),
        "memprof_operation_freed_bytes_total": total(row["freed_bytes"] for row in outermost),
    }
    for name, value in expected.items():
        found = sums.get(name)
        assert found == (value if value is None else pytest.approx(value, rel=1e-9, abs=1e-9)), name
    time = total(row["wall_time"] and row["wall_time"]["total_ns"] for row in outermost)
    assert sums["memprof_operation_seconds_total"] == pytest.approx((time or 0) / 1e9, abs=1e-9)
