//! The files of a page, in the order of their use.

/// The HTML of the page, with `{{placeholders}}`.
pub(super) const SHELL: &str = include_str!("page.html");

/// The style sheets.
pub(super) const STYLE: &str = concat!(
    include_str!("style.css"),
    include_str!("style-time.css"),
    include_str!("style-panes.css"),
);

/// The code that unpacks the script and runs it.
pub(super) const LOADER: &str = include_str!("script/packed.js");

/// All other scripts, inside one function, so that none of their names is global.
const SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("script/units.js"),
    include_str!("script/dom.js"),
    include_str!("script/state.js"),
    include_str!("script/data.js"),
    include_str!("script/palette.js"),
    include_str!("script/canvas.js"),
    // The view over time.
    include_str!("script/axis.js"),
    include_str!("script/tooltip.js"),
    include_str!("script/ruler.js"),
    include_str!("script/overview.js"),
    include_str!("script/points.js"),
    include_str!("script/curves.js"),
    include_str!("script/lanes.js"),
    include_str!("script/gestures.js"),
    include_str!("script/time.js"),
    // The view of one moment.
    include_str!("script/nodes.js"),
    include_str!("script/found.js"),
    include_str!("script/copy.js"),
    include_str!("script/table.js"),
    include_str!("script/chooser.js"),
    include_str!("script/operations.js"),
    include_str!("script/icicle.js"),
    include_str!("script/tree_table.js"),
    include_str!("script/tree.js"),
    include_str!("script/difference.js"),
    include_str!("script/places.js"),
    include_str!("script/balance.js"),
    include_str!("script/panes.js"),
    include_str!("script/keys.js"),
    include_str!("script/start.js"),
    "})();\n",
);

/// Returns the script without indentation, empty lines and comments on lines of their own.
pub(super) fn script() -> String {
    let mut script = String::with_capacity(SCRIPT.len());
    let mut in_comment = false;
    for line in SCRIPT.lines().map(str::trim) {
        in_comment |= line.starts_with("/*");
        let ends = line.split_once("*/").map(|(_, rest)| rest);
        let left_out = match ends {
            // A line with code after the comment stays, including the comment.
            Some(rest) if in_comment => rest.is_empty(),
            _ => in_comment || line.starts_with("//") || line.is_empty(),
        };
        in_comment &= ends.is_none();
        if !left_out {
            script.push_str(line);
            script.push('\n');
        }
    }
    script
}

#[cfg(test)]
mod tests {
    use super::{LOADER, SCRIPT, STYLE, script};
    use std::fs;
    use std::path::Path;

    #[test]
    fn each_script_and_style_file_is_in_the_page() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/page");
        for folder in [folder.join("script"), folder] {
            for file in fs::read_dir(folder).expect("the folder is there") {
                let path = file.expect("it can be read").path();
                let carried = match path.extension().and_then(|end| end.to_str()) {
                    Some("js") => [LOADER, SCRIPT].concat(),
                    Some("css") => STYLE.to_owned(),
                    _ => continue,
                };
                let text = fs::read_to_string(&path).expect("it is text");
                assert!(carried.contains(&text), "{}", path.display());
            }
        }
    }

    #[test]
    fn no_string_of_the_script_spans_lines() {
        for line in SCRIPT.lines() {
            assert!(line.matches('`').count().is_multiple_of(2), "{line}");
            assert!(!line.ends_with('\\'), "{line}");
        }
    }

    #[test]
    fn pages_contain_all_code_without_comment_lines() {
        let script = script();
        assert!(script.lines().all(|line| !line.starts_with("//") && !line.starts_with("* ")));
        for name in ["Units", "Data", "Time", "Panes", "Keys", "Start"] {
            assert!(script.contains(&format!("const {name} = (() => {{")), "{name}");
        }
        // Counts line ends in code, so line ends in comments are subtracted.
        let ends = |text: &str| {
            text.lines().map(str::trim).filter(|line| line.ends_with(['{', ';'])).count()
        };
        let in_comments = SCRIPT.lines().map(str::trim).filter(|line| {
            (line.starts_with("//") || line.starts_with('*') || line.starts_with("/*"))
                && line.ends_with(['{', ';'])
                && !line.contains("*/")
        });
        assert_eq!(ends(&script), ends(SCRIPT) - in_comments.count());
    }
}
