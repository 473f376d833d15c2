//! A fake driver library, compiled on first use. Each test loads its own copy.
//!
//! A fake has only the driver functions that its source defines. It also has `fake_get`, by which a
//! test reads counts of calls, and `fake_set`, by which a test sets the fake's behaviour.

#![expect(unsafe_code, reason = "a library is loaded, and functions of it are called")]

use libloading::Library;
use std::collections::BTreeMap;
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, id};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};

/// A loaded fake.
pub(crate) struct Fake {
    path: PathBuf,
    library: Library,
}

impl Fake {
    /// Compiles `tests/fake/<source>.rs.in` without the functions named in `without`, and loads a
    /// copy.
    /// The loader identifies a library by its file, and the fake's state is global in the library.
    /// So each test gets its own copy.
    ///
    /// In the source, `#[cfg(not(without = "f"))]` marks a function that can be left out.
    pub(crate) fn new(source: &str, without: &[&str]) -> Self {
        static COPIES: AtomicU32 = AtomicU32::new(0);
        let copy = COPIES.fetch_add(1, Ordering::Relaxed);
        let path = folder().join(format!("{DLL_PREFIX}{source}-{}-{copy}{DLL_SUFFIX}", id()));
        fs::copy(compiled(source, without), &path).expect("the folder of the tests can be written");
        // SAFETY: the library belongs to the tests, and it runs no code when it is loaded.
        let library = unsafe { Library::new(&path) }.expect("what was compiled can be loaded");
        Self { path, library }
    }

    /// Returns the path of the library.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the fake's value for `key`, usually a count of calls.
    #[track_caller]
    pub(crate) fn get(&self, key: &str) -> u64 {
        type Get = unsafe extern "C" fn(*const u8, usize, *mut u64) -> i32;
        let mut value = 0;
        // SAFETY: every fake has this function with this type.
        let get = unsafe { self.library.get::<Get>(b"fake_get\0") }.expect("a fake has `fake_get`");
        // SAFETY: `key.len()` is the length of the key, and the pointer is valid for writing the
        // value.
        let is_known = unsafe { get(key.as_ptr(), key.len(), &raw mut value) };
        assert_eq!(is_known, 1, "the fake has no value `{key}`");
        value
    }

    /// Sets the fake's value for `key`.
    #[track_caller]
    pub(crate) fn set(&self, key: &str, value: u64) {
        type Set = unsafe extern "C" fn(*const u8, usize, u64) -> i32;
        // SAFETY: every fake has this function with this type.
        let set = unsafe { self.library.get::<Set>(b"fake_set\0") }.expect("a fake has `fake_set`");
        // SAFETY: `key.len()` is the length of the key.
        let is_known = unsafe { set(key.as_ptr(), key.len(), value) };
        assert_eq!(is_known, 1, "the fake has no setting `{key}`");
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        // On Windows, this fails, because the library is still loaded.
        let _ = fs::remove_file(&self.path);
    }
}

/// The folder of the libraries.
fn folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// Returns the library of this source without these functions, compiled once in each process.
fn compiled(source: &str, without: &[&str]) -> PathBuf {
    static COMPILED: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());
    let name = [&[source], without].concat().join("-without-");
    // If the lock is poisoned, the test that failed to compile its fake has already reported the
    // error.
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    compiled.entry(name).or_insert_with_key(|name| compile(source, without, name)).clone()
}

fn compile(source: &str, without: &[&str], name: &str) -> PathBuf {
    // The tests of memprof-pool use these fakes too.
    let fakes = concat!(env!("CARGO_MANIFEST_DIR"), "/../memprof-gpu/tests/fake");
    let file = Path::new(fakes).join(format!("{source}.rs.in"));
    let library = folder().join(format!("{DLL_PREFIX}{name}{DLL_SUFFIX}"));
    // The compiler writes to a temporary name, because other test processes may read the final file
    // at the same time.
    let new = folder().join(format!("{name}-{}", id()));
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let output = Command::new(&rustc)
        .args(["--edition=2024", "--crate-type=cdylib", "-Cpanic=abort", "-Cstrip=symbols"])
        .args(["--crate-name", source])
        // Items that only a left-out function used are now unused.
        .args(without.first().map(|_| "-Aunused"))
        .args(without.iter().flat_map(|name| ["--cfg".into(), format!("without=\"{name}\"")]))
        .arg("-o")
        .args([&new, &file])
        .output()
        .unwrap_or_else(|error| panic!("{} can't be run: {error}", rustc.display()));
    let diagnostics = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && diagnostics.is_empty(),
        "{} has faults:\n{diagnostics}",
        file.display()
    );
    fs::rename(new, &library).expect("the folder of the tests can be written");
    library
}
