"""Compares a trace, by Perfetto's schema and by the answers of its engine, with the session."""

import json
import sys

from google.protobuf.unknown_fields import UnknownFieldSet
from perfetto.protos.perfetto.trace import perfetto_trace_pb2

session_file, trace_file, answers_file = sys.argv[1:]
with open(session_file, encoding="utf-8") as file:
    session = json.load(file)
with open(trace_file, "rb") as file:
    trace = perfetto_trace_pb2.Trace.FromString(file.read())
with open(answers_file, encoding="utf-8") as file:
    answers = json.load(file)


def unknown(message):
    """Returns the number of fields without a schema, in a message and all messages below it."""
    count = len(UnknownFieldSet(message))
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            count += sum(map(unknown, value if field.is_repeated else [value]))
    return count


def same(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: {found!r}, expected {expected!r}")


def known(values):
    """Returns the known values of a curve, without repetitions."""
    values = [value for value in values if value is not None]
    return [value for at, value in enumerate(values) if at == 0 or values[at - 1] != value]


same("unknown fields", unknown(trace), 0)
same("wrong to the engine", answers["wrong"], [])

calls = session["operation_events"]["rows"]
[slices] = answers["slices"]
same("calls", int(slices["count"]), len(calls))
time = sum(max(end - start, 0) for _, _, start, end, *_ in calls)
same("time of calls", int(slices["dur"] or 0), time)
delta = sum(call[4] for call in calls)
same("bytes of calls", int(answers["deltas"][0]["sum"] or 0), delta)
names = {path["path"]: path["names"][-1] for path in session["operation_paths"]}
expected = {names.get(call[0], f"unknown operation {call[0]}") for call in calls}
same("names of calls", {row["name"] for row in answers["names"]}, expected)

snapshots = sorted(session["snapshots"], key=lambda snapshot: snapshot["at_ns"])
curves = {
    ("heap live", "bytes"): [(one["heap"] or {}).get("live_bytes") for one in snapshots],
    ("RSS", "bytes"): [one["process"]["rss_bytes"] for one in snapshots],
}
for snapshot in snapshots:
    # The bytes of a root with an incomplete walk are unknown.
    seen = [root["state"] in ("profiled", "dropped") for root in snapshot["roots"]]
    for device in snapshot["devices"] if all(seen) else []:
        curves.setdefault((f"roots on {device['device']}", "bytes"), []).append(device["bytes"])
    for root, whole in zip(snapshot["roots"], seen):
        if whole:
            curves.setdefault((f"root {root['name']}", "bytes"), []).append(root["total_bytes"])
    for source in snapshot.get("sources", []):
        name = f"source {source['name']}"
        total = source.get("profile", {}).get("total_bytes")
        curves.setdefault((name, "bytes"), []).append(total)
        for gauge in source.get("gauges", []):
            key = (f"{name}: {gauge['name']}", gauge["unit"])
            curves.setdefault(key, []).append(gauge["value"])
expected = {key: known(values) for key, values in curves.items()}
expected = {key: (len(values), max(values)) for key, values in expected.items() if values}
found = {(row["name"], row["unit"]): (int(row["count"]), row["max"]) for row in answers["counters"]}
same("curves", found, expected)

named = [one for one in snapshots if one.get("name") is not None or one["trigger"] == "peak"]
moments = len(named) + len(session["out_of_memory"])
same("moments", int(answers["moments"][0]["count"]), moments)
started = session["metadata"]["started_unix_ns"]
same("start", int(answers["clock"][0]["started"]), started)
program, pid = session["metadata"]["program"], session["metadata"]["pid"]
same("process", answers["process"], [{"pid": str(max(pid, 1)), "name": program}])

print(
    f"{len(trace.packet)} packets without a field that the schema lacks; {len(calls)} calls of "
    f"{time} ns, {int(answers['within'][0]['count'])} of them within others, and {delta} bytes, "
    f"{len(found)} curves and {moments} moments, the same to Perfetto's engine"
)
