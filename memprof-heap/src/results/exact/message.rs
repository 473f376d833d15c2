//! The message of a failed `assert_exact!`. It fits on a screen of 24 lines and 100 columns.

use crate::results::exact::Balance;
use crate::results::exact::ExactError;
use core::fmt;
use memprof_profile::Profile;
use memprof_profile::text::{self, columns, cut};
use memprof_profile::views::Units;
use std::error::Error;

/// The maximum number of lines of the tree. The rest of the message fills the other lines of a
/// screen.
const TREE_LINES: usize = 10;

/// The maximum number of columns of the tree.
const TREE_WIDTH: usize = 80;

/// The maximum number of characters of a type's name.
const LONGEST: usize = 80;

impl fmt::Display for ExactError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotInstalled(error) => error.fmt(out),
            Self::Reference(type_name) => write!(
                out,
                "`{}` is a reference and owns nothing; \
                 pass the value itself, for example `value.clone()`",
                shortened(type_name)
            ),
            Self::NotExact(balance) => {
                writeln!(out, "the profile is not exact; its last line states the reason")?;
                balance.sides(out)?;
                write!(out, "\n{}", short_tree(&balance.profile))
            }
            Self::Unbalanced(balance) => {
                writeln!(out, "the profile and the allocator disagree")?;
                balance.sides(out)?;
                write!(out, "\n{}\n\n", short_tree(&balance.profile))?;
                balance.causes(out)
            }
        }
    }
}

/// Prints the same text as `Display`, which fits on a screen and is more useful than all fields.
impl fmt::Debug for ExactError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for ExactError {}

impl Balance {
    /// Writes both sides and their difference, in plain bytes.
    fn sides(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let profile = bytes(self.profile.total_bytes());
        let allocator = signed(self.allocator_bytes());
        let difference = signed(self.difference());
        let width = columns(&profile).max(columns(&allocator)).max(columns(&difference));
        let measured = self.measured;
        let own = bytes(self.value_bytes);
        let allocated = bytes(measured.allocated_bytes);
        let freed = bytes(measured.freed_bytes);
        let (new, gone) = (measured.allocated_blocks, measured.freed_blocks);
        writeln!(out, "type        {}", shortened(self.type_name))?;
        writeln!(out, "profile     {profile:>width$}")?;
        writeln!(
            out,
            "allocator   {allocator:>width$} = {own} of the value itself \
             + {allocated} allocated ({new}) - {freed} freed ({gone})"
        )?;
        writeln!(out, "difference  {difference:>width$}")
    }

    /// Writes the usual reasons for a difference of this sign.
    fn causes(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let difference = bytes(self.difference().unsigned_abs());
        if self.difference() < 0 {
            return write!(
                out,
                "{difference} are not in the profile. Usual reasons:\n\
                 - a hand-written impl leaves out a field, or uses a length instead of a capacity\n\
                 - the expression also allocates for something else: a cache, a static, a first use"
            );
        }
        write!(out, "{difference} were not allocated by the expression. Usual reasons:")?;
        match self.profile.shared().externally_held_bytes {
            0 => {}
            held => {
                let held = bytes(held);
                write!(
                    out,
                    "\n- shared memory was allocated before it: {held} are externally held"
                )?;
            }
        }
        if self.measured.freed_bytes > 0 {
            write!(out, "\n- it freed memory allocated before it")?;
        }
        out.write_str(match self.measured.allocated_blocks {
            0 => "\n- the value existed before: pass `value.clone()` instead",
            _ => "\n- the value contains memory allocated earlier, or on another thread",
        })?;
        out.write_str("\n- a hand-written impl counts something twice, or uses a wrong capacity")
    }
}

/// Draws as much of the tree as fits, and prefers depth to width.
fn short_tree(profile: &Profile) -> String {
    let drawn = |depth| profile.tree().width(TREE_WIDTH).units(Units::Bytes).widest(5).depth(depth);
    let fits = |text: &String| text.lines().count() <= TREE_LINES;
    let trees = (1..=8).rev().map(|depth| drawn(depth).to_string());
    trees.into_iter().find(fits).unwrap_or_else(|| drawn(0).to_string())
}

/// Puts the text on one line and cuts it to `LONGEST` columns.
fn shortened(text: &str) -> String {
    cut(&text.split_whitespace().collect::<Vec<_>>().join(" "), LONGEST)
}

fn bytes(bytes: u64) -> String {
    Units::Bytes.show(bytes).to_string()
}

fn signed(amount: i64) -> String {
    text::signed(amount.into(), Units::Bytes)
}
