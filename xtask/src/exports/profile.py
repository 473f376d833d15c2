"""Parses a profile as JSON, as YAML with two parsers, and its drawing as XML."""

import json
import sys
import xml.etree.ElementTree

import ruamel.yaml
import yaml

json_file, yaml_file, svg_file = sys.argv[1:]
with open(json_file, encoding="utf-8") as file:
    expected = json.load(file)
with open(yaml_file, encoding="utf-8") as file:
    text = file.read()
readers = {
    f"PyYAML {yaml.__version__}": lambda: yaml.safe_load(text),
    f"ruamel.yaml {ruamel.yaml.__version__}": lambda: ruamel.yaml.YAML(typ="safe", pure=True).load(text),
}
for name, read in readers.items():
    found = read()
    if found != expected:
        for mine, other in zip(expected["branches"], found["branches"]):
            if mine != other:
                sys.exit(f"{name} read {other!r}, expected {mine!r}")
        sys.exit(f"{name} read something else than the JSON is")
xml.etree.ElementTree.parse(svg_file)
print(f"{len(expected['branches'])} branches, the same to {' and '.join(readers)}; the SVG is XML")
