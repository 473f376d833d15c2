//! A transformer whose memory is expected by formula and measured.
fn main() {}
