//! The CPU time of each allocator's program, relative to another program in the same round.

pub mod frame_pointers;
pub mod plan;
pub mod programs;
pub mod rounds;
pub mod sides;
