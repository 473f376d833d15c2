"""Compares a file for speedscope, by its schema and by the text of its page, with the session."""

import json
import sys

import jsonschema

session, schema, document, loaded = (json.load(open(file, encoding="utf-8")) for file in sys.argv[1:])
jsonschema.validate(document, schema)


def same(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: {found!r}, expected {expected!r}")


def shown(bytes):
    """Formats bytes like speedscope."""
    for unit in ["B", "KB", "MB", "GB", "TB"]:
        if bytes < 1024:
            return f"{bytes} B" if unit == "B" else f"{bytes:.2f} {unit}"
        bytes /= 1024


same("requests", loaded["requests"], [])
same("errors", loaded["wrong"], [])
profiles = document["profiles"]
same("profiles", len(loaded["profiles"]), len(profiles))

# First the trees: their totals in the file are exact, and those of the page are rounded.
last = session["snapshots"][-1]
trees = [one["profile"]["total_bytes"] for one in last["roots"] + last.get("sources", []) if one.get("profile")]
sites = session["summary"]["sites"]
if sites:
    other = session["summary"]["other_sites"]
    values = [site["live"]["value"] for site in sites] + ([other["value"]] if other else [])
    # The sum is rounded once, like in the export.
    trees.append(int(sum(values) + 0.5))
stacks = [profile for profile in profiles if profile["type"] == "sampled"]
same("totals", [profile["endValue"] for profile in stacks], trees)
for profile, text in zip(stacks, loaded["profiles"]):
    same("sum of weights", sum(profile["weights"]), profile["endValue"])
    same("samples", len(profile["samples"]), len(profile["weights"]))
    root = {stack[0] for stack in profile["samples"]}
    if len(root) == 1 and f"{shown(profile['endValue'])} (100%)" not in text:
        sys.exit(f"{profile['name']} is not {shown(profile['endValue'])} to the page:\n{text}")

calls = session["operation_events"]["rows"]
rows = [profile for profile in profiles if profile["type"] == "evented"]
time = 0
for profile in rows:
    open_frames = []
    at = profile["startValue"]
    for event in profile["events"]:
        if event["at"] < at:
            sys.exit(f"{profile['name']} goes back in time at {event['at']}")
        at = event["at"]
        if event["type"] == "O":
            open_frames.append((event["frame"], at))
        else:
            frame, began = open_frames.pop()
            same("the frame that ends", event["frame"], frame)
            time += at - began
    same("frames without an end", open_frames, [])
    same("the end", profile["endValue"], at)
same("calls", sum(len(profile["events"]) for profile in rows), 2 * len(calls))
expected = sum(max(end - start, 0) for _, _, start, end, *_ in calls)
same("time of calls", time, expected)
print(
    f"{len(stacks)} trees and stacks of {sum(trees)} bytes and {len(rows)} rows of {len(calls)} "
    f"calls, {time} ns, as its schema has them, and all opened in its page"
)
