"""Programs that read exports, which are installed if possible, and memprof's own command."""

import functools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[2]

# `cargo xtask exports` builds the programs and sets these variables.
MEMPROF = os.environ["MEMPROF"]
SOURCE_INDEX = Path(os.environ["SOURCE_INDEX"])
FOLDED_TOTAL = os.environ["FOLDED_TOTAL"]
FOLDER = Path(os.environ["EXPORTS"])

# The smallest size of a picture in bytes; a smaller one is blank.
MIN_PICTURE_BYTES = 4096


def run(*command, **options):
    """Runs a program and returns its output."""
    command = [str(part) for part in command]
    done = subprocess.run(command, capture_output=True, text=True, **options)
    assert done.returncode == 0, f"{command} failed: {done.stdout}{done.stderr}"
    return done.stdout


def export(file, form, target):
    """Writes a file, or a snapshot of it, in another format."""
    run(MEMPROF, "export", "--to", form, "--force", "-o", target, file)
    return target


def installed(names, packages):
    """Returns the path of the first of these programs. Tries to install Debian packages with it."""
    find = lambda: next(filter(None, map(shutil.which, names)), None)
    if not find():
        for arguments in [["update"], ["install", "--yes", "--no-install-recommends", *packages]]:
            subprocess.run(["apt-get", "--quiet", *arguments], check=False)
    return find() or f"{names[0]} is missing and could not be installed"


@functools.cache
def chromium():
    return installed(["chromium", "chromium-browser", "google-chrome"], ["chromium", "fonts-liberation"])


@functools.cache
def go():
    return installed(["go"], ["golang-go"])


@functools.cache
def promtool():
    """Returns Prometheus' own tool. The Debian package is only unpacked, so that no server starts."""
    if found := shutil.which("promtool"):
        return found
    folder = FOLDER / "prometheus-package"
    tool = folder / "usr/bin/promtool"
    if not tool.exists():
        folder.mkdir(parents=True, exist_ok=True)
        run("apt-get", "download", "prometheus", cwd=folder)
        run("dpkg", "-x", *folder.glob("*.deb"), folder)
    return tool


@functools.cache
def python_with(requirements):
    """Returns a Python with packages that the tests' own environment cannot have."""
    folder = FOLDER / Path(requirements).stem
    run(sys.executable, "-m", "venv", folder)
    python = folder / "bin/python"
    run(python, "-m", "pip", "install", "--quiet", "--requirement", HERE / requirements)
    return python


@functools.cache
def node_packages():
    """Installs the packages of Node and returns their folder."""
    folder = FOLDER / "node"
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(HERE / "package.json", folder)
    run("npm", "install", "--loglevel=error", "--no-audit", "--no-fund", cwd=folder)
    return folder / "node_modules"


def node(script, *arguments, **environment):
    """Runs a script of this folder and returns its output, which is JSON."""
    environment |= {"NODE_PATH": str(node_packages())}
    return json.loads(run("node", HERE / script, *arguments, env=os.environ | environment))


def drive(script, *arguments):
    """Runs a script that opens the browser."""
    return node(script, *arguments, CHROMIUM=chromium())


def draw(file, picture, size):
    """Renders a file in the browser and takes a picture of the window, which must not be blank."""
    picture.unlink(missing_ok=True)
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    run(chromium(), *flags, f"--window-size={size}", f"--screenshot={picture}", file.as_uri())
    assert picture.stat().st_size >= MIN_PICTURE_BYTES, f"{picture} is blank"
