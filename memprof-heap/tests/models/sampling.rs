//! The tables of samples.

mod call_sites;
mod live;

mod stack {
    //! Shorter stacks than the library's: each frame is an atomic that loom follows.

    pub(crate) const MOST_FRAMES: usize = 2;
}
