"""Runs the checks that need a GPU, on a machine without Rust: check.py [--require-gpu] OUT.

The folder of this script has the programs. Each step has a time limit, and a step that fails or
hangs loses no figure of another one. OUT gets three files: `summary.json`, `figures.tar.gz` and, with
PyTorch, `torch.json.gz`. The summary is printed last, with a line for each capability.

Without a GPU, each capability is skipped with a reason, and the script succeeds. With
`--require-gpu`, a skip is a failure.
"""

import argparse
import datetime
import glob
import gzip
import importlib.util
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tarfile
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
MIB = 1 << 20
# The whole script takes at most eight minutes.
DEADLINE = time.monotonic() + 470

# The capabilities that `cuda_check` checks, each with the row whose figure the summary shows.
CHECKED = {
    "driver": "to make the primary context",
    "driver's pool": "allocated, of seven times 32 MiB",
    "upstreams": "2 MiB by cuMemAlloc, median",
    "pool reuse": "buffers that the wrong stream wrote last",
    "pool statistics": "peak allocated",
    "pool limits": "released by compaction",
    "pool adaptors": "outstanding allocations",
    "pool timeline": "peak of the curve",
    "event timer": "no work, median",
    "snapshot": "bytes of the roots on cuda:0",
    "attribution": "attributed to values",
    "framework operations": "device time of 64 MiB filled",
}
OPERATIONS = [
    "create", "to device", "from device", "add", "add m + km", "mul", "div", "sum", "mean",
    "chain (a+b)·a/s, sum", "matmul", "linear forward, tracked", "linear forward, backward",
]  # fmt: skip
ELEMENTS = [1 << 10, 1 << 15, 1 << 20]
SIDES = [32, 256, 1024]


class Skipped(Exception):
    """The machine lacks what a step needs."""


class Check:
    def __init__(self, figures):
        self.figures = figures
        self.rows = []

    def row(self, capability, outcome, figure):
        self.rows.append({"capability": capability, "outcome": outcome, "figure": str(figure)})

    def step(self, capabilities, run):
        """Runs a step. If it ends early, each capability without a row gets the reason."""
        print(f"\n== {', '.join(capabilities)}", flush=True)
        try:
            run()
            outcome, reason = "fail", "the step reported nothing"
        except Skipped as skipped:
            outcome, reason = "skip", skipped
        except Exception as error:  # A failed step must not end the script.
            outcome, reason = "fail", f"{type(error).__name__}: {error}"
        known = {row["capability"] for row in self.rows}
        for capability in capabilities:
            if capability not in known:
                self.row(capability, outcome, reason)

    def program(self, name, *arguments, limit, file):
        """Runs a program of the folder and stores its output. Returns the output and the exit code."""
        limit = min(limit, DEADLINE - time.monotonic())
        if limit < 1:
            raise TimeoutError("no time is left")
        path = self.figures / file
        with open(path, "w") as out:
            command = [HERE / name, *arguments]
            code = subprocess.run(command, stdout=out, stderr=subprocess.STDOUT, timeout=limit, env=ENVIRONMENT).returncode
        text = path.read_text(errors="replace")
        print(text[-4000:], flush=True)
        return text, code

    def cuda(self):
        rows_file = self.figures / "cuda_check.json"
        failure = ""
        try:
            text, code = self.program("cuda_check", "--json", rows_file, limit=90, file="cuda_check.txt")
            if text.startswith("skipped: "):
                raise Skipped(text.splitlines()[0][len("skipped: ") :])
        except subprocess.TimeoutExpired:
            failure = "it did not end in time"
        rows = json.loads(rows_file.read_text()) if rows_file.exists() else printed_rows(self.figures / "cuda_check.txt")
        for capability, what in CHECKED.items():
            own = [row for row in rows if row["capability"] == capability]
            failed = [row for row in own if row["outcome"] == "fail"]
            if failed:
                self.row(capability, "fail", f"{len(failed)} of {len(own)} rows; first: {failed[0]['what']} {failed[0].get('reason') or ''}".strip())
            elif not own:
                self.row(capability, "fail", failure or "no row")
            elif all(row["outcome"] == "skip" for row in own):
                self.row(capability, "skip", own[0]["reason"])
            else:
                figure = next((row["measured"] for row in own if row["what"] == what and row["measured"]), None)
                self.row(capability, "pass", f"{len(own)} rows; {what}: {amount(figure)}")

    def counters(self):
        """Compares memprof's counters with nvidia-smi's, while another process holds 1 GiB."""
        smi("-L")
        (self.figures / "nvidia-smi.txt").write_text(smi())
        with holder() as pid:
            reported = json.loads(self.program("memprof", "gpu", "--json", limit=30, file="memprof-gpu.json")[0])
            listed = query("gpu", ["uuid", "memory.total", "memory.reserved", "memory.used", "memory.free"])
            processes = query("compute-apps", ["gpu_uuid", "pid", "used_memory"])
        differences, compared = [], 0
        for device, reading in zip(reported["devices"], reported["readings"]):
            theirs = next((row for row in listed if row["uuid"] == device["uuid"]), None)
            if theirs is None:
                differences.append(f"nvidia-smi lists no {device['uuid']}")
                continue
            memory = reading["memory"].get("Ok") or {}
            for ours, field in [("total", "total"), ("driver_reserved", "reserved"), ("used", "used"), ("free", "free")]:
                if theirs[f"memory.{field}"].isdigit() and memory.get(ours) is not None:
                    compared += 1
                    # Both programs round, and read at different times.
                    if abs(memory[ours] / MIB - int(theirs[f"memory.{field}"])) > 8:
                        differences.append(f"{field}: {memory[ours] / MIB:.0f} and {theirs[f'memory.{field}']} MiB")
            own = {row["pid"]: row["used"] for row in reading["processes"].get("Ok") or []}
            for process in (row for row in processes if row["gpu_uuid"] == device["uuid"]):
                used, theirs_used = own.get(int(process["pid"])), process["used_memory"]
                # In a container, the process may be unknown to both.
                if theirs_used.isdigit():
                    compared += 1
                    if used is None or abs(used / MIB - int(theirs_used)) > 8:
                        differences.append(f"process {process['pid']}: {used} bytes and {theirs_used} MiB")
        if differences:
            self.row("device counters", "fail", "; ".join(differences))
        else:
            seen = "with" if any(int(row["pid"]) == pid for row in processes) else "without"
            self.row("device counters", "pass", f"{compared} figures equal nvidia-smi's, {seen} the process that holds 1 GiB")
        costs = []
        for _ in range(20):
            readings = json.loads(subprocess.run([HERE / "memprof", "gpu", "--json"], capture_output=True, timeout=30).stdout)["readings"]
            costs += [reading["cost"]["secs"] * 1e6 + reading["cost"]["nanos"] / 1e3 for reading in readings]
        self.row("cost of a reading", "pass", f"median {sorted(costs)[len(costs) // 2]:.0f} µs")

    def kernels(self):
        text, code = self.program("wrapper", "--verify", limit=60, file="verify.txt")
        if "skipped: cuda:0" in text:
            raise Skipped(text.splitlines()[0][len("skipped: ") :])
        self.row("wrapper kernels", "pass" if code == 0 else "fail", text.strip().splitlines()[-1])

    def wrapper(self):
        report = self.figures / "wrapper.md"
        arguments = ["--effort", "short", "--device", "cuda:0", "--output", self.figures / "criterion", "--markdown", report]
        try:
            _, code = self.program("wrapper", *arguments, limit=270, file="wrapper.txt")
        except subprocess.TimeoutExpired:
            code = "the time limit"
        text = report.read_text() if report.exists() else ""
        skipped = re.findall(r"^\| cuda:0 \| all \| (.*) \|$", text, re.M)
        if skipped:
            raise Skipped(skipped[0])
        times = text.partition("Raw and wrapped")[2].partition("The time that the wrapper adds")[0]
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in times.splitlines() if line.startswith("| cuda:0")]
        self.row("wrapper rows", "pass" if rows and code == 0 else "fail", f"{len(rows)} rows, exit code {code}")
        missing = [name for name in OPERATIONS if not any(row[1] == name for row in rows)]
        self.row("wrapper operations", "fail" if missing else "pass", f"missing: {', '.join(missing)}" if missing else f"{len(OPERATIONS)} operations")
        sizes = {(row[2], int(row[3].replace(",", ""))) for row in rows}
        wanted = [(dtype, size) for dtype in ["f32", "f16", "bf16"] for size in ELEMENTS + [side * side for side in SIDES]]
        absent = [f"{dtype} {size}" for dtype, size in wanted if (dtype, size) not in sizes]
        self.row("wrapper sizes", "fail" if absent else "pass", f"missing: {', '.join(absent)}" if absent else f"{len(wanted)} types and sizes")
        unknown = re.findall(r"^\| (GPU|driver|CUDA) \| unknown \|$", text, re.M)
        findings = text.partition("The time that the wrapper adds")[2].count("\n| cuda:0")
        self.row("wrapper report", "pass" if findings and not unknown else "fail", f"{findings} findings" + (f", unknown: {', '.join(unknown)}" if unknown else ""))

    def torch(self, out):
        """Records a fixed script of allocations in PyTorch, with addresses and statistics."""
        if importlib.util.find_spec("torch") is None:
            raise Skipped("PyTorch is not installed")
        environment = [name for name in ["PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF"] if os.environ.get(name)]
        if environment:
            raise Skipped(f"{environment[0]} changes PyTorch's allocator")
        script = f"import runpy; runpy.run_path({str(HERE / 'check.py')!r})['torch_trace']({str(out)!r})"
        result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=max(1, min(90, DEADLINE - time.monotonic())))
        if result.returncode == 3:
            raise Skipped(result.stderr.strip())
        if result.returncode != 0:
            raise RuntimeError(result.stderr.strip().splitlines()[-1] if result.stderr else f"exit code {result.returncode}")
        self.row("PyTorch trace", "pass", result.stdout.strip())


def torch_trace(path):
    """Runs in a process of its own. Writes the steps, each with its address and the statistics after it."""
    import torch

    if not torch.cuda.is_available():
        print("PyTorch finds no device", file=sys.stderr)
        sys.exit(3)
    assert torch.cuda.memory.get_allocator_backend() == "native"
    torch.cuda.init()
    torch.cuda.empty_cache()
    torch.cuda.memory._record_memory_history()
    names = ["allocated_bytes", "reserved_bytes", "requested_bytes", "inactive_split_bytes", "segment"]
    chance, live, steps = random.Random(1), {}, []

    def step(action, number=None, size=None, address=None):
        statistics = torch.cuda.memory_stats()
        steps.append({"action": action, "id": number, "bytes": size, "address": address} | {name: statistics[f"{name}.all.current"] for name in names})

    def free(number):
        tensor = live.pop(number)
        size, address = tensor.numel(), tensor.data_ptr()
        del tensor
        step("free", number, size, address)

    for number in range(2000):
        if live and chance.random() < 0.45:
            free(chance.choice(sorted(live)))
        else:
            size = int(2 ** chance.uniform(4, 27))
            live[number] = torch.empty(size, dtype=torch.uint8, device="cuda:0")
            step("alloc", number, size, live[number].data_ptr())
        if number % 500 == 499:
            torch.cuda.empty_cache()
            step("empty_cache")
    for number in sorted(live):
        free(number)
    torch.cuda.empty_cache()
    step("empty_cache")
    history = torch.cuda.memory._snapshot()["device_traces"][0]
    segments = [event for event in history if event["action"].startswith("segment")]
    segments = [{key: event[key] for key in ["action", "addr", "size", "stream"]} for event in segments]
    head = {"torch": torch.__version__, "cuda": torch.version.cuda, "device": torch.cuda.get_device_name(0)}
    with gzip.open(path, "wt") as file:
        json.dump(head | {"steps": steps, "segments": segments}, file)
    print(f"{len(steps)} steps, {len(segments)} events of segments, PyTorch {torch.__version__}")


class holder:
    """A process that holds 1 GiB of the first device, or none without PyTorch."""

    def __enter__(self):
        self.process = None
        if importlib.util.find_spec("torch") is not None:
            script = "import torch, time; x = torch.empty(1 << 30, dtype=torch.uint8, device='cuda:0'); print('ready', flush=True); time.sleep(60)"
            self.process = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            self.process.stdout.readline()
        return self.process.pid if self.process else None

    def __exit__(self, *_):
        if self.process:
            self.process.kill()
            self.process.wait()


def smi(*arguments):
    try:
        result = subprocess.run(["nvidia-smi", *arguments], capture_output=True, text=True, timeout=30)
    except FileNotFoundError:
        raise Skipped("there is no nvidia-smi") from None
    if result.returncode != 0:
        raise Skipped(f"nvidia-smi: {result.stdout.strip() or result.stderr.strip()}")
    return result.stdout


def query(what, fields):
    lines = smi(f"--query-{what}={','.join(fields)}", "--format=csv,noheader,nounits").splitlines()
    return [dict(zip(fields, (cell.strip() for cell in line.split(",")))) for line in lines if line.strip()]


def printed_rows(path):
    """The rows that `cuda_check` printed before it ended."""
    outcomes = {"pass": "pass", "FAIL": "fail", "skip": "skip", "": "recorded"}
    rows = []
    for line in path.read_text(errors="replace").splitlines() if path.exists() else []:
        outcome, capability, what = line[:4].strip(), line[6:26].strip(), line[28:]
        if outcome in outcomes and capability in CHECKED:
            what, _, figure = what.partition(": ")
            rows.append({"capability": capability, "outcome": outcomes[outcome], "what": what, "measured": figure, "reason": figure})
    return rows


def amount(figure):
    if isinstance(figure, dict):
        ((unit, number),) = figure.items()
        return f"{number / 1000:.1f} µs" if unit == "nanoseconds" else f"{number} B" if unit == "bytes" else number
    return figure or "not measured"


def libraries():
    """The environment of the programs, in which they find the cuBLAS of PyTorch's wheels."""
    found = importlib.util.find_spec("nvidia")
    roots = list(found.submodule_search_locations) if found and found.submodule_search_locations else []
    folders = sorted({os.path.dirname(path) for root in roots for path in glob.glob(f"{root}/*/lib/libcublas*.so*")})
    named = [folder for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":") if folder]
    return os.environ | {"LD_LIBRARY_PATH": ":".join(named + folders)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--require-gpu", action="store_true", help="fail where a check is skipped")
    parser.add_argument("out", type=pathlib.Path, help="the folder for the results")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        check = Check(pathlib.Path(folder))
        check.step(list(CHECKED), check.cuda)
        check.step(["device counters", "cost of a reading"], check.counters)
        check.step(["wrapper kernels"], check.kernels)
        check.step(["PyTorch trace"], lambda: check.torch(arguments.out.resolve() / "torch.json.gz"))
        check.step(["wrapper rows", "wrapper operations", "wrapper sizes", "wrapper report"], check.wrapper)
        with tarfile.open(arguments.out / "figures.tar.gz", "w:gz") as archive:
            for path in sorted(check.figures.iterdir()):
                if path.is_file():
                    archive.add(path, path.name)
    try:
        gpu = query("gpu", ["name", "driver_version"])[0]
    except (Skipped, IndexError):
        gpu = {"name": None, "driver_version": None}
    summary = {
        "format": "memprof gpu check",
        "date": datetime.date.today().isoformat(),
        "gpu": gpu["name"],
        "driver": gpu["driver_version"],
        "seconds": round(470 - (DEADLINE - time.monotonic())),
        "rows": check.rows,
    }
    (arguments.out / "summary.json").write_text(json.dumps(summary, indent=1, ensure_ascii=False) + "\n")
    print(f"\n== summary: {summary['gpu'] or 'no GPU'}, {summary['seconds']} s")
    for row in check.rows:
        print(f"{row['outcome'].replace('fail', 'FAIL'):4}  {row['capability']:20}  {row['figure']}")
    bad = {"fail", "skip"} if arguments.require_gpu else {"fail"}
    sys.exit(any(row["outcome"] in bad for row in check.rows))


ENVIRONMENT = libraries()

if __name__ == "__main__":
    main()
