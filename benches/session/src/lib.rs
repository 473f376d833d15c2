//! An empty library: the programs of this package are its benches.
