//! Types that the derive does not support.

use memprof::MemoryProfile;

#[derive(MemoryProfile)]
//~ error: `MemoryProfile` cannot be derived for a union, because the active field is unknown; mark fields of this type `#[profile(skip)]`, or write the impl by hand
union Bits {
    word: u64,
    bytes: [u8; 8],
}

// No other error: the derive implements the trait in spite of the mistake.
#[derive(MemoryProfile)]
struct HoldsUnion {
    bits: Bits,
}

#[derive(MemoryProfile)]
#[repr(C, packed(2))]
struct Packed {
    kind: u8,
    //~ error: a field of a packed type cannot be borrowed, so it cannot be visited; mark it `#[profile(skip)]`
    values: Vec<u8>,
}
