//! What activations took: added up as they come and go.

use memprof::heap::Measured;

/// What the activations took since the books were opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Books {
    /// Bytes of elements in live storages, and the most there were.
    pub(crate) bytes: u64,
    pub(crate) peak_bytes: u64,
    /// Bytes of the host's memory that operations asked for and that were not given back, and the
    /// most there were, which includes what an operation needs only while it runs.
    host_bytes: i64,
    pub(crate) host_peak_bytes: i64,
    /// The most that one operation asked for beyond what it left.
    pub(crate) scratch_peak_bytes: i64,
}

impl Books {
    /// New books, in which what is live stays.
    pub(super) fn opened_after(before: &Self) -> Self {
        Self { bytes: before.bytes, peak_bytes: before.bytes, ..Self::default() }
    }

    /// Adds an operation that made a storage of so many bytes, or none.
    pub(super) fn add(&mut self, made: u64, host: &Measured) {
        self.bytes += made;
        self.peak_bytes = self.peak_bytes.max(self.bytes);
        let most = host.peak_bytes.cast_signed();
        self.host_peak_bytes = self.host_peak_bytes.max(self.host_bytes + most);
        self.scratch_peak_bytes = self.scratch_peak_bytes.max(most - host.net_bytes());
        self.host_bytes += host.net_bytes();
    }

    /// Adds that a handle was dropped, and with it a storage of so many bytes, or none.
    pub(super) fn remove(&mut self, freed: u64, host: &Measured) {
        self.bytes -= freed;
        self.host_bytes += host.net_bytes();
    }
}
