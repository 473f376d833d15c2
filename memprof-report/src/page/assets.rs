//! The files that every page is made of, in the order in which they stand there.

/// The shell, with `{{placeholders}}`.
pub(super) const SHELL: &str = include_str!("page.html");

/// The style sheets.
pub(super) const STYLE: &str = concat!(
    include_str!("style.css"),
    include_str!("style-time.css"),
    include_str!("style-panes.css"),
);

/// What unpacks the script and runs it.
pub(super) const LOADER: &str = include_str!("script/packed.js");

/// One after the other in one function, so that none of their names is the page's own.
pub(super) const SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("script/units.js"),
    include_str!("script/dom.js"),
    include_str!("script/state.js"),
    include_str!("script/data.js"),
    include_str!("script/palette.js"),
    include_str!("script/canvas.js"),
    // Over time.
    include_str!("script/axis.js"),
    include_str!("script/tooltip.js"),
    include_str!("script/ruler.js"),
    include_str!("script/overview.js"),
    include_str!("script/points.js"),
    include_str!("script/curves.js"),
    include_str!("script/lanes.js"),
    include_str!("script/gestures.js"),
    include_str!("script/time.js"),
    // What it was.
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
