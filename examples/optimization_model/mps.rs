//! Reads a model in free or fixed MPS format, which every solver reads.

mod draft;
mod entry;
mod error;
mod layout;
mod limits;
mod lines;
#[cfg(test)]
mod tests;

use crate::model::Model;
use draft::{Draft, Products, Row};
use error::Problem;
pub(crate) use error::ReadError;
use layout::Layout;
use lines::Lines;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Reads the model in a file, which may be compressed with gzip.
///
/// # Errors
/// Returns an error with the file, the line, what was expected there and what was found.
pub(crate) fn read(path: &Path) -> Result<Model, ReadError> {
    match File::open(path) {
        Ok(file) => read_from(path, BufReader::new(file)),
        Err(cause) => Err(ReadError::new(path, None, Problem::Unreadable(cause))),
    }
}

fn read_from(path: &Path, input: impl BufRead + 'static) -> Result<Model, ReadError> {
    let mut lines = Lines::new(input).map_err(|problem| ReadError::new(path, None, problem))?;
    parse(&mut lines).map_err(|problem| ReadError::new(path, lines.number(), problem))
}

fn parse(lines: &mut Lines) -> Result<Model, Problem> {
    let mut draft = Draft::default();
    let mut layout = Layout::default();
    let mut section = Section::Head;
    while let Some(line) = lines.next_line()? {
        if line.is_empty() || line.starts_with('*') {
            continue;
        }
        if line.starts_with(char::is_whitespace) {
            section.read(line, &mut layout, &mut draft)?;
            continue;
        }
        section = Section::open(line, &mut draft)?;
        if section == Section::End {
            return Ok(draft.finish());
        }
    }
    Err(if lines.number().is_some() { Problem::NoEnd } else { Problem::Empty })
}

/// The part of the file that a line belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    /// The lines before the first section that has lines of its own.
    Head,
    Goal,
    Rows,
    Columns,
    RightHandSides,
    Ranges,
    Bounds,
    Products(Row, Products),
    End,
}

impl Section {
    /// Enters the section that a line without leading space announces.
    fn open(line: &str, draft: &mut Draft) -> Result<Self, Problem> {
        let mut words = line.split_whitespace();
        let keyword = words.next().unwrap_or_default();
        let argument = words.next();
        Ok(match keyword {
            "NAME" => {
                draft.set_name(argument.unwrap_or_default());
                Self::Head
            }
            "OBJSENSE" => {
                if let Some(goal) = argument {
                    draft.set_goal(entry::goal(&[goal])?);
                }
                Self::Goal
            }
            "ROWS" => Self::Rows,
            "COLUMNS" => Self::Columns,
            "RHS" => Self::RightHandSides,
            "RANGES" => Self::Ranges,
            "BOUNDS" => Self::Bounds,
            "QUADOBJ" => Self::Products(Row::Objective, Products::HalfTriangle),
            "QMATRIX" => Self::Products(Row::Objective, Products::Half),
            "QSECTION" => {
                Self::Products(draft.row(argument.unwrap_or_default())?, Products::HalfTriangle)
            }
            "QCMATRIX" => Self::Products(draft.row(argument.unwrap_or_default())?, Products::Whole),
            "ENDATA" => Self::End,
            // Some solvers add sections, for example for sets, cones and conditional rows.
            "SOS" | "SOS1" | "SOS2" | "SETS" | "CSECTION" | "CONES" | "INDICATORS" | "GENCONS"
            | "PWLOBJ" | "PWLNAM" | "PWLCON" | "LAZYCONS" | "USERCUTS" | "MODELCUTS"
            | "DELAYEDROWS" => return Err(Problem::UnsupportedSection(keyword.to_owned())),
            _ => return Err(Problem::UnknownSection(keyword.to_owned())),
        })
    }

    /// Reads a line of the section.
    fn read(self, line: &str, layout: &mut Layout, draft: &mut Draft) -> Result<(), Problem> {
        match self {
            Self::Head | Self::End => Err(Problem::UnknownSection(line.to_owned())),
            Self::Goal => layout.read(line, entry::goal).map(|goal| draft.set_goal(goal)),
            Self::Rows => draft.add_row(layout.read(line, entry::row)?),
            Self::Columns => draft.add_column_entry(layout.read(line, entry::column)?),
            Self::RightHandSides => {
                draft.add_right_hand_sides(layout.read(line, entry::row_values)?)
            }
            Self::Ranges => draft.add_ranges(layout.read(line, entry::row_values)?),
            Self::Bounds => draft.add_bound(layout.read(line, entry::bound)?),
            Self::Products(row, products) => {
                draft.add_product(row, products, layout.read(line, entry::product)?)
            }
        }
    }
}
