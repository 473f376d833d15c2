//! A tree whose lines have columns: names to the left, figures to the right, a note at the end.

/// One line: its level in the tree, its name, its figures, and what is to be said of them.
#[derive(Clone, Debug)]
pub(super) struct Line<const N: usize> {
    pub(super) level: usize,
    pub(super) name: String,
    pub(super) figures: [String; N],
    pub(super) note: String,
}

/// Aligns the lines below each other, each column as wide as its widest cell.
pub(super) fn drawn<const N: usize>(lines: &[Line<N>]) -> String {
    let names: Vec<String> = (0..lines.len()).map(|index| with_branches(lines, index)).collect();
    let width = |cells: &mut dyn Iterator<Item = usize>| cells.max().unwrap_or_default();
    let name_width = width(&mut names.iter().map(|name| name.chars().count()));
    let widths: [usize; N] = std::array::from_fn(|column| {
        width(&mut lines.iter().map(|line| line.figures[column].chars().count()))
    });
    let row = |(name, line): (&String, &Line<N>)| {
        let figures = line.figures.iter().zip(widths);
        let figures: Vec<String> = figures.map(|(cell, width)| format!("{cell:>width$}")).collect();
        let row = format!("{name:<name_width$}  {}  {}", figures.join("  "), line.note);
        row.trim_end().to_owned()
    };
    names.iter().zip(lines).map(row).collect::<Vec<_>>().join("\n")
}

/// The name, after the lines of the tree that lead to it: one level.
fn with_branches<const N: usize>(lines: &[Line<N>], index: usize) -> String {
    let line = &lines[index];
    if line.level == 0 {
        return line.name.clone();
    }
    let goes_on = lines.get(index + 1).is_some_and(|next| next.level > 0);
    format!("{}{}", if goes_on { "├─ " } else { "└─ " }, line.name)
}

#[cfg(test)]
mod tests {
    use super::{Line, drawn};

    #[test]
    fn figures_stand_below_each_other_and_the_last_branch_ends() {
        let line = |level, name: &str, figure: &str, note: &str| Line {
            level,
            name: name.to_owned(),
            figures: [figure.to_owned()],
            note: note.to_owned(),
        };
        let lines = [
            line(0, "weights", "10 B", ""),
            line(1, "head", "2 B", "tied"),
            line(1, "MLP", "8 B", ""),
            line(0, "cache", "128 B", ""),
        ];
        let expected = "weights   10 B\n├─ head    2 B  tied\n└─ MLP     8 B\ncache    128 B";
        assert_eq!(drawn(&lines), expected);
    }
}
