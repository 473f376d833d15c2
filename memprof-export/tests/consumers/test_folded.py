"""Folded stacks of sessions, read by inferno and by a terminal viewer."""

import json

from recordings import with_samples
from tools import FOLDED_TOTAL, HERE, python_with, run


@with_samples
def test_folded(recording):
    python = python_with("requirements-folded.txt")
    forms = {
        "folded-sites": recording.site_bytes(),
        "folded-operations": recording.operation_bytes()[0],
        "folded": recording.snapshot_bytes(),
    }
    for form, expected in forms.items():
        file = recording.export(form)
        assert int(run(FOLDED_TOTAL, file)) == expected, f"inferno draws another sum of {form}"

        deepest = max((line.count(b";") + 1 for line in file.read_bytes().splitlines()), default=0)
        viewed = json.loads(run(python, HERE / "folded.py", file))
        assert viewed == [expected, deepest], form
