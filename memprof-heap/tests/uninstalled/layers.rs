//! The layers of the crate: `read` imports from `record`, and `record` from nothing above it.

use std::fs;
use std::path::Path;

#[test]
fn the_layer_that_records_imports_nothing_above_it() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/record");
    let mut wrong = Vec::new();
    for file in fs::read_dir(&source).expect("the folder is there") {
        let path = file.expect("the folder can be read").path();
        let Ok(text) = fs::read_to_string(&path) else { continue };
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        let imports = code.flat_map(|line| line.split("crate::").skip(1));
        let above = imports
            .filter(|path| !path.starts_with("record::") && !path.starts_with("operation::"));
        wrong.extend(above.map(|import| format!("{} imports {import}", path.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
