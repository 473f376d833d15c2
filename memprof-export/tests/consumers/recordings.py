"""The recordings to export: two with hostile names, and a real one."""

import functools
import json
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest
from tools import FOLDER, MEMPROF, ROOT, SOURCE_INDEX, export, run

STORED = {
    # Its operations have samples.
    "hostile": ROOT / "memprof-export/tests/golden/hostile.json",
    # Its calls overlap, and it has sources, incomplete roots and figures of the process.
    "overlapping": ROOT / "memprof-export/tests/data/hostile.json",
}


def recorded(*names):
    """Runs a test with these recordings only."""
    return pytest.mark.parametrize("recording", names, indirect=True)


with_samples = recorded("hostile", "source_index")
with_calls = recorded("overlapping", "source_index")


@dataclass
class Recording:
    name: str
    path: Path

    @functools.cached_property
    def data(self):
        return json.loads(self.path.read_text(encoding="utf-8"))

    def named(self):
        """Returns the recording with the names of its addresses."""
        path = self.beside("named")
        run(MEMPROF, "symbolize", "--force", "-o", path, self.path)
        return Recording(self.name, path)

    def beside(self, ending):
        return self.path.with_suffix(f".{ending}")

    def export(self, form, ending=None):
        """Exports the recording into a file beside it."""
        return export(self.path, form, self.beside(ending or form))

    def snapshot_bytes(self, at=-1):
        """Returns the bytes of all roots and sources with a profile in a snapshot."""
        return sum(one["profile"]["total_bytes"] for one in self.profiled(at))

    def profiled(self, at):
        """Returns the roots and sources of a snapshot that have a profile."""
        snapshot = self.data["snapshots"][at]
        return [one for one in snapshot["roots"] + snapshot.get("sources", []) if one.get("profile")]

    def site_bytes(self):
        """Returns the live bytes of all call sites."""
        summary = self.data["summary"]
        listed = [site["live"] for site in summary["sites"]]
        return rounded(listed + [summary["other_sites"]])

    def operation_bytes(self):
        """Returns the live bytes that operations allocated themselves, and all that they allocated."""
        rows = self.data["summary"]["operations"]
        live = rounded([row["retained"] for row in rows])
        return live, sum(row["own_allocated_bytes"] for row in rows)


def rounded(estimates):
    """Returns the sum of the known estimates. Only the sum is rounded."""
    return int(sum(estimate["value"] for estimate in estimates if estimate) + 0.5)


def record(program, folder):
    """Runs the example that indexes the sources of three crates. Returns the path of its report."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    crates = ["memprof-core", "memprof-session", "memprof-heap"]
    run(program, "--rounds", 3, "--output-dir", folder, *crates, cwd=ROOT)
    [report] = folder.glob("*.json")
    return report


@functools.cache
def source_index():
    return record(SOURCE_INDEX, FOLDER / "recorded")


def copied(name, folder):
    """Copies a recording into the folder of a format."""
    path = folder / f"{name}.json"
    shutil.copy(STORED.get(name) or source_index(), path)
    return Recording(name, path)
