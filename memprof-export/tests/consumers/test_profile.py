"""Profiles as YAML, read by two parsers, and as a flame graph, drawn by a browser."""

import json
import xml.etree.ElementTree

import pytest
import ruamel.yaml
import yaml
from tools import ROOT, draw, export

# Names that a YAML parser could read as another type than a string.
NAMES = [
    *["", " ", " a ", "~", "null", "yes", "No", "on", "true", "0x10", "012", "1e3", "1_000", ".inf"],
    *[".nan", "12:30:45", "2026-11-21", "<<", "=", "- a", "? a", "a: b", "a #b", "&a", "*a", "!a"],
    *["|", ">", "{a}", "[a, b]", "'", '"', "\\", "\0\x1b[31m\x7f\x85\x9b"],
    *["\u2028\ufeff\uffff\u202e", "\U0001f680 \u540d\u524d \U000e0041"],
]


def names():
    """Returns a profile in which each of the names has one byte. Names are sorted."""
    leaf = [{"kind": "[data]", "bytes": 1}]
    children = [{"parent": 0, "name": name, "bytes": 1, "leaves": leaf} for name in sorted(NAMES)]
    root = {"parent": None, "name": "names", "bytes": len(NAMES)}
    document = {
        "format": "memprof profile",
        "version": 1,
        "total_bytes": len(NAMES),
        "exact": False,
        "origin": "folded",
        "branches": [root, *children],
    }
    return json.dumps(document)


def model():
    return (ROOT / "tests/data/json/model.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("profile", [model, names])
def test_profile(profile, folder):
    file = folder / f"{profile.__name__}.json"
    file.write_text(profile(), encoding="utf-8")
    expected = json.loads(profile())
    text = export(file, "yaml", file.with_suffix(".yaml")).read_text(encoding="utf-8")
    assert yaml.safe_load(text) == expected
    assert ruamel.yaml.YAML(typ="safe", pure=True).load(text) == expected

    svg = export(file, "svg", file.with_suffix(".svg"))
    xml.etree.ElementTree.parse(svg)
    draw(svg, file.with_suffix(".png"), "1200,400")
