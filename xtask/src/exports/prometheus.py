"""Compares metrics, parsed by Prometheus' client, with the session and with the server's answer."""

import collections
import json
import sys
import urllib.request

from prometheus_client.parser import text_string_to_metric_families

session_file, metrics_file, url = sys.argv[1:]
with open(session_file, encoding="utf-8") as file:
    session = json.load(file)
with open(metrics_file, encoding="utf-8") as file:
    text = file.read()
with urllib.request.urlopen(url, timeout=20) as answer:
    content, served = answer.headers["Content-Type"], answer.read().decode()


def same(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: {found!r}, expected {expected!r}")


same("what is served", served, text)
same("its type", content, "text/plain; version=0.0.4; charset=utf-8")

sums = collections.defaultdict(float)
count = 0
for family in text_string_to_metric_families(text):
    for sample in family.samples:
        sums[sample.name] += sample.value
        count += 1

last = session["snapshots"][-1]
heap = last["heap"] or {}
outermost = [row for row in session["summary"]["operations"] if len(row["path"]) == 1]
sources = last.get("sources", [])
# The bytes of a root with an incomplete walk are unknown.
seen = [root for root in last["roots"] if root["state"] in ("profiled", "dropped")]
devices = last["devices"] if len(seen) == len(last["roots"]) else []
gauges = [gauge for source in sources for gauge in source.get("gauges", [])]


def total(values):
    """Returns the sum of the known values, or `None` if there are none."""
    values = [value for value in values if value is not None]
    return sum(values) if values else None


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
    if value is None or found is None:
        same(name, found, value)
    elif abs(found - value) > 1e-9 * max(1, abs(value)):
        same(name, found, value)
time = total(row["wall_time"] and row["wall_time"]["total_ns"] for row in outermost)
if abs(sums["memprof_operation_seconds_total"] - (time or 0) / 1e9) > 1e-9:
    same("seconds", sums["memprof_operation_seconds_total"], time)
print(f"{count} samples, of which {len(expected)} sums are the session's; the same text is served")
