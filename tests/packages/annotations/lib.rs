//! An empty library: the package consists of its test.
