//! Splits a line into fields: at white space, or at the columns of the fixed format.

use super::error::Problem;

/// The way in which lines are split into fields.
///
/// Free format is the default. Fixed format differs only if a name contains a space, because such a
/// line cannot be parsed word by word. After such a line, the reader tries columns first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Layout {
    #[default]
    Free,
    Fixed,
}

/// The six fields of the fixed format, by columns counted from 0. The columns between are blank.
const FIELDS: [(usize, usize); 6] = [(1, 3), (4, 12), (14, 22), (24, 36), (39, 47), (49, 61)];

impl Layout {
    /// Parses a line with `parse`, split in the first way that `parse` accepts.
    ///
    /// # Errors
    /// If `parse` accepts no way, returns its error for the line split at white space.
    pub(crate) fn read<'l, T>(
        &mut self,
        line: &'l str,
        parse: impl Fn(&[&'l str]) -> Result<T, Problem>,
    ) -> Result<T, Problem> {
        if *self == Self::Fixed
            && let Ok(entry) = parse(&columns(line))
        {
            return Ok(entry);
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        parse(&words).or_else(|problem| {
            if let Some(entry) = before_comment(&words, &parse) {
                return Ok(entry);
            }
            let entry = parse(&columns(line)).map_err(|_| problem)?;
            *self = Self::Fixed;
            Ok(entry)
        })
    }
}

/// Parses only the words before a word that looks like the start of a comment. A name may look the
/// same, so the last such word is tried first.
fn before_comment<'l, T>(
    words: &[&'l str],
    parse: impl Fn(&[&'l str]) -> Result<T, Problem>,
) -> Option<T> {
    let ends = (0..words.len()).rev().filter(|&end| words[end].starts_with(['$', '*']));
    ends.map(|end| parse(&words[..end])).find_map(Result::ok)
}

/// Returns the fields that are not blank, or no field if the line does not fit the columns.
fn columns(line: &str) -> Vec<&str> {
    let length = line.len();
    let cut = |from: usize, to: usize| line.get(from.min(length)..to.min(length)).map(str::trim);
    let mut fields = Vec::with_capacity(FIELDS.len());
    let mut end = 0;
    for (from, to) in FIELDS {
        match (cut(end, from), cut(from, to)) {
            (Some(""), Some("")) => {}
            (Some(""), Some(field)) => fields.push(field),
            _ => return Vec::new(),
        }
        end = to;
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(fields: &[&str]) -> Result<(String, String, f64), Problem> {
        let wrong = || Problem::WrongFields { expected: "a, b, number", found: fields.join("|") };
        let [a, b, number] = fields else { return Err(wrong()) };
        Ok((a.to_string(), b.to_string(), number.parse().map_err(|_| wrong())?))
    }

    #[test]
    fn a_line_is_split_by_the_first_layout_that_fits() {
        let cases = [
            ("words", " a b 1", "a", "b", Layout::Free),
            ("tabs", "\ta\tb\t1", "a", "b", Layout::Free),
            (
                "words in the columns",
                "    a         b                    1",
                "a",
                "b",
                Layout::Free,
            ),
            ("a comment", " a b 1 $ so many words", "a", "b", Layout::Free),
            ("a name like a comment", " a *b* 1", "a", "*b*", Layout::Free),
            (
                "a space in a name",
                "    a 1       b                    1",
                "a 1",
                "b",
                Layout::Fixed,
            ),
            ("two of them", "    a 1       b 2                  1", "a 1", "b 2", Layout::Fixed),
        ];
        for (what, line, a, b, expected) in cases {
            let mut layout = Layout::default();
            let fields = layout.read(line, number).expect(what);
            assert_eq!((fields, layout), ((a.into(), b.into(), 1.0), expected), "{what}");
        }
    }

    #[test]
    fn an_invalid_line_is_reported_word_by_word() {
        let problem = Layout::Fixed.read("   a b        c                    1", number);
        assert_eq!(problem.unwrap_err().to_string(), r#"expected a, b, number, found "a|b|c|1""#,);
    }
}
