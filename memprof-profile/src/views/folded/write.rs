//! The writer of folded stacks.

use crate::text::Frame;
use crate::tree::Branch;
use crate::views::listed_leaves;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes a line for each branch with own bytes.
pub(crate) fn plain(root: Branch<'_>, out: &mut impl Write) -> io::Result<()> {
    branch(root, &mut String::new(), out, &|line, stack, out| match line.own_bytes() {
        0 => Ok(()),
        own => writeln!(out, "{stack} {own}"),
    })
}

/// Writes a line for each leaf.
pub(crate) fn detailed(root: Branch<'_>, out: &mut impl Write) -> io::Result<()> {
    branch(root, &mut String::new(), out, &|line, stack, out| {
        let mut leaves = listed_leaves(line).into_iter();
        leaves
            .try_for_each(|leaf| writeln!(out, "{stack};{} {}", leaf.kind().as_str(), leaf.bytes()))
    })
}

/// Writes a branch and its children. `stack` is the path above the branch, so that each name is
/// escaped once and not once for each line.
fn branch<W: Write>(
    line: Branch<'_>,
    stack: &mut String,
    out: &mut W,
    own: &impl Fn(Branch<'_>, &str, &mut W) -> io::Result<()>,
) -> io::Result<()> {
    let outer = stack.len();
    if outer > 0 {
        stack.push(';');
    }
    let _ = write!(stack, "{}", Frame(line.name()));
    own(line, stack, out)?;
    for child in line.children() {
        branch(child, stack, out, own)?;
    }
    stack.truncate(outer);
    Ok(())
}
