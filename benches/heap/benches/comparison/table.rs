//! The one table of ratios, as Markdown with aligned columns.

use std::fmt;

/// The table, in groups of rows.
#[derive(Debug)]
pub(crate) struct Table<'g> {
    pub(crate) groups: Vec<&'g Group>,
}

/// Rows that compare the same thing.
#[derive(Debug)]
pub(crate) struct Group {
    /// The comparison in words, such as `the walk over a hand-written sum`.
    pub(crate) title: &'static str,
    pub(crate) rows: Vec<Row>,
}

/// A row of the table.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) size: String,
    /// The ratios, or the reason why they were not measured.
    pub(crate) outcome: Result<Ratios, String>,
}

/// The ratios of a row to its reference.
#[derive(Debug, Default)]
pub(crate) struct Ratios {
    /// The time of the reference.
    pub(crate) reference: String,
    pub(crate) memprof: Vec<Ratio>,
    pub(crate) peers: Vec<Ratio>,
    /// The exact sides that are faster than memprof, or an empty text.
    pub(crate) slower_than: String,
    /// The row's bar, or an empty text.
    pub(crate) bar: String,
}

/// A ratio with its name.
#[derive(Debug)]
pub(crate) struct Ratio {
    pub(crate) name: String,
    /// The ratio, or a time if a ratio would have no meaning.
    pub(crate) figure: String,
}

impl Ratio {
    pub(crate) fn new(name: impl Into<String>, figure: impl Into<String>) -> Self {
        Self { name: name.into(), figure: figure.into() }
    }
}

const HEADER: [&str; 7] = ["", "size", "reference", "memprof", "peers", "slower than", "bar"];

impl fmt::Display for Table<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = vec![HEADER.map(str::to_owned)];
        for group in &self.groups {
            let mut title = HEADER.map(|_| String::new());
            title[0] = format!("**{}**", group.title);
            lines.push(title);
            lines.extend(group.rows.iter().map(Row::cells));
        }
        let widths = std::array::from_fn(|column| {
            lines.iter().map(|cells| cells[column].chars().count()).max().unwrap_or(0)
        });
        for (index, cells) in lines.iter().enumerate() {
            line(out, cells, &widths)?;
            if index == 0 {
                let rules = widths.map(|width| "-".repeat(width.max(3)));
                line(out, &rules, &widths)?;
            }
        }
        Ok(())
    }
}

impl Row {
    fn cells(&self) -> [String; HEADER.len()] {
        let (name, size) = (self.name.clone(), self.size.clone());
        match &self.outcome {
            Ok(ratios) => [
                name,
                size,
                ratios.reference.clone(),
                list(&ratios.memprof),
                list(&ratios.peers),
                ratios.slower_than.clone(),
                ratios.bar.clone(),
            ],
            Err(reason) => {
                let skipped = format!("skipped: {reason}");
                let [none, peers, slower_than, bar] = [const { String::new() }; 4];
                [name, size, none, skipped, peers, slower_than, bar]
            }
        }
    }
}

fn list(ratios: &[Ratio]) -> String {
    let ratios: Vec<_> =
        ratios.iter().map(|ratio| format!("{} {}", ratio.name, ratio.figure)).collect();
    ratios.join(", ").trim_start().to_owned()
}

fn line(
    out: &mut fmt::Formatter<'_>,
    cells: &[String; HEADER.len()],
    widths: &[usize; HEADER.len()],
) -> fmt::Result {
    write!(out, "|")?;
    for (cell, width) in cells.iter().zip(widths) {
        write!(out, " {cell:width$} |")?;
    }
    writeln!(out)
}

/// Formats a ratio with two digits, or as a whole number if it is large.
pub(crate) fn ratio(ratio: f64) -> String {
    if ratio < 10.0 { format!("{ratio:.2}") } else { format!("{ratio:.0}") }
}

/// Formats a time.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        ..1e-6 => format!("{:.0} ns", seconds * 1e9),
        ..1e-3 => format!("{:.1} µs", seconds * 1e6),
        ..1.0 => format!("{:.1} ms", seconds * 1e3),
        _ => format!("{seconds:.1} s"),
    }
}
