//! The files that every page is made of, in the order in which they stand there.

/// The shell, with `{{placeholders}}`.
pub(super) const SHELL: &str = include_str!("page.html");

/// The style sheets.
pub(super) const STYLE: &str = include_str!("style.css");

/// One after the other in one function, so that none of their names is the page's own.
pub(super) const SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("script/units.js"),
    include_str!("script/dom.js"),
    include_str!("script/state.js"),
    include_str!("script/data.js"),
    include_str!("script/start.js"),
    "})();\n",
);
