"""Sessions: recordings of an extension's allocations, which Python starts."""

from __future__ import annotations

import os
import typing

from ._heap import only_extension
from ._memprof import Recording


class NativeSession(typing.Protocol):
    """A session of an extension."""

    def checkpoint(self, name: str) -> None: ...
    def finish(self) -> str | None: ...


class Session:
    """A recording of what one extension allocates; a context manager.

    It records the allocator's totals over time, the call sites and their growth.
    """

    def __init__(
        self, output_dir: str | os.PathLike[str] | None, interval: float | None, module: str | None
    ) -> None:
        self._settings = (output_dir, interval)
        self._module = module
        self._native: NativeSession | None = None
        #: The path of the recording, or ``None`` before the end.
        self.path: str | None = None

    def __enter__(self) -> Session:
        heap = only_extension(self._module).heap
        self._native = heap.start_session(*self._settings)
        return self

    def __exit__(self, *_: object) -> None:
        if self._native is not None:
            self.path = self._native.finish()
        self._native = None

    def checkpoint(self, name: str) -> None:
        """Takes a snapshot now, with a name."""
        if self._native is None:
            raise RuntimeError(_NOT_RUNNING)
        self._native.checkpoint(name)

    def recording(self) -> Recording:
        """Reads the recording, after the end of the session."""
        if self.path is None:
            raise RuntimeError("the session has no recording yet: read it after the `with` block")
        return Recording.read(self.path)

    def __repr__(self) -> str:
        state = "runs" if self._native is not None else self.path or "not started"
        return f"<Session: {state}>"


_NOT_RUNNING = "the session does not run: use `with memprof_rs.session() as session:`"


def session(
    output_dir: str | os.PathLike[str] | None = None,
    *,
    interval: float | None = None,
    module: str | None = None,
) -> Session:
    """Returns a context manager that records what an extension allocates.

    The recording is a file in ``output_dir``, by default the current folder. Snapshots are
    ``interval`` seconds apart, by default 1 s at first and 5 s later. If several extensions have
    memprof's allocator, ``module`` names one. One session of an extension runs at a time.

    >>> with memprof_rs.session("recordings") as session:
    ...     model = python_model.Model.read("model.mps")
    ...     session.checkpoint("after_load")
    >>> print(session.recording())
    """
    return Session(output_dir, interval, module)
