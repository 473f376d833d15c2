//! Text as people read it: safe names, amounts, shares, moments, tables, widths in a terminal, and
//! the names and origins of code.
//!
//! Every crate of memprof that prints uses this module.

mod allocation_hook;
mod causes;
mod code_origin;
mod code_place;
mod escape;
mod function_name;
mod key_frames;
mod markdown;
mod moment;
mod plural;
mod signed;
mod source_file;
mod styled;
mod table;
mod units;
mod width;

pub use allocation_hook::{allocation_hook_pattern, is_allocation_hook};
pub use causes::WithCauses;
pub use code_origin::{CUT_ADDRESS, CUT_FRAMES, CodeOrigin};
pub use code_place::CodePlace;
pub use escape::{Frame, Shown, is_hostile};
pub use function_name::{macro_call, short_function};
pub use key_frames::{KeyFrames, key_line, write_called};
pub use markdown::{Code, fenced, head, row};
pub use moment::{lived, rfc3339, span, utc};
pub use plural::counted;
pub use signed::{Growth, Signed, change, signed};
pub use source_file::{current_folder, short_file, without_version};
pub use styled::{Style, StyledText};
pub use table::{Table, filled};
pub use units::{Amount, Grouped, Percent, Units, percent};
pub use width::{columns, cut, shortened};
