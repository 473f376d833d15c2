//! The tables of samples.

mod call_sites;
mod live;

mod stack {
    //! The stacks are shorter than the library's, because loom tracks each frame as an atomic.

    pub(crate) const MAX_FRAMES: usize = 2;
}
