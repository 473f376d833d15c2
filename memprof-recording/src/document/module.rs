//! The modules of the process. A reader looks up the names of addresses in the files of the
//! modules.

use serde::{Deserialize, Serialize};

/// A module of the process: the program itself or a shared library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Module {
    /// The path of the module's file when it was loaded.
    pub path: String,
    /// The identifier that the linker wrote into the file, in hexadecimal digits; `None` if it
    /// wrote none.
    pub build_id: Option<String>,
    /// The run-time address of the module's address 0.
    pub load_bias: u64,
    /// The start and the end of each of the module's segments in memory.
    pub ranges: Vec<[u64; 2]>,
    /// The offset in the module's file at which each segment of [`ranges`](Self::ranges) begins, in
    /// the same order. Empty if they are unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub file_offsets: Vec<u64>,
    /// `true` if all addresses of the module were looked up in its debug information, so that
    /// another search finds no more names.
    #[serde(default, skip_serializing_if = "core::ops::Not::not")]
    pub looked_up: bool,
}

impl Module {
    /// Returns a module that is loaded at these addresses, without the offsets of its segments in
    /// the file.
    pub fn new(
        path: impl Into<String>,
        build_id: Option<String>,
        load_bias: u64,
        ranges: Vec<[u64; 2]>,
    ) -> Self {
        let (file_offsets, looked_up) = (Vec::new(), false);
        Self { path: path.into(), build_id, load_bias, ranges, file_offsets, looked_up }
    }

    /// Sets the offset in the file of each segment.
    #[must_use]
    pub fn with_file_offsets(mut self, file_offsets: Vec<u64>) -> Self {
        self.file_offsets = file_offsets;
        self
    }

    /// Returns `true` if an address is in one of the module's segments.
    pub fn contains(&self, address: u64) -> bool {
        self.ranges.iter().any(|[start, end]| (*start..*end).contains(&address))
    }
}

#[cfg(test)]
mod tests {
    use super::Module;

    #[test]
    fn offsets_are_left_out_of_the_file_if_they_are_unknown() {
        let without =
            r#"{"path":"lib.so","build_id":null,"load_bias":4096,"ranges":[[8192,9000]]}"#;
        let module: Module = serde_json::from_str(without).expect("it is complete");
        assert_eq!(module.file_offsets, [0_u64; 0]);
        assert_eq!(serde_json::to_string(&module).expect("it has no maps"), without);
        let with = without.replace("]]}", "]],\"file_offsets\":[1024]}");
        let module = module.with_file_offsets(vec![1024]);
        assert_eq!(serde_json::to_string(&module).expect("it has no maps"), with);
        assert_eq!(serde_json::from_str::<Module>(&with).expect("it is complete"), module);
    }
}
