"""pprof files, read by `go tool pprof` and by `pprof-format`, the library with which Datadog's
profiler for Node writes such files."""

import re
import shutil
import sys

import pytest
from recordings import copied, record, with_samples
from tools import ROOT, SOURCE_INDEX, export, go, node, run

FORMS = ["pprof", "pprof-sites", "pprof-operations"]


def pprof(*arguments, symbolize="none"):
    all_nodes = ["-nodecount=100000", "-nodefraction=0"]
    return run(go(), "tool", "pprof", *all_nodes, f"-symbolize={symbolize}", *arguments)


def sums(recording, form):
    """Returns the values of an export with their sums according to the recording."""
    live, allocated = recording.operation_bytes()
    return {
        "pprof": {"inuse_space": recording.snapshot_bytes()},
        "pprof-sites": {"inuse_space": recording.site_bytes()},
        "pprof-operations": {"inuse_space": live, "alloc_space": allocated},
    }[form]


def section(raw, start, end):
    """Returns the lines of `-raw` between two headings."""
    lines = raw.splitlines()
    first = lines.index(start) + 1
    return lines[first : lines.index(end, first)]


def raw_sum(raw, value):
    """Returns the sum of a column of `-raw`. Lines without numbers are the labels of a sample."""
    heading, *lines = section(raw, "Samples:", "Locations")
    column = [word.split("/")[0] for word in heading.split()].index(value)
    samples = (re.match(r"((?:\s*-?\d+)+):", line) for line in lines)
    return sum(int(sample[1].split()[column]) for sample in samples if sample)


def number(pattern, text):
    found = re.search(pattern, text)
    assert found, f"no {pattern} in {text}"
    return int(found[1])


@with_samples
@pytest.mark.parametrize("form", FORMS)
def test_sums(recording, form):
    file = recording.export(form, f"{form}.pb.gz")
    raw = pprof("-raw", file)
    for value, expected in sums(recording, form).items():
        index = f"-sample_index={value}"
        found = {
            "-raw": raw_sum(raw, value),
            "-top": number(r"% of +(\d+)B total", pprof("-top", "-unit=b", index, file)),
            "pprof-format": node("pprof.mjs", value, file),
        }
        if form == "pprof":
            tags = pprof("-tags", "-unit=b", index, file)
            for tag in ["device", "kind"]:
                found[f"-tags {tag}"] = number(rf"{tag}: Total +(\d+)\.0B", tags)
        assert found == dict.fromkeys(found, expected), value


@with_samples
@pytest.mark.parametrize("form", FORMS)
def test_profiles_of_two_processes_merge(recording, form, folder):
    pid = f'"pid":{recording.data["metadata"]["pid"]}'
    text = recording.path.read_text(encoding="utf-8").replace('"pid": ', '"pid":')
    assert pid in text
    other = folder / "other.json"
    other.write_text(text.replace(pid, '"pid":99'), encoding="utf-8")
    files = [recording.export(form), export(other, form, other.with_suffix(f".{form}"))]
    assert files[0].read_bytes() != files[1].read_bytes(), "comments name the process"
    merged = folder / "merged.pb.gz"

    def frames(*files):
        pprof("-proto", "-output", merged, *files)
        return len(section(pprof("-raw", merged), "Locations", "Mappings"))

    # Merging removes the frames that tables leave out, even if both files are the same.
    of_one, of_two = frames(files[0], files[0]), frames(*files)
    assert of_one == of_two > 0
    for value, expected in sums(recording, form).items():
        assert node("pprof.mjs", value, merged) == 2 * expected
        assert node("pprof.mjs", value, *files) == 2 * expected


def test_tables_list_the_places_of_the_session(folder):
    """Tables leave out library functions that only pass a request on to the allocator."""
    recording = copied("source_index", folder)
    top = pprof("-top", recording.export("pprof-sites"))
    # Each row has flat bytes, percent, sum, cumulative bytes and percent, and the name. Notes come
    # first, and rows without flat bytes last.
    rows = [row.split(maxsplit=5) for row in top.split("flat%", 1)[1].splitlines()[1:]]
    names = [" ".join(row[5].split()) for row in rows if row[0] != "0"]
    sites = recording.named().data["summary"]["sites"]
    places = {site["place"]["function"] for site in sites}
    assert names and set(names) <= places


def test_hostile_names_are_shown(folder):
    top = pprof("-top", copied("hostile", folder).export("pprof"))
    for name in ["Vec<Tensor>", "\\u{1b}]0;title", "<script>alert(1)</script>", "名前 é"]:
        assert name in top


@pytest.mark.skipif(sys.platform != "linux", reason="only recordings of Linux have mappings")
def test_functions_of_a_stripped_program_are_found_in_the_unstripped_one(folder):
    # `go tool pprof` reads names from DWARF, which has them without their modules.
    row = re.compile(r" complain .*long_lines\.rs:")
    stripped = folder / "source_index"
    shutil.copy(SOURCE_INDEX, stripped)
    run("strip", stripped)
    report = record(stripped, folder / "stripped")
    file = export(report, "pprof-sites", folder / "stripped.pprof-sites.pb.gz")
    top = lambda symbolize: pprof("-top", "-lines", "-cum", SOURCE_INDEX, file, symbolize=symbolize)
    assert "long_lines.rs:" not in top("none")
    assert row.search(top("local"))
