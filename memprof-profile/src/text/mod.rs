//! Text as people read it: names made safe to show, amounts, shares, columns of a terminal.
//!
//! Every crate of memprof that prints uses these.

mod escape;
mod markdown;
mod plural;
mod signed;
mod units;
mod width;

pub use escape::{Frame, Shown, is_hostile};
pub use markdown::{Code, fenced, head, row};
pub use plural::counted;
pub use signed::{Growth, Signed};
pub use units::{Amount, Grouped, Percent, Units};
pub use width::{columns, cut, shortened};
