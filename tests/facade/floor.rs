//! The packages that users of the derive or of a single feature compile, compared with lists.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// The environment variable that selects a platform other than that of the tests.
const PLATFORM: &str = "MEMPROF_FLOOR_TARGET";

/// Returns the names of all packages that a crate outside the workspace compiles for `memprof` with
/// `options` in its manifest.
///
/// By default the platform is that of the tests. `cargo xtask platforms` repeats these tests for
/// others.
fn packages(case: &str, options: &str) -> BTreeSet<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let user = Path::new(env!("CARGO_TARGET_TMPDIR")).join("floor").join(case);
    fs::create_dir_all(user.join("src")).expect("the target folder is writable");
    let manifest = format!(
        "[package]\nname = 'user'\nedition = '2024'\n[workspace]\n\
         [dependencies]\nmemprof = {{ path = '{}', {options} }}\n",
        root.display()
    );
    fs::write(user.join("Cargo.toml"), manifest).expect("the target folder is writable");
    fs::write(user.join("src/lib.rs"), "").expect("the target folder is writable");
    // With the versions of the workspace's lock file, cargo downloads only the crates that no build
    // has downloaded before.
    fs::copy(root.join("Cargo.lock"), user.join("Cargo.lock")).expect("there is a lock file");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(&user).args(["tree", "--edges", "normal,build"]);
    cargo.args(["--prefix", "none", "--format", "{lib}", "--no-dedupe"]);
    if let Ok(platform) = env::var(PLATFORM) {
        cargo.args(["--target", &platform]);
    }
    let output = cargo.output().expect("cargo runs");
    let text = String::from_utf8(output.stdout).expect("cargo prints UTF-8");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let names = text.lines().map(str::trim).filter(|line| !line.is_empty());
    names.filter(|&name| name != "user").map(str::to_owned).collect()
}

/// Returns `true` if the packages are for Windows with Microsoft's C library.
fn is_windows_msvc() -> bool {
    env::var(PLATFORM)
        .map_or(cfg!(all(windows, target_env = "msvc")), |name| name.ends_with("-windows-msvc"))
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

#[test]
fn a_user_who_only_derives_compiles_eight_crates() {
    let eight = [
        "memprof",
        "memprof_core",
        "memprof_profile",
        "memprof_derive",
        "syn",
        "quote",
        "proc_macro2",
        "unicode_ident",
    ];
    assert_eq!(packages("derive", ""), set(&eight));
}

#[test]
fn a_user_who_writes_impls_by_hand_compiles_three_crates() {
    let packages = packages("by_hand", "default-features = false");
    assert_eq!(packages, set(&["memprof", "memprof_core", "memprof_profile"]));
}

#[test]
fn a_user_of_the_allocator_compiles_memprof_and_the_crates_for_stacks() {
    let packages = packages("heap", "default-features = false, features = ['heap']");
    let own = ["memprof", "memprof_core", "memprof_profile", "memprof_heap", "pin_project_lite"];
    let walks = ["backtrace", "cfg_if", "rustc_demangle"];
    // On Windows the system reads the debug information, so no crate is needed for it. The names of
    // threads are the system's, too.
    let names: &[_] = if is_windows_msvc() {
        &["windows_link", "windows_sys"]
    } else {
        &["libc", "addr2line", "gimli", "object", "memchr", "miniz_oxide", "adler2"]
    };
    assert_eq!(packages, set(&[&own[..], &walks, names].concat()));
}

#[test]
fn annotations_depend_only_on_the_derive() {
    let annotated = packages("annotated", "default-features = false, features = ['track']");
    assert_eq!(annotated, packages("not_annotated", ""));
}

#[test]
fn spans_depend_on_the_crates_of_layers() {
    let heap = packages("no_spans", "default-features = false, features = ['heap']");
    let spans = packages("spans", "default-features = false, features = ['tracing_subscriber03']");
    let more: BTreeSet<_> = spans.difference(&heap).cloned().collect();
    let layers = ["tracing_core", "tracing_subscriber", "sharded_slab", "thread_local"];
    assert_eq!(more, set(&[&layers[..], &["lazy_static", "once_cell"]].concat()));
}

#[test]
fn no_format_depends_on_another() {
    let json = packages("json", "default-features = false, features = ['json']");
    assert!(json.contains("serde_json") && !json.contains("inferno"), "{json:?}");
    let drawn = packages("flamegraph", "default-features = false, features = ['flamegraph']");
    assert!(drawn.contains("inferno") && !drawn.contains("serde_json"), "{drawn:?}");
}

#[test]
fn the_types_of_one_crate_depend_on_no_other() {
    let packages = packages("smallvec", "default-features = false, features = ['smallvec1']");
    assert_eq!(packages, set(&["memprof", "memprof_core", "memprof_profile", "smallvec"]));
}

#[test]
fn full_excludes_the_types_of_other_crates() {
    let packages = packages("full", "features = ['full']");
    // `bytes` is included because the protobuf code needs it.
    let foreign = ["arrow_array", "tokio", "tracing_core", "ndarray", "smallvec", "candle_core"];
    assert!(foreign.iter().all(|&foreign| !packages.contains(foreign)), "{packages:?}");
}

#[test]
fn full_excludes_the_only_crate_with_a_copyleft_license() {
    assert!(!packages("permissive", "features = ['full']").contains("inferno"));
}
