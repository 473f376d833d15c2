//! The columns that a text takes in a terminal, and texts shortened to a width.
//!
//! The count is an approximation: one column per character, none for combining marks, two for the
//! blocks of East Asian scripts and emoji. The parts of a joined emoji sequence are counted
//! separately, so the count for the sequence is too high.

/// The ranges of characters that combine with the one before them.
const NARROW: [(u32, u32); 11] = [
    (0x0300, 0x036f),
    (0x0483, 0x0489),
    (0x0591, 0x05bd),
    (0x064b, 0x065f),
    (0x1ab0, 0x1aff),
    (0x1dc0, 0x1dff),
    (0x200c, 0x200d),
    (0x20d0, 0x20ff),
    (0xfe00, 0xfe0f),
    (0xfe20, 0xfe2f),
    (0xe0100, 0xe01ef),
];

/// The ranges of characters that take two columns.
const WIDE: [(u32, u32); 15] = [
    (0x1100, 0x115f),
    (0x231a, 0x231b),
    (0x23e9, 0x23ec),
    (0x2e80, 0x303e),
    (0x3041, 0x33ff),
    (0x3400, 0x4dbf),
    (0x4e00, 0xa4cf),
    (0xac00, 0xd7a3),
    (0xf900, 0xfaff),
    (0xfe30, 0xfe6f),
    (0xff00, 0xff60),
    (0xffe0, 0xffe6),
    (0x1f300, 0x1f64f),
    (0x1f680, 0x1faff),
    (0x20000, 0x3fffd),
];

/// Returns the columns that `text` takes.
pub fn columns(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

fn columns_of(char: char) -> usize {
    let within = |ranges: &[(u32, u32)]| {
        ranges.iter().any(|&(first, last)| (first..=last).contains(&u32::from(char)))
    };
    match char {
        ' '..='~' => 1,
        _ if within(&NARROW) => 0,
        _ if within(&WIDE) => 2,
        _ => 1,
    }
}

/// Returns `text` in at most `limit` columns; the middle of a longer text becomes `…`.
pub fn shortened(text: &str, limit: usize) -> String {
    if columns(text) <= limit {
        return text.to_owned();
    }
    let available = limit.saturating_sub(1);
    let head = fitting(text.chars(), available.div_ceil(2));
    let tail = fitting(text.chars().rev(), available / 2);
    let head: String = text.chars().take(head).collect();
    let tail: String = text.chars().skip(text.chars().count() - tail).collect();
    format!("{head}…{tail}")
}

/// Returns `text` in at most `limit` columns; the end of a longer text becomes `…`. Returns an
/// empty text if `limit` is 0.
pub fn cut(text: &str, limit: usize) -> String {
    if limit == 0 {
        return String::new();
    }
    if columns(text) <= limit {
        return text.to_owned();
    }
    let kept = fitting(text.chars(), limit.saturating_sub(1));
    let kept: String = text.chars().take(kept).collect();
    format!("{}…", kept.trim_end())
}

/// Returns the number of characters that fit into `available` columns.
fn fitting(chars: impl Iterator<Item = char>, available: usize) -> usize {
    let mut used = 0;
    chars
        .take_while(|&char| {
            used += columns_of(char);
            used <= available
        })
        .count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_and_combining_characters_are_counted() {
        let cases = [
            ("", 0),
            ("values", 6),
            ("名前", 4),
            ("e\u{301}", 1),
            ("🚀", 2),
            ("─", 1),
            ("한글", 4),
        ];
        for (text, expected) in cases {
            assert_eq!(columns(text), expected, "{text}");
        }
    }

    #[test]
    fn long_texts_lose_their_middle_or_their_end() {
        let cases = [
            ("values", 6, "values", "values"),
            ("a_long_name_of_a_field", 11, "a_lon…field", "a_long_nam…"),
            ("名前名前名前", 8, "名前…前", "名前名…"),
            ("abc", 1, "…", "…"),
            ("abc", 0, "…", ""),
        ];
        for (text, limit, middle, end) in cases {
            assert_eq!(shortened(text, limit), middle, "{text} in {limit}");
            assert_eq!(cut(text, limit), end, "{text} in {limit}");
        }
    }
}
