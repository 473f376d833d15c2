//! What a wrapper costs, by clocks that do as they are told.

#![cfg(feature = "overhead")]
#![expect(clippy::cast_precision_loss, reason = "sizes are small")]
#![expect(
    clippy::float_cmp,
    reason = "the clocks' times are whole numbers, and so are the results"
)]

mod clock;
mod fits;
mod hostile;
mod phases;
mod reports;
mod verdicts;
