//! `#[profile(keyed)]`: entries named after their keys.
