//! An empty library: the package consists of its tests.
