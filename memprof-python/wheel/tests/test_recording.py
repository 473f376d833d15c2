"""Recordings, files and the command line."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import polars
import pyarrow
import pytest

import memprof_rs


def test_a_recording_has_tables(recording):
    read = memprof_rs.open(recording)
    for table in [read.snapshots, read.roots, read.operations, read.leaks, read.sites]:
        arrow = pyarrow.table(table)
        assert arrow.num_rows == len(table) > 0
        assert arrow.column_names == table.column_names
        assert arrow.to_pylist() == table.to_list()
        assert arrow.to_pydict() == table.to_dict()
        assert polars.DataFrame(table).to_dicts() == table.to_list()
    assert read.metadata()["program"] in str(read)
    assert read.snapshots.to_list()[0]["number"] == 0


def test_a_timeline_has_the_snapshots_of_the_report(recording):
    timeline = memprof_rs.open(recording.with_suffix(".jsonl"))
    assert len(timeline.snapshots) > 0


def test_a_snapshot_has_profiles(recording):
    read = memprof_rs.open(recording)
    roots = [row for row in read.roots.to_list() if row["bytes"] is not None]
    row = roots[-1]
    profile = read.profile(row["snapshot"], root=row["name"])
    assert profile.total_bytes == row["bytes"]
    with pytest.raises(KeyError):
        read.profile("no such snapshot")
    with pytest.raises(KeyError):
        read.profile(row["snapshot"], root="no such root")


def test_profiles_are_read_from_files(model, tmp_path):
    profile = model.memory_profile()
    (tmp_path / "a.json").write_text(profile.to_json())
    (tmp_path / "a.folded").write_text(profile.to_folded())
    assert memprof_rs.read_profile(tmp_path / "a.json").to_json() == profile.to_json()
    assert memprof_rs.read_profile(str(tmp_path / "a.folded")).total_bytes == profile.total_bytes


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe", b"\0" * 1000, b'{"format": "memprof profile", "version": 99}', b"[" * 50_000],
)
def test_a_bad_file_is_an_error_that_names_it(tmp_path, content):
    path = tmp_path / "bad\x1b[31m.json"
    path.write_bytes(content)
    for read in [memprof_rs.open, memprof_rs.read_profile]:
        with pytest.raises((ValueError, OSError)) as error:
            read(path)
        assert "bad" in str(error.value)
        assert "\x1b" not in str(error.value)


def test_a_missing_file_is_a_file_not_found_error(tmp_path):
    for read in [memprof_rs.open, memprof_rs.read_profile]:
        with pytest.raises(FileNotFoundError) as error:
            read(tmp_path / "missing.json")
        path = str(tmp_path / "missing.json")
        assert str(error.value) == f"[Errno 2] No such file or directory: {path!r}"
        with pytest.raises(IsADirectoryError):
            read(tmp_path)


def command(*arguments: str, **options) -> subprocess.CompletedProcess:
    run = [sys.executable, "-m", "memprof_rs", *arguments]
    return subprocess.run(run, capture_output=True, text=True, **options)


def test_the_command_line_is_the_module(recording):
    ran = command("info", str(recording))
    assert ran.returncode == 0, ran.stderr
    assert "snapshots" in ran.stdout
    assert command("--version").stdout.startswith("memprof ")


def test_the_exit_code_is_that_of_the_command(tmp_path):
    ran = command("tree", str(tmp_path / "missing"))
    assert ran.returncode == 2
    assert ran.stderr.startswith("memprof: ")
    (tmp_path / "a").write_text("a 1\n")
    (tmp_path / "b").write_text("a 2\n")
    ran = command("diff", "--fail-if-grows", "1 B", str(tmp_path / "a"), str(tmp_path / "b"))
    assert ran.returncode == 0
    ran = command("diff", "--fail-if-grows", "0 B", str(tmp_path / "a"), str(tmp_path / "b"))
    assert ran.returncode == 1


def test_the_command_records_a_session_of_python(netlib, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        f"import memprof_rs, python_model\n"
        f"with memprof_rs.session('elsewhere'):\n"
        f"    model = python_model.Model.read({str(netlib)!r})\n"
    )
    ran = command("run", "--output-dir", str(tmp_path / "out"), sys.executable, str(script))
    assert ran.returncode == 0, ran.stderr
    assert "python" in ran.stderr and "peak" in ran.stderr, ran.stderr
    assert list((tmp_path / "out").glob("*.json"))


def test_the_command_advises_a_program_without_a_session(tmp_path):
    ran = command("run", "--output-dir", str(tmp_path), sys.executable, "-c", "pass")
    assert ran.returncode == 0
    assert "with memprof_rs.session():" in ran.stderr and "cargo" not in ran.stderr


def interrupted(folder, handler: signal.Handlers) -> tuple[int, str]:
    """Returns the exit code and the output of a command that was interrupted, then terminated."""
    pipe = folder / "pipe"
    os.mkfifo(pipe)
    process = subprocess.Popen(
        [sys.executable, "-m", "memprof_rs", "tree", str(pipe)],
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, handler),
    )
    # Opening the pipe waits until the command reads it. The command then waits for its content.
    with process, pipe.open("w"):
        process.send_signal(signal.SIGINT)
        try:
            process.wait(0.5 if handler is signal.SIG_IGN else 60)
        except subprocess.TimeoutExpired:
            process.terminate()
        return process.wait(), process.stderr.read()


def test_ctrl_c_ends_a_command_without_a_traceback(tmp_path):
    assert interrupted(tmp_path, signal.SIG_DFL) == (-signal.SIGINT, "")


def test_a_command_in_the_background_ignores_ctrl_c(tmp_path):
    assert interrupted(tmp_path, signal.SIG_IGN) == (-signal.SIGTERM, "")


def test_a_closed_pipe_is_no_error(recording):
    run = [sys.executable, "-m", "memprof_rs", "info", str(recording)]
    with subprocess.Popen(run, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        # The recorded program is not here, so some frames stay unnamed. A closed pipe adds nothing.
        messages = process.stderr.read().splitlines()
        assert all(line.startswith(b"memprof: no debug file for ") for line in messages), messages
