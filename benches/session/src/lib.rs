//! Nothing: the programs of this package are its benches.
