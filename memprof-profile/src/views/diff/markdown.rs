//! The Markdown form of a comparison, for pull requests.

use crate::text::{self, Code, head};
use crate::views::diff::Diff;
use crate::views::diff::text::Row;
use core::fmt::Write;

/// The maximum number of rows in the collapsed part. GitHub rejects comments above 65 536
/// characters.
const FOLDED: usize = 200;

impl Diff<'_> {
    /// Returns the comparison as Markdown: a table of the paths that [`widest`](Self::widest)
    /// allows, and a collapsed table of at most 200 more.
    ///
    /// Names are written as code, so nothing in them acts as markup, a link or a mention.
    pub fn to_markdown(&self) -> String {
        let mut text = String::new();
        if let Some(total) = self.total().filter(|_| !self.is_empty()) {
            let Row { change, before, after, growth, .. } = total;
            let growth = if growth.is_empty() { growth } else { format!(" ({growth})") };
            put(&mut text, format_args!("**{change}**{growth}: {before} → {after}\n\n"));
        }
        let shown = self.shown();
        let mut rows = self.rows(shown.saturating_add(FOLDED));
        let folded = rows.split_off(shown);
        if !rows.is_empty() {
            table(&mut text, &rows, None);
            text.push('\n');
        }
        if let Some(more) = self.more(rows.len()) {
            let Row { change, name, .. } = more;
            put(&mut text, format_args!("<details><summary>{name} ({change})</summary>\n\n"));
            table(&mut text, &folded, self.more(rows.len() + folded.len()).as_ref());
            text.push_str("\n</details>\n\n");
        }
        let footer = self.footer();
        put(&mut text, format_args!("{}\n", footer.join(" · ")));
        text
    }
}

fn table(text: &mut String, rows: &[Row], more: Option<&Row>) {
    text.push_str(&head(&["change", "before", "after", "growth", "path"]));
    let named = rows.iter().map(|row| (row, Code(&row.name).to_string()));
    let more = more.map(|row| (row, row.name.clone()));
    for (Row { change, before, after, growth, .. }, name) in named.chain(more) {
        text.push_str(&text::row(&[change, before, after, growth, &name]));
    }
}

fn put(text: &mut String, arguments: core::fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string does not fail");
}
