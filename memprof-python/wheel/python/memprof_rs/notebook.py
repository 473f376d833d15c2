"""The magic ``%%memprof``: what a cell's extensions allocate."""

from __future__ import annotations

import typing

from ._heap import Measurement


def register(shell: typing.Any) -> None:
    """Adds the magic to an IPython shell."""

    def memprof(line: str, cell: str) -> None:
        """Runs the cell, and prints what each extension allocated."""
        with Measurement() as measurement:
            # The shell shows an exception of the cell itself.
            shell.run_cell(cell)
        print(measurement)

    shell.register_magic_function(memprof, magic_kind="cell")
