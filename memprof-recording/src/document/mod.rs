//! The parts of the files; `docs/format.md` describes them for programs in other languages.
//!
//! Counted bytes and nanoseconds are whole numbers, never rounded. Estimates, averages and rates may
//! have fractions. An unknown figure is `null`, never 0.
#![expect(
    clippy::exhaustive_structs,
    clippy::exhaustive_enums,
    reason = "the recorder, which is another crate, makes them; a new field comes with a new version"
)]

mod estimate;
mod framework;
mod heap;
mod keyword;
mod lifetime;
mod line;
mod live_stacks;
mod metadata;
mod module;
mod operations;
mod process;
mod reconciliation;
mod roots;
mod snapshot;
mod summary;

pub use estimate::Estimate;
pub use estimate::with_side;
pub use framework::{FrameworkRow, Known};
pub(crate) use heap::HOOK_DEPTH;
pub use heap::add_growth;
pub use heap::{
    Block, Doubt, HeapLevel, HeapTotals, HeldBy, Leak, LeakVerdict, LeakWatch, Place, Site,
};
pub use lifetime::Lifetime;
pub use line::{FirstLine, Line};
pub use live_stacks::{LiveStacks, StackRow, StackTable};
pub use metadata::{Ended, Metadata};
pub use module::Module;
pub use operations::{
    DroppedEvents, OperationEvent, OperationPath, OperationRow, ThreadName, WallTime,
};
pub use process::{ProcessMemory, SelfCost};
pub use reconciliation::{ClaimedTwice, Reconciliation, UnexplainedOperation};
pub use roots::json_line;
pub use roots::{GaugeReading, RootReading, RootState, SourceReading, UnlistedRoots};
pub use snapshot::{DeviceReading, Snapshot, TensorReading, Trigger};
pub use summary::{NotWritten, OutOfMemory, Summary};

/// The value of the key `format` of a document.
pub const DOCUMENT: &str = "memprof session";
/// The value of the key `format` of a timeline's first line.
pub const TIMELINE: &str = "memprof timeline";
/// The version of the format: raised if a key changes its meaning or gets a new keyword as its
/// value.
pub const VERSION: u64 = 1;

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    /// Keys are the names of public fields.
    #[test]
    fn the_page_of_the_format_names_every_key_of_a_file() {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let page = package.join("../docs/format.md");
        let page = fs::read_to_string(page).expect("the workspace has it");
        let mut keys = 0;
        for file in fs::read_dir(package.join("src/document")).expect("it is this folder") {
            let source = fs::read_to_string(file.expect("it can be read").path());
            let source = source.expect("it is text");
            for line in source.lines().filter_map(|line| line.strip_prefix("    ")) {
                let Some(field) = line.strip_prefix("pub ") else { continue };
                let Some((key, _)) = field.split_once(": ") else { continue };
                if key.chars().all(|char| char.is_ascii_lowercase() || char == '_') {
                    assert!(page.contains(&format!("`{key}`")), "docs/format.md lacks {key}");
                    keys += 1;
                }
            }
        }
        assert!(keys > 100, "{keys}");
    }
}
