//! A million small values that are measured one at a time.

use crate::{Bar, Large, Subject, Workload, peers, xorshift::Xorshift};
use allocative::Allocative;
use datasize::DataSize;
use deepsize::DeepSizeOf;
use get_size2::GetSize;
use mem_dbg::MemSize;
use memprof::MemoryProfile;

/// `Vec<Message>`, with a call for each message. The fixed cost of a call dominates.
pub const WORKLOAD: Workload = Workload {
    name: "small values, one at a time",
    bar: Bar::ExtraNanoseconds(10.0),
    beats_allocative: false,
    size: 1_000_000,
    large: Large::No,
    build: |size| Subject::new(|| build(size), exact, peers::one_at_a_time()),
};

/// A message with its receivers.
#[derive(Debug, MemoryProfile, MemSize, GetSize, DeepSizeOf, DataSize, Allocative)]
#[mem_size(rec)]
pub struct Message {
    /// The text.
    pub text: String,
    /// The receivers.
    pub receivers: Vec<u32>,
}

/// Returns `size` messages.
pub fn build(size: usize) -> Vec<Message> {
    let mut random = Xorshift::new(13);
    let mut message = |_| {
        let letters = random.between(4, 36);
        let text = random.word(letters);
        let receivers = (0..random.below(9)).map(|_| random.below(1_000_000) as u32).collect();
        Message { text, receivers }
    };
    (0..size).map(&mut message).collect()
}

/// Returns the exact bytes, also by one call for each message.
#[allow(clippy::ptr_arg, reason = "the vector's own bytes count")]
pub fn exact(messages: &Vec<Message>) -> usize {
    peers::sum(messages, |message| {
        size_of_val(message)
            + message.text.capacity()
            + message.receivers.capacity() * size_of::<u32>()
    })
}
