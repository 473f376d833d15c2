//! Checks of names that become frames of a path.

use crate::word::Target;

/// Returns what is wrong with a frame's name and what to write instead, or `None` if the name is
/// valid.
pub(crate) fn problem(name: &str, target: Target) -> Option<&'static str> {
    if name.is_empty() {
        return Some(
            "a name cannot be empty: write one, or remove `rename` to keep the name in the code",
        );
    }
    if name.contains(['[', ']']) {
        return Some(
            "a name cannot contain brackets, which mark memprof's own frames such as `[padding]`: write it without",
        );
    }
    if name.contains(';') {
        return Some(
            "a name cannot contain `;`, which separates the frames of a path: write it without",
        );
    }
    if name.contains(char::is_control) {
        return Some("a name cannot contain control characters: write it on one line");
    }
    if name.trim() != name {
        return Some("a name cannot begin or end with a space: write it without");
    }
    // The root is named after the last segment of the type's name, without its generic arguments.
    if target == Target::Type && name.contains(['<', ' ', ':']) {
        return Some(
            "the name of a type cannot contain `:`, `<` or a space: write one word, or name the root with `Profile::named`",
        );
    }
    None
}
