//! The frames of paths: all bracketed names, which name bytes that belong to no field or variant, and
//! the spelling of any name in a path.

use core::fmt::{self, Write};

crate::keywords! {
    /// The kind of the bytes of a leaf. The leaves of one branch are listed in this order.
    ///
    /// Fields and variants name the branches of a path. A kind names a leaf below them, in
    /// brackets.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[non_exhaustive]
    #[repr(u8)]
    pub enum LeafKind {
        /// A value's own bytes that are not payload: pointers, lengths and capacities.
        Inline => "[inline]",
        /// Payload: scalars, text, enums, the elements of a buffer.
        Data => "[data]",
        /// Capacity that no element uses.
        Spare => "[spare]",
        /// Control bytes and alignment of a hash table.
        Table => "[table]",
        /// Links, lengths and edges of tree and list nodes.
        Nodes => "[nodes]",
        /// Reference counts of `Rc` and `Arc`.
        Counts => "[counts]",
        /// Bytes that only align other bytes.
        Padding => "[padding]",
        /// The inline bytes of a field marked `#[profile(skip)]`.
        Skipped => "[skipped]",
        /// The known bytes of contents that could not be read.
        Opaque => "[opaque]",
    }
}

/// Below a map, the branch that contains the map's keys.
pub const KEYS: &str = "[keys]";
/// Below a handle, the branch that contains the shared allocation.
pub const SHARED: &str = "[shared]";
/// The branch that contains the entries past the limit of a keyed map.
pub const OTHER: &str = "[other]";

/// A name as a frame of a folded stack.
///
/// Readers split a line at its last space and at every `;`. They read a number before the last
/// space as a second count. So white space becomes `_` and `;` becomes `:`. Control and format
/// characters are escaped as in Rust.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::exhaustive_structs, reason = "it wraps one value and never gains a field")]
pub struct Frame<'n>(pub &'n str);

impl fmt::Display for Frame<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            "" => return out.write_str("\"\""),
            // Some readers treat a line that begins with `# ` as a comment.
            "#" => return out.write_str("\\u{23}"),
            name if name.bytes().all(|byte| byte.is_ascii_graphic() && byte != b';') => {
                return out.write_str(name);
            }
            _ => {}
        }
        self.0.chars().try_for_each(|char| match char {
            ';' => out.write_char(':'),
            _ if is_hostile(char) => write_escaped(char, out),
            _ if char.is_whitespace() => out.write_char('_'),
            _ => out.write_char(char),
        })
    }
}

/// Writes a character, escaped as in Rust if it is [hostile](is_hostile).
///
/// # Errors
/// Returns the errors of `out`.
pub fn write_escaped(char: char, out: &mut impl Write) -> fmt::Result {
    match char {
        '\n' => out.write_str("\\n"),
        '\r' => out.write_str("\\r"),
        '\t' => out.write_str("\\t"),
        _ if is_hostile(char) => write!(out, "{}", char.escape_unicode()),
        _ => out.write_char(char),
    }
}

/// Returns whether a character is a control character, a line separator, or an invisible character
/// that reorders text.
pub fn is_hostile(char: char) -> bool {
    char.is_control()
        || matches!(char,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}'
            | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}' | '\u{e0000}'..='\u{e007f}')
}

/// Returns `Vec` for `alloc::vec::Vec<my::Type>`, and a word such as `tuple` for a type without a
/// name.
#[must_use]
pub fn type_frame(type_name: &str) -> &str {
    let name = type_name.strip_prefix("dyn ").unwrap_or(type_name);
    match name.as_bytes().first() {
        Some(b'(') => "tuple",
        Some(b'[') if is_array(name) => "array",
        Some(b'[') => "slice",
        Some(b'&' | b'*') => "pointer",
        _ => {
            let path = &name[..name.find(['<', ' ']).unwrap_or(name.len())];
            path.rsplit("::").next().unwrap_or(path)
        }
    }
}

/// Returns whether a bracketed type has a length: `[u8; 4]` has one, `[[u8; 4]]` has none.
fn is_array(name: &str) -> bool {
    let inside = name.strip_suffix(']').unwrap_or(name);
    inside.rsplit_once("; ").is_some_and(|(_, len)| len.bytes().all(|byte| byte.is_ascii_digit()))
}
