//! Call sites, from samples: which functions allocated, and what is live.
//!
//! | question | item |
//! |---|---|
//! | Which call sites hold the live memory? | [`sites()`](crate::sites()), [`Sites`], [`Site`] |
//! | Through which callers? | [`SampledStack`], [`Frame`] |
//! | How are frames named, in this process or in another? | [`Names`], [`modules`], [`Module`] |
//! | How large is the error of an amount? | [`Estimate`] |
//! | Which individual blocks are the largest? | [`largest()`](crate::largest()), [`LargestBlocks`],
//! [`LiveBlock`] |
//! | Which blocks belong to an address or an operation? | [`live_samples`], [`LiveSamples`], [`LiveSample`], [`OperationLive`] |
//! | Which stack allocated a sample? | [`StackId`] |

pub use crate::base::modules::Module;
pub use crate::results::frame::Frame;
pub use crate::results::largest::{LargestBlocks, LiveBlock, largest_with};
pub use crate::results::live_samples::{LiveSample, LiveSamples, OperationLive, live_samples};
pub use crate::results::modules::modules;
pub use crate::results::names::Names;
pub use crate::results::sites::{SampledStack, Site, Sites};
pub use crate::results::stack_id::StackId;
pub use crate::sampling::Estimate;
