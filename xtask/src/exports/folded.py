"""Prints what flamegraph-textual adds up of folded stacks, and how deep the deepest is."""

import sys

from flamegraph_textual.parsers import parse

with open(sys.argv[1], "rb") as file:
    profile = parse(file.read(), sys.argv[1])


def depth(frame):
    return 1 + max((depth(child) for child in frame.children), default=0)


# Its own root is above all.
print(sum(profile.root_stack.values), depth(profile.root_stack) - 1)
