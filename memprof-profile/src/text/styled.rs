//! Text with styles, which a terminal shows as colours.

use core::fmt;

/// The style of a part of a text. A style only repeats what the text states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Style {
    /// Without a style.
    Plain,
    /// Less important than the rest, such as the lines before the names of a tree.
    Faint,
    /// Good: exact figures, memory that shrank.
    Good,
    /// To be read: figures that are not exact, a warning.
    Warning,
    /// Bad: memory that grew, a critical problem.
    Bad,
}

/// Text that consists of parts with styles; `{}` writes it without the styles.
///
/// ```
/// use memprof_profile::Profile;
/// use memprof_profile::text::Style;
///
/// let profile = Profile::named("names", &vec![String::from("alpha")]);
/// let text = profile.tree().styled();
/// assert_eq!(text.to_string(), profile.to_string());
/// assert_eq!(text.parts().last(), Some((Style::Good, "exact · 2 allocations")));
/// ```
#[derive(Clone, Debug, Default)]
pub struct StyledText {
    text: String,
    /// The style of each part, and the position at which the part ends.
    ends: Vec<(Style, usize)>,
}

impl StyledText {
    /// Adds text of a style.
    pub fn push(&mut self, style: Style, text: &str) {
        if text.is_empty() {
            return;
        }
        self.text.push_str(text);
        let end = self.text.len();
        match self.ends.last_mut() {
            Some(last) if last.0 == style => last.1 = end,
            _ => self.ends.push((style, end)),
        }
    }

    /// Returns the parts in order. Neighbours differ in style.
    pub fn parts(&self) -> impl Iterator<Item = (Style, &str)> {
        let mut start = 0;
        self.ends.iter().map(move |&(style, end)| {
            let part = &self.text[start..end];
            start = end;
            (style, part)
        })
    }
}

impl fmt::Display for StyledText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::{Style, StyledText};

    #[test]
    fn neighbours_of_one_style_are_one_part() {
        let mut text = StyledText::default();
        for (style, part) in [
            (Style::Plain, "a"),
            (Style::Plain, "b "),
            (Style::Faint, ""),
            (Style::Bad, "é\n"),
            (Style::Plain, "c"),
        ] {
            text.push(style, part);
        }
        let parts: Vec<_> = text.parts().collect();
        assert_eq!(parts, [(Style::Plain, "ab "), (Style::Bad, "é\n"), (Style::Plain, "c")]);
        assert_eq!(text.to_string(), "ab é\nc");
    }
}
