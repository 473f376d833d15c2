//! `main` and `unwrap` print an error through `Debug`. It prints the error's text, not the name of
//! a variant.

use std::fmt::{Debug, Display};
use std::fs;
use std::path::{Path, PathBuf};

const CRATES: [&str; 6] = [
    "memprof-profile",
    "memprof-heap",
    "memprof-session",
    "memprof-export",
    "memprof-gpu",
    "memprof-pool",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// Returns the names of the types for which a file implements `Error`.
fn errors(source: &str) -> impl Iterator<Item = &str> {
    let after = source.split("impl Error for ").skip(1);
    after.filter_map(|rest| rest.split([' ', '{']).next())
}

#[test]
fn debug_of_each_public_error_is_written_by_hand() {
    let mut derived = Vec::new();
    let mut checked = 0;
    for name in CRATES {
        let mut files = Vec::new();
        sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join(name).join("src"), &mut files);
        for file in files {
            let source = fs::read_to_string(&file).expect("a source");
            for error in errors(&source) {
                let is_public = ["struct", "enum"]
                    .iter()
                    .any(|kind| source.contains(&format!("\npub {kind} {error}")));
                let by_hand = source.contains(&format!("Debug for {error} {{"));
                checked += usize::from(is_public);
                if is_public && !by_hand {
                    derived.push(format!("{error} in {}", file.display()));
                }
            }
        }
    }
    // `LeakError` and `ExactError` are declared in other files than their `Display`.
    assert!(checked >= 24, "{checked} errors found");
    assert!(derived.is_empty(), "these errors derive `Debug`: {derived:#?}");
}

fn assert_shown<E: Debug + Display>(error: &E) {
    assert_eq!(format!("{error:?}"), error.to_string());
    assert_eq!(format!("{error:#?}"), error.to_string());
}

#[test]
fn debug_of_errors_is_their_text() {
    assert_shown(&"2 GB/s".parse::<memprof::testing::Budget>().expect_err("no amount"));
    let profile = memprof::Profile::of(&vec![1_u8; 100]);
    assert_shown(
        &profile.check_budget(memprof::testing::Budget::of_bytes(1), &[]).expect_err("more"),
    );
    assert_shown(&profile.try_bytes_at("nothing").expect_err("no such path"));
    assert_shown(&memprof::Profile::from_folded("no number\n").expect_err("no folded stacks"));
}
