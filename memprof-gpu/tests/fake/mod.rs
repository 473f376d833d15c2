//! A driver's library that the tests wrote: compiled when it is needed, each test's loaded for itself.
//!
//! A fake has the functions of the driver that are scripted and no others, and two of its own, by
//! which a test asks it what was done and tells it what to do: `fake_get` and `fake_set`.

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

/// A fake that is loaded.
pub(crate) struct Fake {
    path: PathBuf,
    library: Library,
}

impl Fake {
    /// Compiles `tests/fake/<source>.rs.in` without the functions named in `without`, and loads a copy
    /// that nobody else has: the loader tells libraries apart by the file, and state is the library's.
    ///
    /// In the source, `#[cfg(not(without = "f"))]` stands before what can be left out.
    pub(crate) fn new(source: &str, without: &[&str]) -> Self {
        static COPIES: AtomicU32 = AtomicU32::new(0);
        let copy = COPIES.fetch_add(1, Ordering::Relaxed);
        let path = folder().join(format!("{DLL_PREFIX}{source}-{}-{copy}{DLL_SUFFIX}", id()));
        fs::copy(compiled(source, without), &path).expect("the folder of the tests can be written");
        // SAFETY: the library is the tests' own, and nothing runs when it is loaded.
        let library = unsafe { Library::new(&path) }.expect("what was compiled can be loaded");
        Self { path, library }
    }

    /// The file of the library.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// What the fake says to a word: a count of what was done, mostly.
    #[track_caller]
    pub(crate) fn get(&self, word: &str) -> u64 {
        type Get = unsafe extern "C" fn(*const u8, usize, *mut u64) -> i32;
        let mut value = 0;
        // SAFETY: every fake has that function, and it is of this type.
        let get = unsafe { self.library.get::<Get>(b"fake_get\0") }.expect("a fake has `fake_get`");
        // SAFETY: the word is as long as is said, and there is room for the value.
        let known = unsafe { get(word.as_ptr(), word.len(), &raw mut value) };
        assert_eq!(known, 1, "the fake knows no `{word}`");
        value
    }

    /// Tells the fake what to do from now on.
    #[track_caller]
    pub(crate) fn set(&self, word: &str, value: u64) {
        type Set = unsafe extern "C" fn(*const u8, usize, u64) -> i32;
        // SAFETY: every fake has that function, and it is of this type.
        let set = unsafe { self.library.get::<Set>(b"fake_set\0") }.expect("a fake has `fake_set`");
        // SAFETY: the word is as long as is said.
        let known = unsafe { set(word.as_ptr(), word.len(), value) };
        assert_eq!(known, 1, "the fake can't be told `{word}`");
    }
}

impl Drop for Fake {
    fn drop(&mut self) {
        // Windows keeps the file of a library that is still loaded.
        let _ = fs::remove_file(&self.path);
    }
}

/// Where the libraries are.
fn folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// The library of that source without those functions, compiled once in a process.
fn compiled(source: &str, without: &[&str]) -> PathBuf {
    static COMPILED: Mutex<BTreeMap<String, PathBuf>> = Mutex::new(BTreeMap::new());
    let name = [&[source], without].concat().join("-without-");
    // A test that could not compile its fake has said why.
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    compiled.entry(name).or_insert_with_key(|name| compile(source, without, name)).clone()
}

fn compile(source: &str, without: &[&str], name: &str) -> PathBuf {
    // The tests of memprof-pool use the fakes too.
    let fakes = concat!(env!("CARGO_MANIFEST_DIR"), "/../memprof-gpu/tests/fake");
    let file = Path::new(fakes).join(format!("{source}.rs.in"));
    let library = folder().join(format!("{DLL_PREFIX}{name}{DLL_SUFFIX}"));
    // Other tests may read the library of that name meanwhile.
    let new = folder().join(format!("{name}-{}", id()));
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let output = Command::new(&rustc)
        .args(["--edition=2024", "--crate-type=cdylib", "-Cpanic=abort", "-Cstrip=symbols"])
        .args(["--crate-name", source])
        // What only such a function used is then unused.
        .args(without.first().map(|_| "-Aunused"))
        .args(without.iter().flat_map(|name| ["--cfg".into(), format!("without=\"{name}\"")]))
        .arg("-o")
        .args([&new, &file])
        .output()
        .unwrap_or_else(|error| panic!("{} can't be run: {error}", rustc.display()));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{} has faults:\n{said}", file.display());
    fs::rename(new, &library).expect("the folder of the tests can be written");
    library
}
