//! A hasher for addresses.

/// A hasher of addresses. The attack-resistant hasher of `std` would take as long as all other work
/// of a call.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AddressHasher(u64);

impl core::hash::BuildHasher for AddressHasher {
    type Hasher = Self;

    fn build_hasher(&self) -> Self {
        Self(0)
    }
}

impl core::hash::Hasher for AddressHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64((*byte).into());
        }
    }

    fn write_u64(&mut self, number: u64) {
        // The factor is the odd number nearest to 2^64 divided by the golden ratio. The
        // multiplication mixes the upper half better, so the next line mixes that half into the
        // lower one.
        let mixed = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
