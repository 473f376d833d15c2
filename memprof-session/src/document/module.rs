//! The modules of the process. A reader looks up the names of addresses in the files of the
//! modules.

use serde::{Deserialize, Serialize};

/// A module of the process: the program itself or a shared library.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
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
}

impl Module {
    /// Returns a module that is loaded at these addresses.
    pub fn new(
        path: impl Into<String>,
        build_id: Option<String>,
        load_bias: u64,
        ranges: Vec<[u64; 2]>,
    ) -> Self {
        Self { path: path.into(), build_id, load_bias, ranges }
    }

    /// Returns `true` if an address is in one of the module's segments.
    pub fn contains(&self, address: u64) -> bool {
        self.ranges.iter().any(|[start, end]| (*start..*end).contains(&address))
    }
}
