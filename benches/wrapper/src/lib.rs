//! A tensor that carries a unit, beside the buffer it wraps.
