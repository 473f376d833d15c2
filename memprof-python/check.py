"""Builds the wheels of the package and of the example's module, and runs their tests in virtual
environments of the oldest and the newest Python, and of a free-threaded one.

`cargo xtask python` runs this script.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "memprof-python"
TESTS = FOLDER / "wheel/tests"
OUT = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).resolve() / "python"
# Their workspace's own target folder would be among the sources of the wheels.
TARGET = {"CARGO_TARGET_DIR": str(OUT / "build")}

# Minor versions of Python. A wheel for the stable ABI works with the oldest and all later ones. Each
# free-threaded Python needs a wheel of its own.
OLDEST, NEWEST, OLDEST_FREE_THREADED = 10, 15, 14

# The oldest C library that the wheels run with. maturin fails if they need a newer one.
GLIBC = "manylinux_2_28"

# The tests that need only packages with wheels for free-threaded interpreters.
FREE_THREADED_TESTS = ["heap", "notebook", "profile", "threads", "viewed"]


class Failed(Exception):
    pass


def run(*command, cwd=ROOT, env=None):
    """Runs a program and returns its output."""
    command = [str(part) for part in command]
    environment = {**os.environ, **(env or {})}
    done = subprocess.run(command, cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    text = done.stdout.decode(errors="replace")
    if done.returncode != 0:
        raise Failed(f"`{' '.join(command)}` failed: {text}")
    return text.rstrip()


def cargo(*arguments, **options):
    return run(os.environ.get("CARGO", "cargo"), *arguments, **options)


def interpreter(minor, suffix=""):
    """Finds a Python with `venv` by its name, or among those of pyenv. The suffix `t` means a
    free-threaded one."""
    installed = sorted((Path.home() / ".pyenv/versions").glob(f"3.{minor}.*"))
    installed = [folder / "bin/python3" for folder in installed if folder.name.endswith("t") == bool(suffix)]
    # A free-threaded interpreter may also have the name of an ordinary one.
    test = (
        "import ensurepip, sysconfig, venv; "
        f"assert bool(sysconfig.get_config_var('Py_GIL_DISABLED')) is {bool(suffix)}"
    )
    for program in [f"python3.{minor}{suffix}", *installed]:
        try:
            run(program, "-c", test)
            return program
        except (Failed, OSError):
            continue
    return None


def environment(program, name, requirements):
    """Makes a virtual environment with the packages of a file, and returns its interpreter."""
    folder = OUT / name
    run(program, "-m", "venv", "--clear", folder)
    pip_install(folder / "bin/python", "--requirement", FOLDER / f"requirements-{requirements}.txt")
    return folder / "bin/python"


def pip_install(python, *arguments):
    run(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *arguments)


def check_crates():
    """Checks the format and the lints of the crates, and tests the library in Rust."""
    library = ["--package", "memprof-python", "--locked", "--features", "heap"]
    strict = ["--", "-D", "warnings"]
    both = ["--workspace", "--locked", "--features", "memprof-python/heap,memprof-wheel/stubs"]
    cargo("fmt", "--all", "--check", cwd=FOLDER)
    cargo("clippy", *both, *strict, cwd=FOLDER, env=TARGET)
    cargo("clippy", "--all-targets", *library, *strict, cwd=FOLDER, env=TARGET)
    cargo("test", "--quiet", *library, cwd=FOLDER, env=TARGET)


def folded_by_rust():
    """Runs the example in Rust and returns its folded stacks, with which Python's are compared."""
    cargo("run", "--quiet", "--locked", "--example", "optimization_model", "--", "--out", OUT / "rust")
    return next((OUT / "rust").glob("*.folded"))


def build(builder, folder):
    """Builds the wheels of the package and of the example, and returns their files."""
    shutil.rmtree(OUT / folder, ignore_errors=True)
    maturin = [builder, "-m", "maturin", "build", "--release", "--locked", "--quiet"]
    maturin += ["--interpreter", builder, "--out", OUT / folder, "--zig", "--compatibility", GLIBC]
    # maturin looks for Zig beside the Python in PATH. Zig removes all symbols if it removes debug
    # information, and the stubs and the names of call sites are read from symbols.
    path = f"{builder.parent}{os.pathsep}{os.environ['PATH']}"
    env = {**TARGET, "PATH": path, "CARGO_PROFILE_RELEASE_STRIP": "none"}
    run(*maturin, "--generate-stubs", cwd=FOLDER / "wheel", env=env)
    run(*maturin, cwd=ROOT / "examples/python_model", env=env)
    return sorted((OUT / folder).iterdir())


def check_sources(builder):
    """Checks that cargo finds all packages in the source distribution."""
    folder = OUT / "sources"
    shutil.rmtree(folder, ignore_errors=True)
    maturin = [builder, "-m", "maturin", "sdist", "--out", folder]
    run(*maturin, cwd=FOLDER / "wheel", env=TARGET)
    (archive,) = folder.iterdir()
    shutil.unpack_archive(archive, folder, filter="data")
    (unpacked,) = (path for path in folder.iterdir() if path.is_dir())
    manifest = unpacked / "memprof-python/wheel/Cargo.toml"
    cargo("metadata", "--quiet", "--format-version", "1", "--manifest-path", manifest)


def check_wheels(python, name, wheels, folded, files=()):
    pip_install(python, "--no-deps", "--force-reinstall", *wheels)
    variables = {"FOLDED_BY_RUST": str(folded), "PYTHONDONTWRITEBYTECODE": "1"}
    pytest = [python, "-m", "pytest", "--quiet", "-p", "no:cacheprovider", "-W", "error"]
    printed = run(*pytest, *(f"test_{file}.py" for file in files), cwd=TESTS, env=variables)
    print(f"Python {name}: {printed.splitlines()[-1]}")


def check_types(python):
    """Checks the types of a program that uses the package, and of the package itself."""
    mypy = [python, "-m", "mypy", "--strict", "--cache-dir", OUT / "mypy"]
    for checked in [["typed.py"], ["--package", "memprof_rs"]]:
        print("mypy --strict:", run(*mypy, *checked, cwd=TESTS))


def check_notebook(python):
    """Runs the notebook, and writes it as a page to look at."""
    convert = [python, "-m", "nbconvert", "--to", "html", "--execute", "model.ipynb", "--output-dir", OUT]
    run(*convert, cwd=ROOT / "examples/python_model")
    print(f"the notebook ran; its page is {OUT / 'model.html'}")


def check(oldest, skip_if_missing):
    found = {f"3.{minor}": interpreter(minor) for minor in range(OLDEST, NEWEST + 1)}
    found = {name: program for name, program in found.items() if program}
    try:
        if not found:
            raise Failed(f"no Python from 3.{OLDEST} to 3.{NEWEST} has the module `venv`")
        builder = environment(next(iter(found.values())), "builders", "build")
    except Failed as error:
        if not skip_if_missing:
            raise
        print(f"skipped: {error}")
        return

    # A wheel contains only files of its folder, so the package's page is a copy of the guide.
    if (FOLDER / "wheel/README.md").read_bytes() != (ROOT / "docs/python.md").read_bytes():
        raise Failed("memprof-python/wheel/README.md differs from docs/python.md; copy the guide")
    check_crates()
    folded = folded_by_rust()
    check_sources(builder)
    wheels = build(builder, "wheels")
    names = list(found)
    tested = names[:1] if oldest else sorted({names[0], names[-1]}, key=names.index)
    for name in tested:
        python = environment(found[name], name, "test")
        check_wheels(python, name, wheels, folded)
        if name == names[0]:
            check_types(python)
            check_notebook(python)
    if oldest:
        return
    if len(names) < 2:
        print(f"skipped: the tests with a second Python, because only {names[0]} is here")

    for minor in range(NEWEST, OLDEST_FREE_THREADED - 1, -1):
        if program := interpreter(minor, "t"):
            builder = environment(program, "builders-free-threaded", "build")
            wheels = build(builder, "wheels-free-threaded")
            python = environment(program, f"3.{minor}t", "test-free-threaded")
            check_wheels(python, f"3.{minor}t", wheels, folded, FREE_THREADED_TESTS)
            return
    print(f"skipped: a free-threaded Python, because no python3.{OLDEST_FREE_THREADED}t or newer is here")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--oldest", action="store_true", help="test with the oldest Python only")
    parser.add_argument("--skip-if-missing", action="store_true", help="print `skipped:` where Python is missing")
    arguments = parser.parse_args()
    try:
        check(arguments.oldest, arguments.skip_if_missing)
    except Failed as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
