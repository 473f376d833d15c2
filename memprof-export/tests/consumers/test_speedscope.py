"""Sessions as speedscope's JSON, checked by its schema and opened in its page."""

import json

import jsonschema
from tools import drive, node_packages


def shown(bytes):
    """Formats bytes like speedscope."""
    for unit in ["B", "KB", "MB", "GB", "TB"]:
        if bytes < 1024:
            return f"{bytes} B" if unit == "B" else f"{bytes:.2f} {unit}"
        bytes /= 1024


def test_speedscope(recording):
    release = node_packages() / "speedscope/dist/release"
    schema = json.loads((release / "file-format-schema.json").read_text(encoding="utf-8"))
    session = recording.data
    file = recording.export("speedscope", "speedscope.json")
    document = json.loads(file.read_text(encoding="utf-8"))
    jsonschema.validate(document, schema)
    loaded = drive("speedscope.mjs", release / "index.html", file, recording.beside("png"))

    assert loaded["requests"] == [], "requests"
    assert loaded["wrong"] == [], "errors"
    profiles = document["profiles"]
    assert len(loaded["profiles"]) == len(profiles), "profiles"

    # First the trees: their totals in the file are exact, and those of the page are rounded.
    trees = [one["profile"]["total_bytes"] for one in recording.profiled(-1)]
    if session["summary"]["sites"]:
        trees.append(recording.site_bytes())
    stacks = [profile for profile in profiles if profile["type"] == "sampled"]
    assert [profile["endValue"] for profile in stacks] == trees, "totals"
    for profile, text in zip(stacks, loaded["profiles"]):
        assert sum(profile["weights"]) == profile["endValue"], "sum of weights"
        assert len(profile["samples"]) == len(profile["weights"]), "samples"
        root = {stack[0] for stack in profile["samples"]}
        if len(root) == 1:
            assert f"{shown(profile['endValue'])} (100%)" in text, profile["name"]

    calls = session["operation_events"]["rows"]
    rows = [profile for profile in profiles if profile["type"] == "evented"]
    time = 0
    for profile in rows:
        open_frames = []
        at = profile["startValue"]
        for event in profile["events"]:
            assert event["at"] >= at, f"{profile['name']} goes back in time"
            at = event["at"]
            if event["type"] == "O":
                open_frames.append((event["frame"], at))
            else:
                frame, began = open_frames.pop()
                assert event["frame"] == frame, "the frame that ends"
                time += at - began
        assert open_frames == [], "frames without an end"
        assert profile["endValue"] == at, "the end"
    assert sum(len(profile["events"]) for profile in rows) == 2 * len(calls), "calls"
    expected = sum(max(end - start, 0) for _, _, start, end, *_ in calls)
    assert time == expected, "time of calls"
