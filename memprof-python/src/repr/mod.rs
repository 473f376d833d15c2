//! A profile as HTML for a notebook: a tree that opens and closes, and a drawing, without scripts.
//!
//! Notebooks remove scripts, inline SVG and most attributes from untrusted output. So the tree is
//! made of `<details>`, and the drawing is an image whose bytes are in the page. An image never runs
//! scripts. Nothing has an `id`, so outputs of several cells do not collide.

mod drawing;
mod selection;
mod tree;

use memprof_profile::Profile;
use memprof_profile::text::Shown;
use selection::Selection;

/// The maximum number of columns of a name.
const NAME_COLUMNS: usize = 80;

/// Returns the HTML of a profile.
pub(crate) fn html(profile: &Profile) -> String {
    let selection = Selection::of(profile);
    let mut html = String::from("<div style=\"font-family:monospace;font-size:13px\">");
    drawing::write(&mut html, &selection);
    tree::write(&mut html, profile, &selection);
    html.push_str("</div>");
    html
}

/// Returns a name, shortened and with its hostile characters escaped.
fn shown(name: &str) -> String {
    memprof_profile::text::shortened(&Shown(name).to_string(), NAME_COLUMNS)
}

/// Returns text whose markup is escaped.
pub(crate) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            _ => escaped.push(character),
        }
    }
    escaped
}

#[cfg(test)]
mod tests;
