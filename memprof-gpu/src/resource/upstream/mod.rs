//! Where memory comes from without a device.

mod address_space;
mod host;

pub use address_space::AddressSpace;
pub use host::HostUpstream;
