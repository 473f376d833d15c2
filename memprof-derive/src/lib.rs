//! `#[derive(MemoryProfile)]`, an implementation detail of the crate `memprof`.
