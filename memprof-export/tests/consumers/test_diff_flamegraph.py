"""The differential flame graph in a browser, in the light and the dark theme."""

from tools import MEMPROF, drive, run


def test_diff_flamegraph(recording):
    snapshots = recording.data["snapshots"]
    profiled = [at for at in range(len(snapshots)) if recording.profiled(at)]
    assert len(profiled) > 1
    ends = [profiled[0], profiled[-1]]
    before, after = (f"{recording.path}@{snapshots[at]['number']}" for at in ends)
    svg = recording.beside("svg")
    run(MEMPROF, "flamegraph", "--force", "--before", before, after, "-o", svg)
    drawn = drive("diff_flamegraph.mjs", svg)
    assert drawn["sides"] == [recording.snapshot_bytes(at) for at in ends]
    assert drawn["frames"] > 0
