//! The layers of the crate: no folder imports from a folder above it.

use std::fs;
use std::path::{Path, PathBuf};

/// The layers from the lowest to the highest. Folders of one layer don't import each other.
const LAYERS: [&[&str]; 6] =
    [&["base"], &["thread"], &["operations", "sampling"], &["hook"], &["control"], &["results"]];

fn layer_of(folder: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&folder))
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder is there") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            files_below(&path, files);
        } else {
            files.push(path);
        }
    }
}

/// Returns the names after each `crate::` of a file, without comments and macros.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
    let parts =
        code.filter(|line| !line.contains("$crate")).flat_map(|line| line.split("crate::").skip(1));
    parts.filter_map(|path| path.split(|c: char| !c.is_alphanumeric() && c != '_').next())
}

#[test]
fn no_folder_imports_from_one_above_it() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut wrong = Vec::new();
    for (layer, folders) in LAYERS.iter().enumerate() {
        for folder in *folders {
            let is_allowed =
                |name: &str| name == *folder || layer_of(name).is_some_and(|named| named < layer);
            let mut files = Vec::new();
            files_below(&source.join(folder), &mut files);
            assert!(!files.is_empty(), "{folder}");
            for file in files {
                let text = fs::read_to_string(&file).expect("a source file is UTF-8");
                let names = named(&text).filter(|name| !is_allowed(name));
                wrong.extend(names.map(|name| format!("{} imports {name}", file.display())));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
