//! Text as people read it: safe names, amounts, shares, moments, tables, and widths in a terminal.
//!
//! Every crate of memprof that prints uses this module.

mod causes;
mod escape;
mod markdown;
mod moment;
mod plural;
mod signed;
mod styled;
mod table;
mod units;
mod width;

pub use causes::WithCauses;
pub use escape::{Frame, Shown, is_hostile};
pub use markdown::{Code, fenced, head, row};
pub use moment::{rfc3339, span, utc};
pub use plural::counted;
pub use signed::{Growth, Signed, change, signed};
pub use styled::{Style, StyledText};
pub use table::{Table, filled};
pub use units::{Amount, Grouped, Percent, Units};
pub use width::{columns, cut, shortened};
