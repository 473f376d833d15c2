//! The public modules, by topic. They only re-export: no module of the crate imports them.

pub mod event;
pub mod exact;
pub mod hooks;
pub mod leak;
pub mod operation;
pub mod site;
