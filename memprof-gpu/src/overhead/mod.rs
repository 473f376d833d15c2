//! What a wrapper type costs beside what it wraps.
