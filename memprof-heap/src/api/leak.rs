//! Memory that grows: in a running program, and over the rounds of a test.
//!
//! | question | item |
//! |---|---|
//! | Does a repeated piece of work keep memory? | [`assert_no_leak!`](crate::assert_no_leak), [`check_no_leak`] |
//! | What did such a test find? | [`NoLeak`], [`LeakError`], [`LeakByRound`], [`LeakSite`], [`PastLimit`] |
//! | Which call sites grow while the program runs? | [`LeakWatch`], [`Leaks`], [`Leak`] |
//! | How fast, and with which confidence? | [`Growth`] |
//! | How old are the live blocks? | [`Ages`] |

pub use crate::results::leaks::{Ages, Growth, Leak, LeakWatch, Leaks};
pub use crate::results::no_leak::{
    LeakByRound, LeakError, LeakSite, NoLeak, PastLimit, check_no_leak, check_no_leak_within,
};
