//! Places in source code, formatted for people.

use super::{Shown, short_file, short_function};

/// A place in source code: a function with its file and line, each if known.
///
/// ```
/// use memprof_profile::text::CodePlace;
///
/// let place = CodePlace::new(Some("app::parse::<u8>"), Some("/srv/app/src/parse.rs"), Some(41));
/// let shown = place.shown(Some("/srv/app"));
/// assert_eq!(shown.as_deref(), Some("app::parse (src/parse.rs:41)"));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct CodePlace<'p> {
    function: Option<&'p str>,
    file: Option<&'p str>,
    line: Option<u32>,
}

/// The minimum number of characters to show of the end of a function's name. A shorter end would
/// not identify the function.
const MIN_NAME: usize = 6;

impl<'p> CodePlace<'p> {
    /// Returns the place with these names, as debug information has them.
    pub fn new(function: Option<&'p str>, file: Option<&'p str>, line: Option<u32>) -> Self {
        Self { function, file, line }
    }

    /// Formats the place with a short function and a short file, both escaped. Files are relative
    /// to `folder`. Returns `None` if neither is known.
    pub fn shown(self, folder: Option<&str>) -> Option<String> {
        match (self.function(), self.location(folder)) {
            (Some(function), Some(location)) => Some(format!("{function} ({location})")),
            (one, other) => one.or(other),
        }
    }

    /// Formats the place as [`shown`](Self::shown) does, in this number of columns if possible. The
    /// function is shortened; the file and the line are never cut.
    pub fn within(self, width: usize, folder: Option<&str>) -> Option<String> {
        let whole = self.shown(folder)?;
        let excess = whole.chars().count().saturating_sub(width);
        let (Some(function), Some(location)) = (self.function(), self.location(folder)) else {
            return Some(whole);
        };
        if excess == 0 {
            return Some(whole);
        }
        let most = function.chars().count().saturating_sub(excess);
        let shorter = [without_trait(&function), last_names(&function)].into_iter().flatten();
        if let Some(fits) = shorter.into_iter().find(|name| name.chars().count() <= most) {
            return Some(format!("{fits} ({location})"));
        }
        let kept = most.saturating_sub(1);
        if kept < MIN_NAME {
            return Some(location);
        }
        let name = last_names(&function).unwrap_or(function);
        let cut = name.chars().count().saturating_sub(kept);
        Some(format!("…{} ({location})", name.chars().skip(cut).collect::<String>()))
    }

    fn function(self) -> Option<String> {
        self.function.map(|name| Shown(&short_function(name)).to_string())
    }

    fn location(self, folder: Option<&str>) -> Option<String> {
        let file = Shown(&short_file(self.file?, folder)).to_string();
        Some(self.line.map_or_else(|| file.clone(), |line| format!("{file}:{line}")))
    }
}

/// Returns `a::Type::method` for `<a::Type as b::Trait>::method`.
fn without_trait(function: &str) -> Option<String> {
    let (of, rest) = function.strip_prefix('<')?.split_once(" as ")?;
    let (_, method) = rest.rsplit_once(">::")?;
    Some(format!("{of}::{method}"))
}

/// Returns the last two names of a path: `Type::method`. The name of a closure is kept together
/// with that of its function.
fn last_names(function: &str) -> Option<String> {
    let path = without_trait(function).unwrap_or_else(|| function.to_owned());
    let path = path.replace("<…>", "");
    let closures = path.matches("::{").count();
    let (at, _) = path.rmatch_indices("::").nth(1 + closures)?;
    let names = &path[at + 2..];
    // This is the end of a type's arguments, not a name.
    (!names.contains([' ', '<', '>'])).then(|| names.to_owned())
}

#[cfg(test)]
mod tests {
    use super::CodePlace;

    #[test]
    fn functions_become_shorter_and_files_and_lines_stay() {
        let implemented = "<app::tree::Node<u8> as core::default::Default>::default";
        for (function, width, expected) in [
            (
                implemented,
                99,
                "<app::tree::Node<…> as core::default::Default>::default (src/tree/node.rs:144)",
            ),
            (implemented, 60, "app::tree::Node<…>::default (src/tree/node.rs:144)"),
            (implemented, 40, "Node::default (src/tree/node.rs:144)"),
            ("app::tree::Tree::push::<u8>", 99, "app::tree::Tree::push (src/tree/node.rs:144)"),
            ("app::tree::Tree::push", 40, "Tree::push (src/tree/node.rs:144)"),
            ("app::tree::push::{{closure}}", 50, "tree::push::{{closure}} (src/tree/node.rs:144)"),
            ("a_function_with_a_long_name", 40, "…with_a_long_name (src/tree/node.rs:144)"),
            ("app::tree::Tree::push", 10, "src/tree/node.rs:144"),
        ] {
            let place = CodePlace::new(Some(function), Some("src/tree/node.rs"), Some(144));
            assert_eq!(place.within(width, None).as_deref(), Some(expected), "{width}");
        }
    }
}
