//! Human-readable text: safe names, amounts, shares, times, tables, widths in a terminal, and the
//! names and origins of code.
//!
//! Every crate of memprof that prints uses this module.

mod allocated_type;
mod amounts;
mod call_stack;
mod names;
mod table;

pub use allocated_type::{NamedFrame, allocated_type};
pub use amounts::{
    Amount, Grouped, Growth, Percent, Signed, Units, change, counted, lived, percent, rfc3339,
    signed, span, utc,
};
pub use call_stack::{
    CUT_ADDRESS, CUT_FRAMES, CodeOrigin, CodePlace, DIFFERENT_CALLERS, KeyFrames,
    allocation_hook_pattern, current_folder, is_allocation_hook, key_line, macro_call, short_file,
    short_function, without_version, write_called,
};
pub use memprof_core::tree::{Frame, is_hostile};
pub(crate) use names::debug_as_text;
pub use names::{Code, Shown, WithCauses, fenced, head, row};
pub(crate) use table::joined_lines;
pub use table::{Style, StyledText, Table, columns, cut, filled, shortened};
