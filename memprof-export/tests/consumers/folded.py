"""Prints the total of folded stacks according to flamegraph-textual, and the depth of the deepest
stack, as JSON. The viewer's licence is the GPL, so it only runs here and is never a dependency."""

import sys

from flamegraph_textual.parsers import parse

with open(sys.argv[1], "rb") as file:
    profile = parse(file.read(), sys.argv[1])


def depth(frame):
    return 1 + max((depth(child) for child in frame.children), default=0)


# The parser adds a root of its own above all others.
print([sum(profile.root_stack.values), depth(profile.root_stack) - 1])
