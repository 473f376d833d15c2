//! The names of a recording's addresses, from the files of its modules.

use super::lookup::look_up;
use super::{MissingNames, SymbolSearch};
use crate::document::{Module, Summary};
use crate::symbols::apply::{Named, apply, unnamed};
use std::collections::BTreeSet;

/// The result of a search for names.
#[derive(Debug, Default)]
pub(super) struct Resolved {
    /// The number of addresses that got names, without those of libraries of the system.
    pub(super) named: usize,
    /// The modules in which names were not found.
    pub(super) missing: Vec<MissingNames>,
}

/// Names the addresses of a summary of this program.
///
/// If `wanted` is given, only its addresses.
pub(super) fn resolve(
    summary: &mut Summary,
    program: &str,
    wanted: Option<&BTreeSet<u64>>,
    search: &SymbolSearch,
) -> Resolved {
    let mut unnamed = unnamed(summary);
    unnamed.retain(|address| wanted.is_none_or(|wanted| wanted.contains(address)));
    let (mut named, mut resolved) = (Named::new(), Resolved::default());
    for module in summary.modules.iter_mut().filter(|module| !module.looked_up) {
        // A hostile file may have many modules, and ranges that end before they start.
        let inside = |[start, end]: &[u64; 2]| unnamed.range(*start..*end.max(start)).copied();
        let addresses: BTreeSet<u64> = module.ranges.iter().flat_map(inside).collect();
        if !addresses.is_empty() {
            let (found, lacking) = look_up(module, &addresses, search);
            module.looked_up = lacking.is_none();
            if !is_system(module) {
                resolved.named += found.len();
                resolved.missing.extend(lacking);
            }
            named.extend(found);
        }
    }
    apply(summary, &named, program, usize::MAX);
    resolved
}

/// Returns `true` for libraries of the system, which start threads and call `main`. Their names
/// explain no allocation of the program.
fn is_system(module: &Module) -> bool {
    let folders = ["/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"];
    let is_file = module.path.contains('/');
    !is_file || folders.iter().any(|folder| module.path.starts_with(folder))
}
