//! The files of a page, in the order of their use.

/// The HTML of the page, with `{{placeholders}}`.
pub(super) const SHELL: &str = include_str!("page.html");

pub(super) const STYLE: &str = concat!(
    include_str!("style.css"),
    include_str!("style-time.css"),
    include_str!("style-panes.css"),
);

pub(super) const LOADER: &str = include_str!("loader.js");

/// The script. `cargo xtask page` bundles it from the TypeScript files in `memprof-export/web`.
pub(super) const SCRIPT: &str = include_str!("bundle.js");

#[cfg(test)]
mod tests {
    use super::{LOADER, SCRIPT, STYLE};
    use std::fs;
    use std::path::Path;

    #[test]
    fn each_style_file_is_in_the_page() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/page");
        for file in fs::read_dir(folder).expect("the folder is there") {
            let path = file.expect("it can be read").path();
            if path.extension().is_some_and(|end| end == "css") {
                let text = fs::read_to_string(&path).expect("it is text");
                assert!(STYLE.contains(&text), "{}", path.display());
            }
        }
    }

    /// The HTML of a page would end at the first closing tag in a script.
    #[test]
    fn no_script_contains_a_closing_tag() {
        assert!(!LOADER.contains("</"));
        assert!(!SCRIPT.contains("</script"));
    }
}
