//! A profile as Markdown, for pull requests.

use crate::Profile;
use crate::text::Units;
use crate::text::{Code, fenced};
use crate::views::footer::footer;

/// The number of rows of the table. The collapsed tree comes below the table.
const LARGEST: usize = 10;

/// # Markdown
impl Profile {
    /// Returns the profile as Markdown: the total, the ten largest paths, whether the bytes are
    /// exact, and the collapsed tree.
    ///
    /// ```
    /// use memprof::Profile;
    ///
    /// let profile = Profile::named("pair", &(vec![0_u8; 1000], [0_u8; 8]));
    /// let markdown = profile.to_markdown();
    /// assert!(markdown.starts_with("**1.0 KiB** in `pair`\n"));
    /// assert!(markdown.contains("| 1.0 KiB | 99.2 % | `pair;0` |\n"));
    /// ```
    pub fn to_markdown(&self) -> String {
        let total = Units::Iec.show(self.total_bytes());
        let root = Code(crate::text::Shown(self.root().name()));
        let (table, tree) = (self.top(LARGEST).to_markdown(), fenced(&self.to_string()));
        let footer = footer(self, Units::Iec).join(" · ");
        format!(
            "**{total}** in {root}\n\n{table}\n{footer}\n\n\
             <details><summary>tree</summary>\n\n{tree}\n</details>\n"
        )
    }
}
