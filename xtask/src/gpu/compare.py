"""Compares memprof's counters of devices with nvidia-smi's: compare.py MEMPROF FOLDER."""

import json
import subprocess
import sys

MIB = 1 << 20
# Both programs read at different times, so a device in use may differ by allocations in between.
SLACK_MIB = 1


def table(what, fields):
    command = ["nvidia-smi", f"--query-{what}={','.join(fields)}", "--format=csv,noheader,nounits"]
    lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    return [dict(zip(fields, (cell.strip() for cell in line.split(",")))) for line in lines if line]


def main(memprof, figures):
    fields = ["uuid", "memory.total", "memory.reserved", "memory.used", "memory.free"]
    smi = {row["uuid"]: row for row in table("gpu", fields)}
    listed = table("compute-apps", ["gpu_uuid", "pid", "used_memory"])
    reported = json.loads(subprocess.run([memprof, "gpu", "--json"], check=True, capture_output=True).stdout)
    failures = []

    def compare(name, ours, theirs):
        mark = "=" if abs(ours - theirs) <= SLACK_MIB else "≠"
        print(f"  {name:28} {ours:10} {mark} {theirs} MiB")
        if mark == "≠":
            failures.append(name)

    for device in reported["devices"]:
        row = smi.get(device["uuid"])
        print(f"{device['device']} {device['uuid']}")
        if row is None:
            print("  nvidia-smi lists no such device")
            failures.append(device["uuid"])
            continue
        memory = device["memory"] or {}
        for key, field in [("total", "total"), ("driver_reserved", "reserved"), ("used", "used"), ("free", "free")]:
            ours, theirs = memory.get(key), row[f"memory.{field}"]
            if ours is not None and theirs.isdigit():
                compare(field, round(ours / MIB), int(theirs))
            else:
                # nvidia-smi prints `[N/A]`, or memprof has no such figure. In that case, the figure
                # must be unknown to both.
                print(f"  {field:28} {ours} and {theirs}")
                if (ours is None) == theirs.isdigit():
                    failures.append(field)
        ours = {row["pid"]: row["used"] for row in device["processes"] or []}
        for process in (row for row in listed if row["gpu_uuid"] == device["uuid"]):
            used = ours.get(int(process["pid"]))
            if used is None:
                failures.append(f"process {process['pid']}")
                print(f"  process {process['pid']}: not reported")
            elif process["used_memory"].isdigit():
                compare(f"process {process['pid']}", round(used / MIB), int(process["used_memory"]))
    costs = {}
    for name in ["trace.jsonl", "trace-10ms.jsonl"]:
        for line in open(f"{figures}/{name}").read().splitlines()[1:]:
            reading = json.loads(line)["reading"]
            kind = "all" if "Ok" in reading["processes"] else "memory"
            costs.setdefault(kind, []).append(reading["cost"]["secs"] * 1e6 + reading["cost"]["nanos"] / 1e3)
    for kind, micros in sorted(costs.items()):
        micros.sort()
        middle, late = micros[len(micros) // 2], micros[len(micros) * 99 // 100]
        print(f"reading {kind}: median {middle:.1f} µs, 99th percentile {late:.1f} µs, of {len(micros)}")
    if failures:
        print(f"{len(failures)} differ: {', '.join(failures)}")
        return 1
    print("all equal")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
