//! The tables of samples.

mod call_sites;
mod live;

mod stack {
    //! Shorter stacks than the library's, because each frame is an atomic that loom tracks.

    pub(crate) const MOST_FRAMES: usize = 2;
}
