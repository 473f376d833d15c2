//! A program without memprof's allocator.

mod counts_nothing;
mod layers;
