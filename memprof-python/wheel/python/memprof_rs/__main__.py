"""The command line: ``python -m memprof_rs``."""

from __future__ import annotations

import signal
import sys

from ._memprof import run


def main() -> int:
    """Runs the command line with the arguments of the process."""
    # The command is native code, and Python would run its handler of Ctrl-C only after the command
    # ends. Other handlers stay: a process in the background ignores Ctrl-C.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.stdout.flush()
    sys.stderr.flush()
    return run(["memprof", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
