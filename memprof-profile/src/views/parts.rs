//! The own bytes of a line by bracketed name.

use crate::tree::KEYS;
use crate::tree::{Branch, Leaf};

/// The part of a line's own bytes that has one bracketed name.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    pub(crate) name: &'static str,
    pub(crate) bytes: u64,
    pub(crate) estimated_bytes: u64,
}

/// Returns a line's own bytes by kind. The bytes of keys are one part, which comes first.
pub(crate) fn parts(line: Branch<'_>) -> Vec<Part> {
    let mut parts: Vec<Part> = vec![Part { name: KEYS, bytes: 0, estimated_bytes: 0 }];
    for leaf in line.leaves() {
        let name = name(leaf);
        let known = parts.iter().position(|part| part.name == name);
        let index = known.unwrap_or_else(|| {
            parts.push(Part { name, bytes: 0, estimated_bytes: 0 });
            parts.len() - 1
        });
        parts[index].bytes += leaf.bytes();
        parts[index].estimated_bytes += leaf.estimated_bytes();
    }
    parts.retain(|part| part.bytes > 0);
    parts
}

fn name(leaf: &Leaf) -> &'static str {
    if leaf.is_of_keys() { KEYS } else { leaf.kind().as_str() }
}
