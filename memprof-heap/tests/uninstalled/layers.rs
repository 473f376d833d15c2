//! The layers of the crate: `read` imports from `record`, and `record` from nothing above it. The
//! modules of `record` import in the order of its list.

use std::fs;
use std::path::{Path, PathBuf};

/// The code of a file, without comments and unit tests.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("the file can be read");
    let code = text.split("\nmod tests {").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// The modules of the layer that records, with their files.
fn modules() -> Vec<(String, PathBuf)> {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/record");
    let files = fs::read_dir(&source).expect("the folder is there");
    let paths = files.map(|file| file.expect("the folder can be read").path());
    let stem = |path: &Path| path.file_stem().expect("a name").to_string_lossy().into_owned();
    paths.filter(|path| path.is_file()).map(|path| (stem(&path), path)).collect()
}

#[test]
fn the_layer_that_records_imports_nothing_above_it() {
    let mut wrong = Vec::new();
    for (module, path) in modules() {
        for import in code(&path).split("crate::").skip(1) {
            if !import.starts_with("record::") && !import.starts_with("operation::") {
                wrong.push(format!("{module} imports {}", import.lines().next().unwrap_or("")));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn modules_that_record_import_only_from_their_row_and_the_rows_above() {
    let modules = modules();
    let (_, list) = modules.iter().find(|(name, _)| name == "mod").expect("the list");
    let list = fs::read_to_string(list).expect("the file can be read");
    let rows: Vec<Vec<&str>> = list
        .lines()
        .filter_map(|line| line.strip_prefix("//! | `")?.split(" | ").next())
        .map(|names| names.trim_end_matches('`').split("`, `").collect())
        .collect();
    let row = |name: &str| rows.iter().position(|row| row.contains(&name));
    let mut wrong = Vec::new();
    for (module, path) in modules.iter().filter(|(name, _)| name != "mod") {
        let Some(own) = row(module) else {
            wrong.push(format!("{module} is in no row"));
            continue;
        };
        let code = code(path);
        for import in code.split("crate::record::").skip(1) {
            let names = match import.strip_prefix('{') {
                Some(group) => group.split('}').next().unwrap_or_default().split(',').collect(),
                None => vec![import],
            };
            let first = |name: &str| -> String {
                name.trim().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
            };
            let above = names.into_iter().map(first).filter(|name| row(name) > Some(own));
            wrong.extend(above.map(|name| format!("{module} imports {name}")));
        }
    }
    assert!(rows.len() > 10 && wrong.is_empty(), "{}", wrong.join("\n"));
}
