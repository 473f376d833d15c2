"""The command line: ``python -m memprof``."""

from __future__ import annotations

import signal
import sys

from ._memprof import run


def main() -> int:
    """Runs the command line with the arguments of the process."""
    # The interpreter's handler would act on Ctrl-C only after the command has ended. The handler
    # differs if the process ignores Ctrl-C, as background processes do. In that case it is kept.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    sys.stderr.flush()
    return run(["memprof", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
