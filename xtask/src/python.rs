//! `cargo xtask python`: builds the Python package and the example's module, and runs their tests
//! with two versions of Python, and with a free-threaded one.

use crate::exports::programs::output;
use crate::tools::succeeds;
use crate::{Failure, target, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder with the workspace of the crates that need Python.
const FOLDER: &str = "memprof-python";

/// The packages that build wheels, each with its version.
const BUILDERS: &str = "memprof-python/requirements-build.txt";
/// The packages that the tests import, each with its version.
const TESTERS: &str = "memprof-python/requirements-test.txt";
const FREE_THREADED_TESTERS: &str = "memprof-python/requirements-test-free-threaded.txt";

/// The minor version of the oldest Python that the wheel supports. A wheel for the stable ABI works
/// with this version and all later ones.
const OLDEST: u32 = 10;
/// The minor version of the newest Python that is looked for.
const NEWEST: u32 = 15;

/// The oldest free-threaded Python for which extensions can be built, each with a wheel of its own.
const OLDEST_FREE_THREADED: u32 = 14;

/// The tests that need only packages with wheels for free-threaded interpreters.
const FREE_THREADED_TESTS: [&str; 5] =
    ["test_heap.py", "test_notebook.py", "test_profile.py", "test_threads.py", "test_viewed.py"];

/// The page of the package is a copy of this guide, because a wheel contains only files of its folder.
const GUIDE: &str = "docs/python.md";
const PACKAGE_PAGE: &str = "memprof-python/wheel/README.md";

/// Runs the check. `oldest` leaves out the newest interpreter and the free-threaded one.
pub(crate) fn run(oldest: bool, skip_if_missing: bool) -> Result<(), Failure> {
    let versions = match versions() {
        Err(error) if skip_if_missing => {
            println!("skipped: {error}");
            return Ok(());
        }
        versions => versions?,
    };
    let builder = match environment(&versions[0], "builders", BUILDERS) {
        Err(error) if skip_if_missing => {
            println!("skipped: the packages that build wheels cannot be installed: {error}");
            return Ok(());
        }
        builder => builder?,
    };
    same_page()?;
    lint()?;
    let folded = folded_by_rust()?;
    let wheels = build(&builder, "python/wheels")?;
    let tested = if oldest { &versions[..1] } else { &versions };
    for (index, version) in tested.iter().enumerate() {
        let python = environment(version, &version.name, TESTERS)?;
        install(&python, &wheels)?;
        test(&python, version, &folded, &[])?;
        if index == 0 {
            types(&python)?;
            notebook(&python)?;
        }
    }
    if oldest {
        return Ok(());
    }
    if versions.len() < 2 {
        println!(
            "skipped: the tests with a second Python, because only {} is here",
            versions[0].name
        );
    }
    free_threaded(&folded)
}

/// Builds the wheels for a free-threaded interpreter, if one is here, and runs their tests.
fn free_threaded(folded: &Path) -> Result<(), Failure> {
    let mut minors = (OLDEST_FREE_THREADED..=NEWEST).rev();
    let Some(version) = minors.find_map(|minor| version(minor, "t")) else {
        println!(
            "skipped: a free-threaded Python, because no python3.{OLDEST_FREE_THREADED}t or newer is \
             here"
        );
        return Ok(());
    };
    let builder = environment(&version, "builders-free-threaded", BUILDERS)?;
    let wheels = build(&builder, "python/wheels-free-threaded")?;
    let python = environment(&version, &version.name, FREE_THREADED_TESTERS)?;
    install(&python, &wheels)?;
    test(&python, &version, folded, &FREE_THREADED_TESTS)
}

/// An interpreter.
struct Version {
    /// `3.10`, or `3.14t` if it is free-threaded.
    name: String,
    program: PathBuf,
}

/// Returns the oldest and the newest supported interpreter with `venv`.
fn versions() -> Result<Vec<Version>, Failure> {
    let mut versions: Vec<Version> =
        (OLDEST..=NEWEST).filter_map(|minor| version(minor, "")).collect();
    if versions.len() > 2 {
        versions.drain(1..versions.len() - 1);
    }
    if versions.is_empty() {
        return Err(format!("no Python from 3.{OLDEST} to 3.{NEWEST} has the module `venv`").into());
    }
    Ok(versions)
}

/// Finds an interpreter by its name, or among those of pyenv. `suffix` is `t` for a free-threaded
/// one.
fn version(minor: u32, suffix: &str) -> Option<Version> {
    let name = format!("3.{minor}{suffix}");
    let mut programs = vec![PathBuf::from(format!("python{name}"))];
    if let Some(home) = std::env::var_os("HOME") {
        let pyenv = Path::new(&home).join(".pyenv/versions");
        let installed = fs::read_dir(pyenv).into_iter().flatten().flatten();
        let first = format!("3.{minor}.");
        let installed = installed.filter(|entry| {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            name.starts_with(&first) && name.ends_with('t') == (suffix == "t")
        });
        programs.extend(installed.map(|entry| entry.path().join("bin/python3")));
    }
    // A free-threaded interpreter may have the name of an ordinary one too.
    let is_free_threaded = if suffix == "t" { "True" } else { "False" };
    let test = format!(
        "import ensurepip, sysconfig, venv
assert bool(sysconfig.get_config_var('Py_GIL_DISABLED')) is {is_free_threaded}"
    );
    let program =
        programs.into_iter().find(|program| succeeds(Command::new(program).args(["-c", &test])))?;
    Some(Version { name, program })
}

/// Makes a virtual environment with the packages of a file, and returns its interpreter.
fn environment(version: &Version, name: &str, packages: &str) -> Result<PathBuf, Failure> {
    let folder = target("python").join(name);
    let python = folder.join("bin/python");
    output(Command::new(&version.program).args(["-m", "venv", "--clear"]).arg(&folder))?;
    output(pip_install(&python).arg("--requirement").arg(workspace().join(packages)))?;
    absolute(&python)
}

/// Checks that the page of the package is the guide.
fn same_page() -> Result<(), Failure> {
    let read = |name| fs::read_to_string(workspace().join(name));
    if read(GUIDE)? == read(PACKAGE_PAGE)? {
        return Ok(());
    }
    Err(format!("{PACKAGE_PAGE} differs from {GUIDE}; copy the guide").into())
}

/// Checks the format and the lints of the crates, and tests the library in Rust.
fn lint() -> Result<(), Failure> {
    let features = ["--locked", "--features", "memprof-python/heap,memprof-wheel/stubs"];
    let strict = ["--", "-D", "warnings"];
    cargo(&["fmt", "--all", "--check"], &[])?;
    cargo(&["clippy", "--workspace"], &[&features[..], &strict].concat())?;
    let library = ["--package", "memprof-python", "--locked", "--features", "heap"];
    cargo(&["clippy", "--all-targets"], &[&library[..], &strict].concat())?;
    cargo(&["test", "--quiet"], &library)
}

fn cargo(arguments: &[&str], more: &[&str]) -> Result<(), Failure> {
    let mut cargo = crate::cargo();
    cargo.current_dir(workspace().join(FOLDER)).args(arguments).args(more);
    cargo.env("CARGO_TARGET_DIR", built()?);
    if cargo.status()?.success() {
        return Ok(());
    }
    Err(format!("`cargo {}` failed in {FOLDER}", arguments.join(" ")).into())
}

/// Runs the example in Rust and returns its folded stacks, with which Python's are compared.
fn folded_by_rust() -> Result<PathBuf, Failure> {
    let folder = target("python/rust");
    let mut cargo = crate::cargo();
    cargo.args(["run", "--quiet", "--locked", "--example", "optimization_model", "--", "--out"]);
    output(cargo.arg(&folder))?;
    let mut files = fs::read_dir(&folder)?.flatten().map(|entry| entry.path());
    let stacks = files.find(|path| path.extension().is_some_and(|extension| extension == "folded"));
    Ok(stacks.ok_or("the example wrote no folded stacks")?.canonicalize()?)
}

/// Builds the wheels of the package and of the example into a folder, and returns their files.
fn build(python: &Path, folder: &str) -> Result<Vec<PathBuf>, Failure> {
    let wheels = target(folder);
    if wheels.exists() {
        fs::remove_dir_all(&wheels)?;
    }
    let packages: [(&str, &[&str]); 2] =
        [("memprof-python/wheel", &["--generate-stubs"]), ("examples/python_model", &[])];
    for (package, options) in packages {
        let mut maturin = Command::new(python);
        maturin.current_dir(workspace().join(package)).env("CARGO_TARGET_DIR", built()?);
        maturin.args(["-m", "maturin", "build", "--release", "--locked", "--quiet"]).args(options);
        output(maturin.arg("--interpreter").arg(python).arg("--out").arg(absolute(&wheels)?))?;
    }
    let files = fs::read_dir(&wheels)?.map(|entry| Ok(entry?.path()));
    files.collect()
}

fn absolute(path: &Path) -> Result<PathBuf, Failure> {
    Ok(std::path::absolute(path)?)
}

fn install(python: &Path, wheels: &[PathBuf]) -> Result<(), Failure> {
    let mut pip = pip_install(python);
    output(pip.args(["--no-deps", "--force-reinstall"]).args(wheels)).map(drop)
}

fn pip_install(python: &Path) -> Command {
    let mut pip = Command::new(python);
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    pip
}

/// Returns the folder in which the crates that need Python are built. Their workspace's own target
/// folder would be among the sources.
fn built() -> Result<PathBuf, Failure> {
    absolute(&target("python/build"))
}

/// Runs the tests of these files, or all tests.
fn test(python: &Path, version: &Version, folded: &Path, files: &[&str]) -> Result<(), Failure> {
    let mut pytest = Command::new(python);
    pytest.current_dir(workspace().join("memprof-python/wheel/tests"));
    pytest.args(["-m", "pytest", "--quiet", "-p", "no:cacheprovider", "-W", "error"]);
    pytest.args(files);
    pytest.env("MEMPROF_FOLDED_BY_RUST", folded).env("PYTHONDONTWRITEBYTECODE", "1");
    let printed = output(&mut pytest)?;
    println!("Python {}: {}", version.name, printed.lines().last().unwrap_or_default());
    Ok(())
}

/// Checks the types of a program that uses the package, and of the package itself.
fn types(python: &Path) -> Result<(), Failure> {
    let checked: [&[&str]; 2] = [&["typed.py"], &["--package", "memprof"]];
    for checked in checked {
        let mut mypy = Command::new(python);
        mypy.current_dir(workspace().join("memprof-python/wheel/tests"));
        mypy.args(["-m", "mypy", "--strict", "--cache-dir"]).arg(absolute(&target("python/mypy"))?);
        println!("mypy --strict: {}", output(mypy.args(checked))?.trim_end());
    }
    Ok(())
}

/// Runs the notebook, and writes it as a page to look at.
fn notebook(python: &Path) -> Result<(), Failure> {
    let folder = absolute(&target("python"))?;
    let mut convert = Command::new(python);
    convert.current_dir(workspace().join("examples/python_model"));
    convert.args(["-m", "nbconvert", "--to", "html", "--execute", "model.ipynb", "--output-dir"]);
    output(convert.arg(&folder))?;
    println!("the notebook ran; its page is {}", folder.join("model.html").display());
    Ok(())
}
